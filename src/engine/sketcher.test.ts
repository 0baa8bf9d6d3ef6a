/** From options and documents to words, sets, sketches and measures. */
import { beforeAll, describe, expect, it } from 'vitest';
import { NeardupError } from '../errors.ts';
import { createSketcher, type Sketcher } from './sketcher.ts';

const sameTextAndSet = ['minhash:64', 'oph:64', 'bottom:20', 'mod:2', 'mod:auto', 'super:12', 'simhash'] as const;
const text = 'To be, or not to be, that is the question: whether it is nobler in the mind to suffer';

describe('a sketcher', () => {
  let sketcher: Sketcher;
  beforeAll(async () => {
    sketcher = await createSketcher({ shingle: 'word:2' });
  });

  it('has the defaults of the option table', async () => {
    const { options } = await createSketcher();
    expect(options).toEqual({
      shingle: { unit: 'word', size: 5 },
      sketch: { kind: 'minhash', size: 128 },
      bits: 32,
      normalise: [],
      seed: 1,
    });
  });

  it('gives the words of a text', () => {
    expect(sketcher.words('To be, OR not')).toEqual(['to', 'be', 'or', 'not']);
  });

  it('takes a text, a document with a text, a document with a set, or the elements alone', () => {
    expect(sketcher.set('to be or')).toHaveLength(2);
    expect(sketcher.set({ text: 'to be or' })).toEqual(sketcher.set('to be or'));
    expect(sketcher.set({ set: ['to', 'be', 'or'] })).toEqual(sketcher.set(['or', 'be', 'to', 'to']));
    expect(sketcher.set({ text: 'to be or', set: ['other'] })).toEqual(sketcher.set('to be or'));
  });

  it('counts a number as its decimal string', () => {
    expect(sketcher.set([7, 1.5])).toEqual(sketcher.set(['7', '1.5']));
  });

  it('compares sets exactly', () => {
    const measures = sketcher.compare(sketcher.set(['a', 'b', 'c', 'd']), sketcher.set(['b', 'c', 'e']));
    expect(measures).toEqual({
      resemblance: 2 / 5,
      containmentAB: 2 / 4,
      containmentBA: 2 / 3,
      dice: 4 / 7,
      overlap: 2 / 3,
    });
  });

  it('reproduces 3/8 and the boolean columns of the slides', () => {
    const numbers = (...all: number[]) => sketcher.set(all);
    expect(sketcher.compare(numbers(1, 2, 3, 4, 5), numbers(3, 4, 5, 6, 7, 8)).resemblance).toBe(3 / 8);
    expect(sketcher.compare(numbers(1, 2, 4), numbers(0, 2, 4, 5)).resemblance).toBe(0.4);
  });

  it('makes documents without words resemble nothing', () => {
    expect(sketcher.compare(sketcher.set(''), sketcher.set('')).resemblance).toBe(0);
    expect(sketcher.estimate(sketcher.sketch(''), sketcher.sketch('…'))).toEqual({ value: 0, standardError: 0 });
  });

  it.each([[{}], [{ text: 7 }], [{ set: 'abc' }], [{ set: ['a', null] }], [[true]], [7]])(
    'refuses %j, which is no document',
    document => {
      expect(() => sketcher.sketch(document as never)).toThrow(NeardupError);
      expect(() => sketcher.set(document as never)).toThrow('a document has a text (a string) or a set');
    },
  );
});

describe.each(sameTextAndSet)('%s', sketch => {
  it('is the same for a text and for the elements that are its words, but for where they came from', async () => {
    const sketcher = await createSketcher({ sketch, shingle: 'word:1' });
    const ofText = sketcher.sketch(text);
    const ofSet = sketcher.sketch(sketcher.words(text));
    expect(ofText).toEqual({ ...ofSet, shingle: 'word:1' });
    expect(ofSet.shingle).toBe('set');
  });
});

describe('options', () => {
  it('of normalising act before words are cut, and are part of the sketch', async () => {
    const sketcher = await createSketcher({ normalise: 'strip-accents,stopwords:en,stem:en', shingle: 'word:1' });
    expect(sketcher.words('The connections of cafés')).toEqual(['connect', 'cafe']);
    expect(sketcher.sketch(text).normalise).toBe('strip-accents,stopwords:en,stem:en');
    expect(sketcher.sketch(['a']).normalise).toBe('');
  });

  it('keep case when told', async () => {
    const sketcher = await createSketcher({ normalise: 'keep-case', shingle: 'word:1' });
    expect(sketcher.words('To be')).toEqual(['To', 'be']);
    expect(sketcher.set('To be')).not.toEqual(sketcher.set('to be'));
  });

  it('of the seed change every hash', async () => {
    const [first, second] = await Promise.all([1, 2].map(seed => createSketcher({ seed })));
    expect(first!.kernel.intersectionSize(first!.set(text), second!.set(text))).toBe(0);
  });

  it('keep b bits of each minimum', async () => {
    const sketch = (await createSketcher({ bits: 2 })).sketch(text);
    expect(sketch).toMatchObject({ kind: 'minhash', size: 128, bits: 2 });
    expect([...sketch.values].every(value => value < 4)).toBe(true);
  });

  it('that do not go together are refused, and it says why', async () => {
    await expect(createSketcher({ bits: 1, sketch: 'oph:64' })).rejects.toThrow(
      'bits with sketch oph: only minima of minhash have a b-bit form',
    );
    const flag = (name: string) => `--${name}`;
    await expect(createSketcher({ bits: 1, sketch: 'simhash' }, flag)).rejects.toMatchObject({
      code: 'BAD_COMBINATION',
      exitCode: 2,
      message: '--bits with --sketch simhash: only minima of minhash have a b-bit form',
    });
  });

  it('that there are not are refused', async () => {
    await expect(createSketcher({ threshold: 0.8 } as never)).rejects.toThrow(
      'option name must be one of shingle, sketch, bits, normalise, seed, got "threshold"',
    );
  });
});
