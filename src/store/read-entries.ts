/** Numbers that were found → their entries. One that must be there and is not is damage. */
import { joinKeys } from '../engine/analyse/key-arrays.ts';
import { fail } from '../errors.ts';
import type { Numbers, Store } from './contract.ts';
import { tellDamage } from './damages.ts';
import { DamagedEntry, Entry } from './record.ts';

/** What the numbers were found by: keys, or the list of duplicates of an entry (which may be one of them). */
export type FoundBy = { readonly keys: readonly BigUint64Array[] } | { readonly of: number };

/** Undefined for entries that were removed. */
export type ReadEntries = (numbers: Numbers, by: FoundBy) => Promise<readonly (Entry | undefined)[]>;

/** Of bytes that are not as they were written, an error that names the document. */
export type OpenEntry = (number: number, bytes: Uint8Array) => Entry;

function damaged(index: string, number: number, what: string, id?: string, cause?: unknown): never {
  return fail('INDEX_DAMAGED', { index, what: tellDamage({ number, ...(id !== undefined && { id }), what }) }, cause);
}

export function createOpenEntry(index: string): OpenEntry {
  return (number, bytes) => {
    try {
      return Entry.checked(number, bytes);
    } catch (error) {
      if (error instanceof DamagedEntry) return damaged(index, number, error.message, error.id, error);
      throw error;
    }
  };
}

export function createReadEntries(store: Pick<Store, 'read' | 'lost' | 'membersOf'>, index: string): ReadEntries {
  const open = createOpenEntry(index);
  /** An entry leaves the list of duplicates no later than it goes itself. */
  const lostOf = async (missing: Numbers, of: number): Promise<Numbers> => {
    const listed = await store.membersOf(of);
    return missing.filter(number => (number === of ? listed.length > 0 : listed.includes(number)));
  };
  return async (numbers, by) => {
    const found = await store.read(numbers);
    const missing = numbers.filter((_, at) => found[at] === undefined);
    if (missing.length > 0) {
      const lost = 'of' in by ? await lostOf(missing, by.of) : await store.lost(missing, joinKeys(by.keys));
      if (lost.length > 0) damaged(index, lost[0]!, 'its entry is missing');
    }
    return numbers.map((number, at) => found[at] && open(number, found[at]));
  };
}
