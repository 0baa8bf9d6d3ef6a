import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bandCurve, matchCurve } from './curve.ts';
import { resolveLsh, tune } from './tune.ts';

describe('tune', () => {
  test('chooses 25 bands of 5 rows for the defaults', () => {
    const tuning = tune();
    expect(tuning).toMatchObject({ threshold: 0.8, hashes: 128, bands: 25, rows: 5 });
    expect(Object.keys(tuning)).toEqual(['threshold', 'hashes', 'bands', 'rows', 'recall', 'curve']);
  });

  test('reports the recall reached, which is the curve at the threshold', () => {
    const { recall, curve } = tune({ threshold: 0.8, recall: 0.999, hashes: 128 });
    expect(recall).toBe(bandCurve(25, 5)(0.8));
    expect(curve[16]).toEqual({ similarity: 0.8, probability: recall });
  });

  test('takes the largest number of rows that still reaches the recall', () => {
    const needs = fc.record({
      threshold: fc.double({ min: 0.3, max: 1, noNaN: true }),
      recall: fc.double({ min: 0.5, max: 0.999, noNaN: true }),
      hashes: fc.integer({ min: 32, max: 512 }),
    });
    fc.assert(
      fc.property(needs, need => {
        const { bands, rows, recall } = tune(need);
        expect(bands).toBe(Math.floor(need.hashes / rows));
        expect(recall).toBeGreaterThanOrEqual(need.recall);
        for (let more = rows + 1; more <= need.hashes; more++)
          expect(bandCurve(Math.floor(need.hashes / more), more)(need.threshold)).toBeLessThan(need.recall);
      }),
    );
  });

  test('says how many hashes would be needed when there are too few, and that many are enough', () => {
    expect(() => tune({ threshold: 0.1, hashes: 8 })).toThrow(
      'hashes 8 cannot reach recall 0.999 at threshold 0.1: 66 hashes would be needed',
    );
    expect(() => tune({ threshold: 0.1, hashes: 65 })).toThrow('66 hashes');
    expect(tune({ threshold: 0.1, hashes: 66 })).toMatchObject({ bands: 66, rows: 1 });
  });

  test('says so when no allowed number of hashes is enough', () => {
    expect(() => tune({ threshold: 0.001 })).toThrow('6905 hashes would be needed, and 4096 is the most there can be');
    expect(() => tune({ threshold: 1e-300 })).toThrow('e+300 hashes would be needed');
    expect(() => tune({ threshold: 0 })).toThrow('documents that share nothing');
  });

  test('describes the bands and rows it is given, with as many hashes as they take', () => {
    expect(tune({ bands: 20, rows: 5, threshold: 0.5 })).toMatchObject({
      threshold: 0.5,
      hashes: 100,
      bands: 20,
      rows: 5,
      recall: bandCurve(20, 5)(0.5),
    });
  });

  test('gives the curve of equal minima, and only that', () => {
    const tuning = tune({ matches: 90, of: 100 });
    expect(Object.keys(tuning)).toEqual(['matches', 'of', 'curve']);
    expect(tuning.curve[18]).toEqual({ similarity: 0.9, probability: matchCurve(90, 100)(0.9) });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ bands: 20 }, 'bands without rows: a curve needs both'],
    [{ rows: 5 }, 'rows without bands: a curve needs both'],
    [{ matches: 90 }, 'matches without of: '],
    [{ of: 100 }, 'of without matches: '],
    [{ matches: 101, of: 100 }, 'matches 101 with of 100: no more than 100 of 100 minima can be equal'],
    [{ matches: 90, of: 100, bands: 20, rows: 5 }, 'matches with bands: '],
    [{ matches: 90, of: 100, recall: 0.9 }, 'matches with recall: '],
    [{ hashes: 99, bands: 20, rows: 5 }, 'bands 20 with rows 5 and hashes 99: they need 100 hashes'],
    [{ threshold: 8 }, 'threshold must be a number between 0 and 1, got 8'],
    [{ treshold: 0.8 }, 'option name must be one of threshold, recall'],
  ])('refuses %o as wrong usage and says why', (given, message) => {
    expect(() => tune(given)).toThrow(expect.objectContaining({ exitCode: 2 }));
    expect(() => tune(given)).toThrow(message);
  });

  test('names options as the caller writes them', () => {
    expect(() => tune({ bands: 20 }, name => `--${name}`)).toThrow('--bands without --rows');
    expect(() => tune({ threshold: 8 }, name => `--${name}`)).toThrow('--threshold must be');
  });
});

describe('resolveLsh', () => {
  const need = { threshold: 0.8, recall: 0.999, hashes: 128 };

  test('turns auto into the bands that reach the recall', () => {
    expect(resolveLsh({ kind: 'auto' }, need)).toEqual({ kind: 'bands', bands: 25, rows: 5 });
  });

  test('takes a scheme that fits the sketch as it is written', () => {
    expect(resolveLsh({ kind: 'bands', bands: 20, rows: 5 }, need)).toEqual({ kind: 'bands', bands: 20, rows: 5 });
    expect(resolveLsh({ kind: 'random', bands: 125, rows: 3 }, need)).toEqual({ kind: 'random', bands: 125, rows: 3 });
  });

  test('refuses bands that need more minima than the sketch has', () => {
    expect(() => resolveLsh({ kind: 'bands', bands: 26, rows: 5 }, need)).toThrow(
      'lsh bands:26x5: needs 130 minima, the sketch has 128',
    );
  });

  test('refuses random signatures longer than the sketch', () => {
    expect(() => resolveLsh({ kind: 'random', bands: 2, rows: 129 }, need)).toThrow('needs 129 minima');
  });
});
