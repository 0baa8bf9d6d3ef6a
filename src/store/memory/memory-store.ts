/** A store in memory, gone with the process: the contract in its plainest form. */

import { memoryLog } from '../../decisions/line-log.ts';
import { halvesOf } from '../../engine/analyse/key-arrays.ts';
import { firstAtLeast } from '../../engine/ascending.ts';
import { fail } from '../../errors.ts';
import { type Change, emptyState, type Group, type Numbers, type Store } from '../contract.ts';
import { limitOf } from '../keys.ts';
import { createMutex } from '../mutex.ts';

const noNumbers: Numbers = Object.freeze([]);

export function createMemoryStore(): Store {
  let state = emptyState;
  const entries = new Map<number, Uint8Array>();
  const postings = new Map<bigint, number[]>();
  const keysOf = new Map<number, BigUint64Array>();
  const members = new Map<number, Set<number>>();
  const exclusively = createMutex();
  /** Of `members`, in order; made anew when a group has come or gone. */
  let groupNumbers: number[] | undefined;

  const removeMember = (of: number | undefined, number: number) => {
    if (of === undefined || !members.get(of)?.delete(number)) return;
    if (members.get(of)!.size > 0) return;
    members.delete(of);
    groupNumbers = undefined;
  };
  const removeKeys = (number: number) => {
    for (const key of keysOf.get(number) ?? []) {
      const left = postings.get(key)?.filter(one => one !== number) ?? [];
      if (left.length > 0) postings.set(key, left);
      else postings.delete(key);
    }
    keysOf.delete(number);
  };
  const apply = (change: Change) => {
    for (const { number, of } of change.removals) {
      entries.delete(number);
      removeKeys(number);
      removeMember(of, number);
      if (members.delete(number)) groupNumbers = undefined;
    }
    for (const { number, bytes, noLongerOf } of change.rewrites) {
      entries.set(number, bytes);
      removeMember(noLongerOf, number);
    }
    for (const { number, keys, bytes, of } of change.additions) {
      entries.set(number, bytes);
      keysOf.set(number, keys);
      for (const key of keys) {
        const numbers = postings.get(key);
        // An entry may have a key twice: parts of a SimHash may be equal.
        if (numbers?.at(-1) === number) continue;
        if (numbers) numbers.push(number);
        else postings.set(key, [number]);
      }
      if (of === undefined) continue;
      if (!members.has(of)) groupNumbers = undefined;
      members.set(of, (members.get(of) ?? new Set()).add(number));
    }
    state = change.state;
  };
  const ascending = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b);

  return {
    exclusively: work => exclusively(() => work(state)),
    state: async () => state,
    async find(keys) {
      const halves = halvesOf(keys);
      return Array.from(keys, (key, at) => postings.get(key)?.slice(0, limitOf(halves[2 * at]!)) ?? noNumbers);
    },
    read: async numbers => numbers.map(number => entries.get(number)),
    lost: async () => noNumbers,
    async apply(change) {
      apply(change);
      return { durable: Promise.resolve() };
    },
    membersOf: async number => ascending(members.get(number) ?? []),
    async groups(from, limit) {
      groupNumbers ??= ascending(members.keys());
      const start = firstAtLeast(groupNumbers, from);
      return groupNumbers
        .slice(start, start + limit)
        .map((of): Group => ({ of, members: ascending(members.get(of)!) }));
    },
    async *entries(from = 0) {
      // Numbers only grow, so the entries stand in order; one may go while others are looked at.
      for (const number of [...entries.keys()].filter(number => number >= from)) {
        const bytes = entries.get(number);
        if (bytes) yield { number, bytes };
      }
    },
    decisions: memoryLog(),
    async *check() {},
    size: async () => [...entries.values()].reduce((sum, { length }) => sum + length, 0),
    backup: async path => fail('CANNOT_WRITE', { file: path, reason: 'an index in memory has no file to copy' }),
    compact: async () => {},
    close: async () => {},
  };
}
