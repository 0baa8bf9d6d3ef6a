/** Keys to be looked up → the ones that passed a filter, in the order of their blocks, so that each block is read once. */
import { sortedOrder } from '../../../engine/decide/radix.ts';

/** Of the keys of a batch few pass the filter; counting passes pay for thousands. */
const FEW = 512;

export function byHighHalf(halves: Uint32Array, places: number[]): ArrayLike<number> {
  if (places.length <= FEW) return places.sort((a, b) => halves[2 * a + 1]! - halves[2 * b + 1]!);
  const order = sortedOrder(Uint32Array.from(places, place => halves[2 * place + 1]!));
  return order.map(i => places[i]!);
}

export function pick(halves: Uint32Array, places: ArrayLike<number>): Uint32Array {
  const picked = new Uint32Array(places.length * 2);
  for (let i = 0; i < places.length; i++) {
    picked[2 * i] = halves[2 * places[i]!]!;
    picked[2 * i + 1] = halves[2 * places[i]! + 1]!;
  }
  return picked;
}
