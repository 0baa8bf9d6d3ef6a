/** 32-bit keys → the order that sorts them: three counting passes of 11 bits, stable; keys move along, so each pass reads in order. */
import { finish, type Steps } from '../../cluster/steps.ts';

const DIGITS = 2048;

export function sortedOrder(keys: Uint32Array): Uint32Array {
  return finish(sortedOrderSteps(keys));
}

/** Entries between two checkpoints: some milliseconds. */
const STRETCH = 2 ** 18;

export function* sortedOrderSteps(keys: Uint32Array): Steps<Uint32Array> {
  const count = keys.length;
  let key = keys;
  let entry = new Uint32Array(count);
  for (let i = 0; i < count; i++) entry[i] = i;
  for (const shift of [0, 11, 22]) {
    const places = new Uint32Array(DIGITS);
    for (let start = 0; start < count; start += STRETCH) {
      const end = Math.min(count, start + STRETCH);
      for (let i = start; i < end; i++) places[(key[i]! >>> shift) & (DIGITS - 1)]!++;
      yield;
    }
    let before = 0;
    for (let digit = 0; digit < DIGITS; digit++) {
      const here = places[digit]!;
      places[digit] = before;
      before += here;
    }
    const nextKey = new Uint32Array(count);
    const nextEntry = new Uint32Array(count);
    for (let start = 0; start < count; start += STRETCH) {
      const end = Math.min(count, start + STRETCH);
      for (let i = start; i < end; i++) {
        const value = key[i]!;
        const place = places[(value >>> shift) & (DIGITS - 1)]!++;
        nextKey[place] = value;
        nextEntry[place] = entry[i]!;
      }
      yield;
    }
    key = nextKey;
    entry = nextEntry;
  }
  return entry;
}
