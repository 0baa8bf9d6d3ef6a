/** Floating-point numbers → text that gives them back. */

/** As Python, Arrow and DuckDB write a double: 1.0, 1e-05, 1e+16. The `.0` says that it is no integer. */
export function doubleText(value: number): string {
  if (isFraction(value)) return String(value);
  const isWhole = Number.isInteger(value) && Math.abs(value) < 1e16;
  return isWhole ? `${plainText(value)}.0` : value.toExponential().replace(/(?<=e[+-])\d$/, '0$&');
}

/** One that JavaScript writes like all others. */
export function isFraction(value: number): boolean {
  const size = Math.abs(value);
  return size >= 1e-4 && size < 1e16 && !Number.isInteger(value);
}

/** As JavaScript writes it: 1, 0.00001, 10000000000000000. */
export function plainText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** The double with the fewest digits that is this number of 32 bits: 0.1, where the number is 0.10000000149011612. */
export function shortestFloat(value: number): number {
  if (value === 0 || !Number.isFinite(value)) return value;
  // Six digits are never too many, but for the numbers next to zero, which have fewer bits.
  for (let digits = Math.abs(value) < 2 ** -126 ? 1 : 6; ; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
}
