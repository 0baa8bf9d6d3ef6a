import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEditKernel } from '../kernel/edit-kernel.ts';
import { diagonalDistance } from './diagonal-distance.ts';
import { editDistance, editSimilarity, editSimilarityAtLeast, symbolSimilarityAtLeast } from './edit.ts';
import { asUnitStrings, symbolsOf } from './edit-symbols.ts';

/** The table of the textbook, cell by cell. */
function naiveDistance(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [atA, letterA] of a.entries()) {
    const next = [atA + 1];
    for (const [atB, letterB] of b.entries())
      next.push(Math.min(row[atB + 1]! + 1, next[atB]! + 1, row[atB]! + (letterA === letterB ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}

// Few letters make many matches; two of them need a surrogate pair.
const letters = fc.constantFrom('a', 'b', 'c', ' ', '𝒳', '🐟');
const shortText = fc.string({ unit: letters, maxLength: 12 });
const longText = fc.string({ unit: letters, minLength: 60, maxLength: 160 });
const change = fc.record({ at: fc.nat(160), remove: fc.nat(3), put: fc.string({ unit: letters, maxLength: 3 }) });
const editedPair = fc.tuple(longText, fc.array(change, { maxLength: 6 })).map(([text, changes]) => {
  const edited = [...text];
  for (const { at, remove, put } of changes) edited.splice(at % edited.length, remove, ...put);
  return [text, edited.join('')] as const;
});
const anyPair = fc.oneof(fc.tuple(shortText, shortText), fc.tuple(longText, longText), editedPair);

describe('editDistance', () => {
  it('gives 3 for kitten and sitting', () => {
    expect(editDistance('kitten', 'sitting')).toBe(3);
  });

  it('agrees with the textbook table on any two texts, in code points', () => {
    fc.assert(
      fc.property(anyPair, ([a, b]) => {
        expect(editDistance(a, b)).toBe(naiveDistance([...a], [...b]));
      }),
      { numRuns: 400 },
    );
  });

  it('gives the distance up to the limit and undefined above it', () => {
    fc.assert(
      fc.property(anyPair, fc.nat(30), ([a, b], limit) => {
        const distance = naiveDistance([...a], [...b]);
        expect(editDistance(a, b, limit)).toBe(distance <= limit ? distance : undefined);
      }),
      { numRuns: 400 },
    );
  });

  it('counts one replaced character outside the Basic Multilingual Plane as one edit', () => {
    // 🐟 and 🐠 share their first UTF-16 unit, 🐟 and 𝒳 none.
    expect(editDistance('a🐟b', 'a🐠b')).toBe(1);
    expect(editDistance('a🐟b', 'a𝒳b')).toBe(1);
    expect(editDistance('🐟', 'ab')).toBe(2);
  });

  it('does two texts of 300,000 characters with 0.5 % edits well within ten seconds', () => {
    const a = pseudoText(300_000);
    const changed = [...a];
    for (let at = 100; at < changed.length; at += 200) changed[at] = '#';
    const started = performance.now();
    expect(editDistance(a, changed.join(''))).toBe(1500);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('gives up early on two long texts without likeness when a limit is set', () => {
    const started = performance.now();
    expect(editDistance(pseudoText(500_000, 1), pseudoText(500_000, 99), 1000)).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe('diagonalDistance', () => {
  it('agrees with the textbook table when it has all the work it wants', () => {
    fc.assert(
      fc.property(anyPair, ([a, b]) => {
        const all = Number.POSITIVE_INFINITY;
        expect(diagonalDistance(symbolsOf(a), symbolsOf(b), all, all)).toEqual({
          distance: naiveDistance([...a], [...b]),
        });
      }),
      { numRuns: 400 },
    );
  });

  it('says which of limit and work ended the search', () => {
    const a = symbolsOf('abcdefghij');
    const b = symbolsOf('klmnopqrst');
    expect(diagonalDistance(a, b, 3, 1e9)).toEqual({ gaveUp: 'limit' });
    expect(diagonalDistance(a, b, 99, 4)).toEqual({ gaveUp: 'work' });
  });
});

describe('asUnitStrings', () => {
  it('gives one UTF-16 unit a code point, equal where the code points are', () => {
    expect(asUnitStrings(symbolsOf('🐟a🐟'), symbolsOf('a🐠'))).toEqual(['\0\x01\0', '\x01\x02']);
    expect(asUnitStrings(symbolsOf('fish'), symbolsOf('dish'))).toEqual(['fish', 'dish']);
  });

  it('says so when there are more different code points than units', () => {
    const many = Uint32Array.from({ length: 0x10001 }, (_, at) => at);
    expect(asUnitStrings(many, symbolsOf('a'))).toBeUndefined();
  });
});

describe('editSimilarity', () => {
  it('is 1 − distance / longer length', () => {
    expect(editSimilarity('kitten', 'sitting')).toBe(1 - 3 / 7);
    expect(editSimilarity('tropical fish', 'tropical fish')).toBe(1);
  });

  it('counts length in code points', () => {
    expect(editSimilarity('🐟🐟🐟🐟', '🐟🐟🐟🐠')).toBe(0.75);
  });

  it('says 0 for a text without words, even against another one', () => {
    expect(editSimilarity('', '')).toBe(0);
    expect(editSimilarity('', 'fish')).toBe(0);
    expect(editSimilarity('fish', '')).toBe(0);
  });
});

describe('editSimilarityAtLeast', () => {
  it('gives the similarity at or above the threshold, undefined below', () => {
    fc.assert(
      fc.property(anyPair, fc.double({ min: 0, max: 1, noNaN: true }), ([a, b], threshold) => {
        const similarity = editSimilarity(a, b);
        expect(editSimilarityAtLeast(a, b, threshold)).toBe(similarity >= threshold ? similarity : undefined);
      }),
      { numRuns: 400 },
    );
  });

  it('includes a pair exactly at the threshold, however the fraction rounds', () => {
    for (let length = 1; length <= 60; length++) {
      for (let edits = 0; edits <= length; edits++) {
        const a = 'a'.repeat(length);
        const b = 'b'.repeat(edits).padStart(length, 'a');
        expect(editSimilarityAtLeast(a, b, 1 - edits / length)).toBe(1 - edits / length);
      }
    }
  });

  it('rejects a threshold that is none', () => {
    expect(() => editSimilarityAtLeast('a', 'b', 8)).toThrow('threshold must be a number between 0 and 1, got 8');
  });
});

describe('the kernel of edit distances', async () => {
  const kernel = await createEditKernel();
  // Long enough for several strips of rows, and for the search for a first upper bound.
  const edits = fc.record({
    seed: fc.integer({ min: 1, max: 2 ** 31 }),
    length: fc.oneof(fc.nat(300), fc.nat(6000)),
    letters: fc.constantFrom(2, 4, 30),
    rate: fc.double({ min: 0, max: 0.8, noNaN: true }),
    moved: fc.nat(500),
  });

  it('gives what the uncut distance is, up to the limit, at it, and above it', () => {
    fc.assert(
      fc.property(edits, fc.double({ min: 0, max: 1, noNaN: true }), (plan, share) => {
        const [a, b] = editedTexts(plan);
        const distance = editDistance(a, b);
        const longer = Math.max(a.length, b.length);
        for (const limit of [distance - 1, distance, distance + 1, Math.floor(share * longer), longer])
          if (limit >= 0)
            expect(kernel.distanceWithin(symbolsOf(a), symbolsOf(b), limit)).toBe(
              distance <= limit ? distance : undefined,
            );
      }),
      { numRuns: 150 },
    );
  });

  it('decides each threshold as the uncut similarity does, equality included', () => {
    fc.assert(
      fc.property(edits, fc.double({ min: 0.3, max: 1, noNaN: true }), (plan, given) => {
        const [a, b] = editedTexts(plan);
        const similarity = editSimilarity(a, b);
        for (const threshold of [given, similarity]) {
          const expected = similarity >= threshold ? similarity : undefined;
          expect(symbolSimilarityAtLeast(symbolsOf(a), symbolsOf(b), threshold, kernel)).toBe(expected);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('agrees with the uncut distance on long texts of words, where the bounds of blocks decide', () => {
    // Small vocabularies share their grams between all places; large ones share few.
    const plans = fc.record({
      seed: fc.integer({ min: 1, max: 2 ** 31 }),
      letters: fc.integer({ min: 4200, max: 9000 }),
      vocabulary: fc.constantFrom(5, 60, 2000),
      rate: fc.double({ min: 0, max: 1, noNaN: true }),
      moved: fc.constantFrom(0, 0, 40, 400),
    });
    fc.assert(
      fc.property(plans, fc.double({ min: 0, max: 0.4, noNaN: true }), (plan, share) => {
        const [a, b] = wordTexts(plan);
        const distance = editDistance(a, b);
        for (const limit of [distance - 1, distance, distance + 1, Math.floor(share * a.length)])
          if (limit >= 0)
            expect(kernel.distanceWithin(symbolsOf(a), symbolsOf(b), limit)).toBe(
              distance <= limit ? distance : undefined,
            );
      }),
      { numRuns: 60 },
    );
  });

  it('tells unlike texts of the same words apart without the table, at 0.8 and at 0.72', async () => {
    const texts = [1, 2].map(seed => wordTexts({ seed, letters: 200_000, vocabulary: 20_000, rate: 0, moved: 0 })[0]);
    const [a, b] = texts.map(symbolsOf) as [Uint16Array, Uint16Array];
    for (const threshold of [0.8, 0.72]) {
      const fresh = await createEditKernel();
      expect(symbolSimilarityAtLeast(a, b, threshold, fresh)).toBeUndefined();
      // A band of the table has (1 − threshold) · n² / 64 blocks: 125 million and more.
      expect(fresh.work()).toBeLessThan(20e6);
    }
  });

  it('follows a narrow path between texts with an eighth of the words edited', async () => {
    const [a, b] = wordTexts({ seed: 5, letters: 200_000, vocabulary: 20_000, rate: 0.12, moved: 0 });
    const fresh = await createEditKernel();
    expect(symbolSimilarityAtLeast(symbolsOf(a), symbolsOf(b), 0.8, fresh)).toBeGreaterThan(0.85);
    expect(fresh.work()).toBeLessThan(20e6);
  });

  it('says 0 for an empty text, which only threshold 0 takes', () => {
    const [empty, fish] = [symbolsOf(''), symbolsOf('fish')];
    expect(symbolSimilarityAtLeast(empty, fish, 0, kernel)).toBe(0);
    expect(symbolSimilarityAtLeast(empty, empty, 0, kernel)).toBe(0);
    expect(symbolSimilarityAtLeast(fish, empty, 0.1, kernel)).toBeUndefined();
    expect(symbolSimilarityAtLeast(fish, fish, 1, kernel)).toBe(1);
  });

  it('does two texts of 300,000 characters, a fifth of them edited, well within twenty seconds', () => {
    const [a, b] = editedTexts({ seed: 3, length: 300_000, letters: 30, rate: 0.2, moved: 0 });
    const started = performance.now();
    const distance = kernel.distanceWithin(symbolsOf(a), symbolsOf(b), 90_000)!;
    expect(distance).toBeGreaterThan(30_000);
    expect(kernel.distanceWithin(symbolsOf(a), symbolsOf(b), distance - 1)).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

function numbersBelow(seed: number) {
  let state = seed;
  return (bound: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** About so many letters of words, and the same with words replaced, left out and put in, and a passage that stands elsewhere. */
function wordTexts(plan: { seed: number; letters: number; vocabulary: number; rate: number; moved: number }) {
  // The words are the same for all seeds.
  const spell = numbersBelow(1);
  const vocabulary = Array.from({ length: plan.vocabulary }, () =>
    Array.from({ length: 2 + spell(9) }, () => 'etaoinshrdlucmfw'[spell(16)]).join(''),
  );
  const below = numbersBelow(plan.seed);
  const word = () => vocabulary[below(vocabulary.length)]!;
  const text: string[] = [];
  for (let size = 0; size < plan.letters; size += text.at(-1)!.length + 1) text.push(word());
  const edited = text.flatMap(old => (below(1000) < plan.rate * 1000 ? [[word()], [], [old, word()]][below(3)]! : old));
  if (plan.moved > 0) edited.splice(below(edited.length), 0, ...edited.splice(below(edited.length), plan.moved));
  return [text.join(' '), edited.join(' ')] as const;
}

/** A text, and the same with letters replaced, left out and put in, and a passage that stands elsewhere. */
function editedTexts(plan: { seed: number; length: number; letters: number; rate: number; moved: number }) {
  const below = numbersBelow(plan.seed);
  const letter = () => String.fromCodePoint((below(50) === 0 ? 0x1f400 : 0x61) + below(plan.letters));
  const text = Array.from({ length: plan.length }, letter);
  const edited = text.flatMap(old => {
    if (below(1000) >= plan.rate * 1000) return old;
    return [[letter()], [], [old, letter()]][below(3)]!;
  });
  if (plan.moved > 0) {
    const passage = edited.splice(below(edited.length), plan.moved);
    edited.splice(below(edited.length), 0, ...passage);
  }
  return [text.join(''), edited.join('')] as const;
}

function pseudoText(length: number, seed = 7): string {
  let state = seed;
  const letter = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return 'etaoin shrdlu'[(state >>> 8) % 13]!;
  };
  return Array.from({ length }, letter).join('');
}
