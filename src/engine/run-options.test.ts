/** What goes together in a run, and what is refused with a reason. */
import { describe, expect, test } from 'vitest';
import type { NeardupError } from '../errors.ts';
import { flagOf } from '../options.ts';
import { dedup } from './calls/dedup.ts';
import { type GivenRunOptions, readExactOptions, readRunOptions } from './run-options.ts';
import { writtenOptions } from './written-options.ts';

describe('options of a run', () => {
  test.each<[GivenRunOptions, string]>([
    [{ sketch: 'super', lsh: 'bands:20x5' }, '--lsh with --sketch super: it finds candidates by itself'],
    [{ sketch: 'bottom:100', lsh: 'random:20x5' }, '--lsh with --sketch bottom'],
    [{ sketch: 'mod:8', lsh: 'bands:20x5' }, '--lsh with --sketch mod'],
    [{ sketch: 'simhash', lsh: 'bands:20x5' }, '--lsh with --sketch simhash'],
    [{ sketch: 'minhash:64', lsh: 'bands:20x5' }, '--lsh bands:20x5: needs 100 minima, the sketch has 64'],
    [
      { sketch: 'simhash', verify: 'sketch' },
      '--verify sketch with --sketch simhash: it does not estimate resemblance',
    ],
    [{ sketch: 'super', verify: 'none' }, '--verify none with --sketch super'],
    [{ measure: 'edit', sketch: 'simhash' }, '--measure edit with --sketch simhash'],
    [{ measure: 'edit', verify: 'sketch' }, '--verify sketch with --measure edit: sketches do not estimate it'],
    [{ measure: 'dice' as never }, 'measure dice cannot be searched by: 1 − dice breaks the triangle inequality'],
    [
      { measure: 'overlap' as never },
      'measure overlap cannot be searched by: 1 − overlap breaks the triangle inequality',
    ],
    [{ threshold: 0.01 }, '--sketch minhash:128 cannot reach --recall 0.999 at --threshold 0.01'],
  ])('%o are refused with a reason', (given, message) => {
    expect(caught(() => readRunOptions(given, flagOf))).toMatchObject({
      code: 'BAD_COMBINATION',
      exitCode: 2,
      message: expect.stringContaining(message),
    });
  });

  test.each<[GivenRunOptions, string]>([
    [{ lsh: 'auto' }, '--exact with --lsh: it finds all pairs, without LSH'],
    [{ verify: 'sketch' }, '--exact with --verify sketch: estimates prove nothing'],
    [{ measure: 'edit' }, '--exact with --measure edit'],
    [{ threshold: 0 }, '--exact with --threshold 0'],
  ])('%o do not go with exact', (given, message) => {
    expect(caught(() => readExactOptions(given, flagOf)).message).toContain(message);
  });

  test.each(['minhash:128', 'oph:128'] as const)('%s goes with every kind of LSH', sketch => {
    for (const lsh of ['auto', 'bands:20x5', 'random:125x3'] as const)
      expect(readRunOptions({ sketch, lsh }).resolvedLsh).toBeDefined();
  });

  test('are written as a user writes them', () => {
    expect(
      writtenOptions(readRunOptions({ keep: 'prefer:source=a,b', normalise: 'nfc,stem:en', by: 'x' })),
    ).toMatchObject({
      threshold: 0.8,
      shingle: 'word:5',
      sketch: 'minhash:128',
      lsh: 'bands:25x5',
      keep: 'prefer:source=a,b',
      normalise: 'nfc,stem:en',
      by: 'x',
    });
    expect(writtenOptions(readRunOptions({ sketch: 'mod:auto', keep: 'max:score' }))).toMatchObject({
      sketch: 'mod:auto',
      keep: 'max:score',
    });
  });

  test('are read before the first document', async () => {
    const documents = {
      // biome-ignore lint/correctness/useYield: it must never come to that
      async *[Symbol.asyncIterator]() {
        throw new Error('a document was asked for');
      },
    };
    await expect(dedup(documents, { threshold: 8 })).rejects.toThrow(
      'threshold must be a number between 0 and 1, got 8',
    );
  });

  test('refuse sets with measure edit', async () => {
    await expect(dedup([{ id: 'x', set: ['a'] }], { measure: 'edit' })).rejects.toThrow(
      'document "x": a set has no order',
    );
  });
});

function caught(work: () => unknown): NeardupError {
  try {
    work();
  } catch (error) {
    return error as NeardupError;
  }
  throw new Error('nothing was refused');
}
