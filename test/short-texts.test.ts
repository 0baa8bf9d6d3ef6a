/** Texts of few shingles are found by some of these: of two short texts that reach the threshold none is missed, whatever the bands, in either engine. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRandom } from '../bench/random.ts';
import type { RunRequest } from '../src/engine/engine.ts';
import { sharedFolder } from './support/folder.ts';
import { runRequest } from './support/run-request.ts';

// As built: worker threads cannot run TypeScript.
type Files = typeof import('../src/engine/choose-engine.ts');
const built = '../dist/engine/choose-engine.js';
const { findPairsOfFiles }: Files = await import(built);

const folder = sharedFolder();
/** One band of all minima: it finds equal sets, and of others hardly any. */
const USELESS = 'bands:1x128';
const SHORT = 40;

/** Up to 60 words, most of them of an earlier text; now and then one comes several times over, so that its set stays as small. */
function makeTexts(count: number): string[] {
  const random = createRandom(5);
  const word = () => `w${random.below(5000)}`;
  const texts: string[][] = [];
  while (texts.length < count) {
    const earlier = texts.length > 0 && random.below(3) > 0 ? random.pick(texts) : undefined;
    const words = earlier ? [...earlier] : Array.from({ length: 1 + random.below(60) }, word);
    for (let edits = random.below(3); earlier && edits > 0; edits--) words[random.below(words.length)] = word();
    if (random.below(3) === 0) words.splice(random.below(words.length), 1);
    const times = random.below(12) === 0 ? 2 + random.below(8) : 1;
    texts.push(
      words.length > 0
        ? Array.from({ length: times }, () => words)
            .flat()
            .slice(0, 400)
        : [word()],
    );
  }
  return texts.map(words => words.join(' '));
}

function shinglesOf(text: string): Set<string> {
  const words = text.split(' ');
  return new Set(Array.from({ length: Math.max(1, words.length - 4) }, (_, at) => words.slice(at, at + 5).join(' ')));
}

function shortPairs(texts: readonly string[], threshold: number): string[] {
  const sets = texts.map(shinglesOf);
  const pairs: string[] = [];
  for (let b = 0; b < sets.length; b++)
    for (let a = 0; a < b; a++) {
      const [one, other] = [sets[a]!, sets[b]!];
      if (one.size >= SHORT || other.size >= SHORT) continue;
      let shared = 0;
      for (const shingle of one) if (other.has(shingle)) shared++;
      if (shared / (one.size + other.size - shared) >= threshold) pairs.push(`${a} ${b}`);
    }
  return pairs.sort();
}

async function pairsBy(request: RunRequest): Promise<string[]> {
  const run = await findPairsOfFiles(request, { exact: false, maxPairs: 1e6 });
  const found = [...run.pairs].map(({ a, b }) => `${a} ${b}`);
  await run.release(true);
  return found.sort();
}

test.each([0.3, 0.5, 0.8, 0.95, 1])('all pairs of short texts at %s', async threshold => {
  const texts = makeTexts(1200);
  const sizes = texts.map(text => shinglesOf(text).size);
  const path = join(folder, `texts-${threshold}.jsonl`);
  writeFileSync(path, texts.map((text, id) => `${JSON.stringify({ id: String(id), text })}\n`).join(''));
  const expected = shortPairs(texts, threshold);
  expect(expected.length).toBeGreaterThan(100);
  const areShort = (pair: string) => pair.split(' ').every(id => sizes[Number(id)]! < SHORT);
  for (const threadsFrom of [Number.POSITIVE_INFINITY, 0]) {
    const found = await pairsBy(await runRequest([path], { given: { threshold, lsh: USELESS }, threadsFrom }));
    expect(found.filter(areShort)).toEqual(expected);
  }
});
