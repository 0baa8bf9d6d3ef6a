/** 32-bit keys → the order that sorts them: three counting passes of 11 bits, stable; keys move along, so each pass reads in order. */

const DIGITS = 2048;

export function sortedOrder(keys: Uint32Array): Uint32Array {
  const count = keys.length;
  let key = keys;
  let entry = new Uint32Array(count);
  for (let i = 0; i < count; i++) entry[i] = i;
  for (const shift of [0, 11, 22]) {
    const places = new Uint32Array(DIGITS);
    for (let i = 0; i < count; i++) places[(key[i]! >>> shift) & (DIGITS - 1)]!++;
    let before = 0;
    for (let digit = 0; digit < DIGITS; digit++) {
      const here = places[digit]!;
      places[digit] = before;
      before += here;
    }
    const nextKey = new Uint32Array(count);
    const nextEntry = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      const value = key[i]!;
      const place = places[(value >>> shift) & (DIGITS - 1)]!++;
      nextKey[place] = value;
      nextEntry[place] = entry[i]!;
    }
    key = nextKey;
    entry = nextEntry;
  }
  return entry;
}
