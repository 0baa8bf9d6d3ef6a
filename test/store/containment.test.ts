/** An index made for containment finds parts of stored documents, boilerplate or not. */
import { expect, it } from 'vitest';
import { createRandom } from '../../bench/random.ts';
import { mostMissing } from '../../src/engine/candidate-keys.ts';
import { indexAt } from '../support/indexes.ts';

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
