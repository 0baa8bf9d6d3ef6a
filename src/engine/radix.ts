/** 32-bit keys → the order that sorts them: three counting passes of 11 bits, stable, no comparison. */

const DIGIT = 2048;

export function sortedOrder(keys: Uint32Array): Uint32Array {
  let order = Uint32Array.from(keys, (_, i) => i);
  let next = new Uint32Array(keys.length);
  for (const shift of [0, 11, 22]) {
    const counts = new Uint32Array(DIGIT);
    for (let i = 0; i < keys.length; i++) counts[(keys[i]! >>> shift) & (DIGIT - 1)]!++;
    let before = 0;
    for (let digit = 0; digit < DIGIT; digit++) {
      const here = counts[digit]!;
      counts[digit] = before;
      before += here;
    }
    for (let i = 0; i < order.length; i++) {
      const entry = order[i]!;
      next[counts[(keys[entry]! >>> shift) & (DIGIT - 1)]!++] = entry;
    }
    [order, next] = [next, order];
  }
  return order;
}
