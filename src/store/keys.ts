/**
 * Hashes → keys of a store: 62 bits of hash, and two that say what was hashed.
 *
 *   bits 63 … 2  hash          bits 1, 0  kind
 *
 * All the store looks up is a key: ids, contents, bands and sampled elements, in one structure.
 */

import { MAX_POSTINGS } from '../engine/decide/buckets.ts';

export const keyKinds = { band: 0, element: 1, id: 2, content: 3 } as const;
export type KeyKind = keyof typeof keyKinds;

/** Turns hashes into keys of a kind: those from a place on, and before another. */
export function markKind(halves: Uint32Array, from: number, to: number, kind: KeyKind): void {
  for (let low = 2 * from; low < 2 * to; low += 2) halves[low] = (halves[low]! & ~3) | keyKinds[kind];
}

/** How many entries a key may find. */
export function limitOf(low: number): number {
  return (low & 3) === keyKinds.element ? MAX_POSTINGS : Number.POSITIVE_INFINITY;
}
