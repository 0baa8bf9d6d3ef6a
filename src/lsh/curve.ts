/** Similarity of two documents → the probability that a scheme finds them similar. */

export type Curve = (similarity: number) => number;

export interface CurvePoint {
  readonly similarity: number;
  readonly probability: number;
}

/**
 * Bands of rows: 1 − (1 − s^r)^b. Written with log1p and expm1, so that 1e-30 stays 1e-30 instead of becoming 0.
 *
 * @example
 * ```ts
 * bandCurve(25, 5)(0.8); // → 0.9999510896502788
 * ```
 */
export function bandCurve(bands: number, rows: number): Curve {
  return similarity => -Math.expm1(bands * Math.log1p(-(similarity ** rows)));
}

/**
 * At least `matches` equal minima `of` so many: Σ_{k ≥ matches} C(of, k) s^k (1−s)^(of−k).
 *
 * @example
 * ```ts
 * matchCurve(90, 100)(0.95); // → 0.9885275899325152
 * ```
 */
export function matchCurve(matches: number, of: number): Curve {
  return similarity => {
    if (matches <= 0 || similarity >= 1) return 1;
    if (similarity <= 0) return 0;
    // The tail away from the mean is summed: its terms only fall, and nothing small is lost beside something large.
    return matches > of * similarity
      ? upperTail(matches, of, similarity)
      : 1 - upperTail(of - matches + 1, of, 1 - similarity);
  };
}

/**
 * Random selection: each of b signatures takes r of n minima anew, so signatures share minima and the exact curve lies
 * a little below that of bands. Given j equal minima, one signature is equal with chance C(j, r) / C(n, r).
 *
 * @example
 * ```ts
 * selectionCurve(25, 5, 128)(0.8); // → 0.9995119957437418
 * ```
 */
export function selectionCurve(bands: number, rows: number, of: number): Curve {
  return similarity => {
    let found = 0;
    for (let equal = rows; equal <= of; equal++) {
      let signature = 1;
      for (let row = 0; row < rows; row++) signature *= (equal - row) / (of - row);
      found += binomialTerm(equal, of, similarity) * -Math.expm1(bands * Math.log1p(-signature));
    }
    return Math.min(1, found);
  };
}

/**
 * The curve at 0, 0.05 … 1.
 *
 * @example
 * ```ts
 * curvePoints(bandCurve(25, 5)).length; // → 21
 * ```
 */
export function curvePoints(curve: Curve): CurvePoint[] {
  return Array.from({ length: 21 }, (_, step) => ({ similarity: step / 20, probability: curve(step / 20) }));
}

/** Σ_{k ≥ from}, for a `from` above the mean: the first term is the largest, the next come by their ratio. */
function upperTail(from: number, of: number, chance: number): number {
  const odds = chance / (1 - chance);
  let term = binomialTerm(from, of, chance);
  let sum = term;
  for (let count = from; count < of && term > sum * 1e-18; count++) {
    term *= ((of - count) / (count + 1)) * odds;
    sum += term;
  }
  return Math.min(1, sum);
}

/** C(of, count) p^count (1−p)^(of−count), through logarithms: C(4096, 2048) alone is past the largest double. */
function binomialTerm(count: number, of: number, chance: number): number {
  if (chance <= 0 || chance >= 1) return (chance <= 0 ? count === 0 : count === of) ? 1 : 0;
  const rest = of - count;
  if (count === 0) return Math.exp(of * Math.log1p(-chance));
  if (rest === 0) return chance ** of;
  // Stirling with the large parts n·ln n already cancelled (Loader 2000): what is left is small where the term is large.
  const deviance = count * Math.log((of * chance) / count) + rest * Math.log((of * (1 - chance)) / rest);
  const corrections = stirlingError(of) - stirlingError(count) - stirlingError(rest);
  return Math.exp(deviance + corrections) * Math.sqrt(of / (2 * Math.PI * count * rest));
}

/** ln n! − (n + ½) ln n + n − ½ ln 2π. */
function stirlingError(n: number): number {
  // Below 16 the series is not yet exact to a double, and the factorial itself is.
  if (n < 16) return Math.log(factorial(n)) - (n + 0.5) * Math.log(n) + n - 0.5 * Math.log(2 * Math.PI);
  const square = n * n;
  return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square) / square) / n;
}

function factorial(n: number): number {
  return n < 2 ? 1 : n * factorial(n - 1);
}
