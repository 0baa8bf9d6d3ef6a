/** The number of entries → their numbers in an order of which any beginning is an even sample. */

/** Each number below `next` once: steps of the golden section fall into the largest gap that is left. */
export function* spread(next: number): Generator<number> {
  let step = Math.max(1, Math.round(next * 0.618_033_988_75));
  while (commonDivisor(step, next) > 1) step++;
  for (let count = 0, number = 0; count < next; count++, number = (number + step) % next) yield number;
}

function commonDivisor(a: number, b: number): number {
  while (b > 0) [a, b] = [b, a % b];
  return a;
}
