/** Arrays of 64-bit keys: seen as 32-bit halves, and joined. */

/** Pairs of halves, the low one first: the same bytes, without a bigint for each key. */
export function halvesOf(keys: BigUint64Array): Uint32Array {
  return new Uint32Array(keys.buffer, keys.byteOffset, keys.length * 2);
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
