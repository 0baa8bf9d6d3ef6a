/** Entries that are in no run yet, as the tables have them → their postings in the tail, and what is damaged among them. */
import { halvesOf } from '../../../engine/analyse/key-arrays.ts';
import type { Damage, StoreSetup } from '../../contract.ts';
import { DamagedEntry } from '../../record.ts';
import type { Tables } from '../tables.ts';
import type { Segment } from './tail.ts';

export interface TailEntries {
  /** The number before which they were seen already. */
  readonly seen: number;
  readonly next: number;
  /** From this number on, each has an entry or a tombstone. */
  readonly markedFrom: number;
}

/** The first damage that is found: whatever is looked up might be in that entry. */
export function readTail(
  { entries, tombstones }: Pick<Tables, 'entries' | 'tombstones'>,
  segment: Segment,
  start: number,
  { markedFrom, next }: TailEntries,
  keysOf: StoreSetup['keysOf'],
): Damage | undefined {
  let damage: Damage | undefined;
  const requireRemoved = (from: number, to: number) => {
    for (let number = Math.max(from, markedFrom); number < to; number++)
      if (!segment.dead.has(number)) damage ??= { number, what: 'its entry is missing' };
  };
  for (const number of tombstones.getKeys({ start: segment.from })) segment.dead.add(number);
  let expected = start;
  for (const { key, value } of entries.getRange({ start })) {
    requireRemoved(expected, key);
    // Keys of a damaged page may come in any order, for ever.
    if (key < expected) return damage ?? { number: expected, what: 'its entry is missing' };
    try {
      segment.add(halvesOf(keysOf(key, value)), key);
    } catch (error) {
      if (!(error instanceof DamagedEntry)) throw error;
      damage ??= { number: key, ...(error.id !== undefined && { id: error.id }), what: error.message };
    }
    expected = key + 1;
  }
  requireRemoved(expected, next);
  return damage;
}
