/** An index made for containment finds parts of stored documents, boilerplate or not. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../bench/random.ts';
import { mostMissing } from '../../src/engine/analyse/candidate-keys.ts';
import { MAX_POSTINGS } from '../../src/engine/decide/buckets.ts';
import type { NearIndex } from '../../src/store/near-index.ts';
import { indexAt, placesWith } from '../support/indexes.ts';
import { redisForTests } from '../support/redis.ts';

const random = createRandom(11);
const someWords = (count: number) => Array.from({ length: count }, () => random.below(1e9).toString(36));
const text = (...parts: readonly string[][]) => parts.flat().join(' ');

it('finds nearly every part of 70 words and more, whatever stands around it and is left out of it', async () => {
  const index = await indexAt('memory:', { measure: 'containment' });
  const wholes = Array.from({ length: 150 }, () => someWords(1000));
  for (const [n, words] of wholes.entries()) await index.add({ id: `whole ${n}`, text: text(words) });
  let found = 0;
  const parts = 450;
  for (let n = 0; n < parts; n++) {
    const which = n % wholes.length;
    const words = wholes[which]!;
    const size = 75 + random.below(400);
    const start = random.below(words.length - size);
    // Up to a fifth of it stands in no other document.
    const own = someWords(random.below(Math.floor(size / 6)));
    const verdict = await index.check({ id: `part ${n}`, text: text(words.slice(start, start + size), own) });
    if (verdict.status !== 'contained') continue;
    found++;
    expect(verdict.of).toBe(`whole ${which}`);
    expect(verdict.containment).toBeGreaterThanOrEqual(0.8);
  }
  expect(found / parts).toBeGreaterThan(0.99);
});

it('looks past what a thousand documents share', async () => {
  const index = await indexAt('memory:', { measure: 'containment' });
  const banner = someWords(100);
  const whole = someWords(400);
  await index.add({ id: 'whole', text: text(banner, whole) });
  for (let n = 0; n < 1100; n++) await index.add({ id: `page ${n}`, text: text(banner, someWords(60)) });
  const part = { id: 'part', text: text(banner, whole.slice(50, 250)) };
  expect(await index.check(part)).toMatchObject({ status: 'contained', of: 'whole' });
  const [best] = await index.search({ text: part.text }, { measure: 'containment' });
  expect(best).toMatchObject({ id: 'whole' });
  expect((await index.check({ id: 'new', text: text(banner, someWords(200)) })).status).toBe('new');
});

const places = placesWith(redisForTests());

describe.each(Object.keys(places))('an index in %s', place => {
  it('finds what stands in more documents than are listed for a shingle', async () => {
    const index = await indexAt(places[place]!(), { measure: 'containment' });
    const paragraph = someWords(100);
    const pages = Array.from({ length: MAX_POSTINGS + 60 }, (_, n) => ({
      id: `page ${n}`,
      text: text(n === 0 ? [] : paragraph, someWords(300)),
    }));
    const alone = { id: 'alone', text: text(paragraph) };
    const changed = { id: 'changed', text: text(paragraph.slice(0, 96), someWords(6)) };
    const other = { id: 'other', text: text(paragraph, someWords(300)) };
    const verdicts: unknown[] = [];
    for await (const verdict of index.addAll([...pages, alone, changed, other])) verdicts.push(verdict);
    const expected = [
      { id: 'alone', status: 'contained', of: 'page 1', containment: 1 },
      { id: 'changed', status: 'contained', of: 'page 1' },
      { id: 'other', status: 'new' },
    ];
    expect(verdicts.slice(-3)).toMatchObject(expected);
    expect(verdicts.slice(0, -3)).toEqual(pages.map(({ id }) => ({ id, status: 'new' })));
    await expectAgain(index, alone, 'page 1');
    await index.compact();
    await expectAgain(index, alone, 'page 1');
    await index.remove('page 1');
    await expectAgain(index, alone, 'page 2');
    await index.compact();
    await expectAgain(index, alone, 'page 2');
  }, 120_000);
});

/** Under another id, since the verdict on this one is remembered. */
async function expectAgain(index: NearIndex, { text }: { text: string }, of: string): Promise<void> {
  expect(await index.check({ id: 'again', text })).toMatchObject({ status: 'contained', of, containment: 1 });
  const [best] = await index.search({ text }, { measure: 'containment' });
  expect(best).toMatchObject({ id: of, containment: 1 });
}

it('names the document that has it whole, behind hundreds that have every sampled shingle of it', async () => {
  const index = await indexAt('memory:', { measure: 'containment' });
  const part = someWords(100);
  for (let n = 0; n < 700; n++) {
    const nearly = part.with(5 + (n % 90), 'other');
    await index.add({ id: `nearly ${n}`, text: text(nearly, someWords(400)) });
  }
  for (const id of ['whole', 'whole as well'])
    await index.add({ id, text: text(someWords(200), part, someWords(200)) });
  expect(await index.check({ id: 'part', text: text(part) })).toMatchObject({ of: 'whole', containment: 1 });
});

it('names the first of hundreds that have as much of it, whichever shingles they lack', async () => {
  const index = await indexAt('memory:', { measure: 'containment' });
  const part = someWords(200);
  for (let n = 0; n < 800; n++) {
    const start = 10 + random.below(160);
    const most = part.toSpliced(start, 20, ...someWords(20));
    await index.add({ id: `page ${n}`, text: text(most, someWords(800)) });
  }
  for (const of of ['page 0', 'page 1', 'page 2', 'page 3', 'page 4', 'page 5']) {
    const verdict = await index.check({ id: 'part', text: text(part) });
    expect(verdict).toMatchObject({ status: 'contained', of, containment: 172 / 196 });
    await index.remove(of);
  }
});

it('allows for as many missing shingles as chance may sample', () => {
  const [shingles, modulus, threshold, recall] = [400, 8, 0.8, 0.999];
  const most = mostMissing(shingles, modulus, threshold, recall);
  let past = 0;
  for (let round = 0; round < 20_000; round++) {
    let sampled = 0;
    for (let missing = 0; missing < shingles * (1 - threshold); missing++) if (random.below(modulus) === 0) sampled++;
    if (sampled > most) past++;
  }
  expect(past / 20_000).toBeLessThan((1 - recall) / 5);
  expect(most).toBeLessThan(shingles / modulus);
});
