/**
 * Hashes → keys of a store: 62 bits of hash, and two that say what was hashed.
 *
 *   bits 63 … 2  hash          bits 1, 0  kind
 *
 * All the store looks up is a key: ids, contents, bands and sampled elements, in one structure.
 */

export const keyKinds = { band: 0, element: 1, id: 2, content: 3 } as const;
export type KeyKind = keyof typeof keyKinds;

/** Entries that may share an element before it counts as boilerplate; only the first of them are found by it. */
export const MAX_POSTINGS = 1000;

/** Keys as pairs of 32-bit halves, the low one first: the same bytes, without a bigint for each. */
export function halvesOf(keys: BigUint64Array): Uint32Array {
  return new Uint32Array(keys.buffer, keys.byteOffset, keys.length * 2);
}

/** Turns hashes into keys of a kind, in place. */
export function markKind(hashes: BigUint64Array, kind: KeyKind): BigUint64Array {
  const halves = halvesOf(hashes);
  for (let low = 0; low < halves.length; low += 2) halves[low] = (halves[low]! & ~3) | keyKinds[kind];
  return hashes;
}

/** How many entries a key may find. */
export function limitOf(low: number): number {
  return (low & 3) === keyKinds.element ? MAX_POSTINGS : Number.POSITIVE_INFINITY;
}

export function joinKeys(parts: readonly BigUint64Array[]): BigUint64Array {
  const all = new BigUint64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
