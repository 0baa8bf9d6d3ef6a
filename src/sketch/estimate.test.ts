/** Which sketches may be compared, what they can tell, and what empty documents resemble: nothing. */
import { describe, expect, it } from 'vitest';
import { createSketcher, type GivenSketcherOptions, type Sketcher } from '../engine/sketcher.ts';
import { NeardupError } from '../errors.ts';
import { estimateContainment, estimateCosine, estimateResemblance } from './estimate.ts';
import { isEmpty, type Sketch } from './sketch.ts';

const text = 'the quick brown fox jumps over the lazy dog and runs away';

// Made once for equal options: a sketcher compiles a kernel.
const sketchers = new Map<string, Promise<Sketcher>>();
function sketcherOf(options: GivenSketcherOptions): Promise<Sketcher> {
  const key = JSON.stringify(options);
  const sketcher = sketchers.get(key) ?? createSketcher(options);
  sketchers.set(key, sketcher);
  return sketcher;
}

async function sketchOf(options: GivenSketcherOptions, document: string | string[] = text): Promise<Sketch> {
  return (await sketcherOf(options)).sketch(document);
}

function errorOf(action: () => unknown): NeardupError {
  try {
    action();
  } catch (error) {
    if (error instanceof NeardupError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('sketches that were made differently are refused, each difference named:', () => {
  it.each<[string, GivenSketcherOptions, GivenSketcherOptions]>([
    ['seed 1 and 2', { seed: 1 }, { seed: 2 }],
    ['shingle word:5 and char:5', {}, { shingle: 'char:5' }],
    ['normalise none and nfc,strip-digits', {}, { normalise: 'nfc,strip-digits' }],
    ['size 128 and 100', {}, { sketch: 'minhash:100' }],
    ['bits 32 and 1', {}, { bits: 1 }],
    ['kind minhash and oph; bits 32 and none', {}, { sketch: 'oph:128' }],
    ['size 10 and 20; seed 1 and 9', { sketch: 'bottom:10' }, { sketch: 'bottom:20', seed: 9 }],
    ['kind mod and bottom; size 16 and 200', { sketch: 'mod:16' }, { sketch: 'bottom' }],
  ])('%s', async (differences, first, second) => {
    const [a, b] = [await sketchOf(first), await sketchOf(second)];
    for (const estimate of [estimateResemblance, estimateContainment, estimateCosine]) {
      const error = errorOf(() => estimate(a, b));
      expect(error.code).toBe('SKETCH_MISMATCH');
      expect(error.message).toBe(`these sketches cannot be compared: ${differences}`);
      expect(error.place.differences).toEqual(differences.split('; '));
    }
  });

  it('a text and a set', async () => {
    const [a, b] = [await sketchOf({}), await sketchOf({}, ['the', 'quick'])];
    expect(() => estimateResemblance(a, b)).toThrow('shingle word:5 and set');
  });

  it('but not `mod` sketches of different sizes', async () => {
    const [a, b] = [await sketchOf({ sketch: 'mod:2' }), await sketchOf({ sketch: 'mod:1' })];
    expect(estimateResemblance(a, b)?.value).toBe(1);
  });
});

describe('a kind of sketch that cannot tell says so:', () => {
  it.each([
    ['super', 'no estimate: super shingles only propose candidates'],
    ['simhash', 'no estimate: simhash estimates cosine, not resemblance'],
  ] as const)('resemblance by %s', async (sketch, message) => {
    const made = await sketchOf({ sketch });
    const error = errorOf(() => estimateResemblance(made, made));
    expect([error.code, error.message]).toEqual(['NO_ESTIMATE', message]);
  });

  it.each(['minhash:64', 'oph:64', 'bottom:64', 'super', 'simhash'] as const)('containment by %s', async sketch => {
    const made = await sketchOf({ sketch });
    const error = errorOf(() => estimateContainment(made, made));
    expect(error.code).toBe('NO_ESTIMATE');
    expect(error.message).toMatch(/sketches do not estimate containment; mod sketches do$/);
  });

  it('cosine by minhash', async () => {
    const made = await sketchOf({});
    expect(() => estimateCosine(made, made)).toThrow('simhash wanted, this is minhash');
  });
});

describe.each(['minhash:128', 'oph:128', 'bottom:100', 'mod:4', 'mod:auto'] as const)('%s', sketch => {
  it('finds equal documents equal, and disjoint ones not', async () => {
    const sketcher = await createSketcher({ sketch, shingle: 'word:1' });
    const words = (name: string) => Array.from({ length: 60 }, (_, i) => name + i).join(' ');
    expect(sketcher.estimate(sketcher.sketch(words('a')), sketcher.sketch(words('a')))?.value).toBe(1);
    expect(sketcher.estimate(sketcher.sketch(words('a')), sketcher.sketch(words('b')))?.value).toBe(0);
  });
});

describe('a document without shingles', () => {
  const nothing = { value: 0, standardError: 0 };

  it.each<GivenSketcherOptions>([
    { sketch: 'minhash:128' },
    { sketch: 'minhash:128', bits: 1 },
    { sketch: 'minhash:128', bits: 31 },
    { sketch: 'oph:128' },
    { sketch: 'bottom:100' },
    { sketch: 'mod:16' },
    { sketch: 'mod:auto' },
  ])('resembles nothing, not even itself: $sketch $bits', async options => {
    const sketcher = await sketcherOf(options);
    for (const [empty, full] of [
      ['', text],
      [' …!', 'word'],
      [[], ['a', 'b']],
    ] as const) {
      const [none, some] = [sketcher.sketch(empty), sketcher.sketch(full)];
      expect(isEmpty(none)).toBe(true);
      expect(isEmpty(some)).toBe(false);
      expect(estimateResemblance(none, none)).toEqual(nothing);
      expect(estimateResemblance(none, some)).toEqual(nothing);
      expect(estimateResemblance(some, none)).toEqual(nothing);
    }
  });

  it('is contained in nothing and contains nothing', async () => {
    const [none, some] = [await sketchOf({ sketch: 'mod:1' }, ''), await sketchOf({ sketch: 'mod:1' })];
    expect(estimateContainment(none, some)).toEqual(nothing);
    expect(estimateContainment(some, none)).toEqual(nothing);
  });

  it('is empty for simhash and super too', async () => {
    for (const sketch of ['simhash', 'super'] as const) {
      expect(isEmpty(await sketchOf({ sketch }, ''))).toBe(true);
      expect(isEmpty(await sketchOf({ sketch }, 'word'))).toBe(false);
    }
    const none = await sketchOf({ sketch: 'simhash' }, '');
    expect(estimateCosine(none, none)).toEqual(nothing);
  });
});
