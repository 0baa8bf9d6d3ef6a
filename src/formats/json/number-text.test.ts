import fc from 'fast-check';
import { expect, test } from 'vitest';
import { doubleText, plainText, shortestFloat } from './number-text.ts';

test.each([
  [1, '1.0'],
  [-0, '-0.0'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
  [1.5e-7, '1.5e-07'],
  [1e15, '1000000000000000.0'],
  [1e16, '1e+16'],
  [-1.7976931348623157e308, '-1.7976931348623157e+308'],
  [5e-324, '5e-324'],
])('writes the double %d as %s', (value, text) => {
  expect(doubleText(value)).toBe(text);
});

test('writes every double so that it is read back', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), value => {
      expect(Number(doubleText(value))).toBe(value);
      expect(Number(plainText(value))).toBe(value);
      expect(doubleText(value)).toMatch(/[.e]/);
    }),
  );
});

test.each([
  [0.1, 0.1],
  [16777216, 16777216],
  [2 ** -149, 1e-45],
  [3.4028234663852886e38, 3.4028235e38],
  [-0, -0],
])('finds the shortest double for the float %d', (value, short) => {
  expect(shortestFloat(Math.fround(value))).toBe(short);
});

test('finds no shorter one, and one that is read back, for every float', () => {
  fc.assert(
    fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), value => {
      const short = shortestFloat(value);
      expect(Math.fround(short)).toBe(value);
      const digits = short.toExponential().replace(/e.*|\D/g, '').length;
      for (let fewer = 1; fewer < digits; fewer++) {
        expect(Math.fround(Number(value.toPrecision(fewer)))).not.toBe(value);
      }
    }),
  );
});
