/** Documents cut into parts and put into others: what --measure containment makes of them. */
import { describe, expect, test } from 'vitest';
import { licenceTexts } from '../../../test/support/texts.ts';
import { dedup, findPairs } from '../calls/dedup.ts';

const whole = licenceTexts(60).filter(text => text.split(/\s+/).length > 400);
const wordsOf = (text: string) => text.split(/\s+/);
/** Each document, both its halves, and a frame of other words around its first 150 words. */
const planted = whole.flatMap((text, at) => {
  const words = wordsOf(text);
  const half = Math.floor(words.length / 2);
  return [
    { id: `${at} first half`, text: words.slice(0, half).join(' ') },
    { id: `${at}`, text },
    { id: `${at} second half`, text: words.slice(half).join(' ') },
  ];
});

describe('a run by containment', () => {
  test('removes every part for a whole that has it, wherever it stands in the input', async () => {
    const { kept, removed } = await dedup(planted, { measure: 'containment', threshold: 0.9 });
    expect(whole.length).toBeGreaterThan(20);
    expect(kept.filter(({ id }) => id.endsWith('half'))).toEqual([]);
    for (const { relation, containment, resemblance } of removed) {
      expect(containment).toBeGreaterThanOrEqual(0.9);
      expect(relation).toBe(resemblance! < 0.9 ? 'contained' : 'near');
    }
    expect(removed.filter(({ relation }) => relation === 'contained').length).toBeGreaterThanOrEqual(whole.length);
  });

  test('says exact of an equal text, near of one that resembles, contained of the rest', async () => {
    const words = wordsOf(whole[0]!).slice(0, 300);
    const documents = [
      { id: 'part', text: words.slice(0, 120).join(' ') },
      { id: 'near', text: words.slice(0, 290).join(' ') },
      { id: 'whole', text: words.join(' ') },
      { id: 'copy', text: words.join(' ') },
    ];
    const { kept, removed } = await dedup(documents, { measure: 'containment' });
    expect(kept.map(({ id }) => id)).toEqual(['whole']);
    expect(removed.map(({ id, relation }) => [id, relation])).toEqual([
      ['part', 'contained'],
      ['near', 'near'],
      ['copy', 'exact'],
    ]);
    expect(removed[0]).toMatchObject({ keptId: 'whole', containment: 1, cluster: 'whole' });
  });

  test('takes the larger document before what --keep says', async () => {
    const words = wordsOf(whole[1]!).slice(0, 200);
    const documents = [
      { id: 'part', text: words.slice(0, 100).join(' '), score: 9 },
      { id: 'whole', text: words.join(' '), score: 1 },
    ];
    const { kept } = await dedup(documents, { measure: 'containment', keep: 'max:score' });
    expect(kept.map(({ id }) => id)).toEqual(['whole']);
  });

  test('still removes a part for a smaller reference document that has it', async () => {
    const words = wordsOf(whole[2]!).slice(0, 300);
    const reference = [{ id: 'reference', text: words.slice(0, 200).join(' ') }];
    const documents = [{ id: 'longer', text: words.slice(0, 210).join(' ') }];
    const { kept, removed } = await dedup(documents, { measure: 'containment', protect: reference });
    expect(kept).toEqual([]);
    expect(removed[0]).toMatchObject({ id: 'longer', keptId: 'reference', relation: 'near' });
  });

  test('lists a pair when either document is in the other', async () => {
    const [a, b] = planted.slice(0, 2);
    const pairs = [];
    for await (const pair of findPairs([a!, b!], { measure: 'containment' })) pairs.push(pair);
    expect(pairs).toMatchObject([{ a: '0 first half', b: '0', containmentAB: 1 }]);
    expect(pairs[0]!.containmentBA).toBeLessThan(0.8);
  });

  test('takes a thousand and more near-copies for what they are, not for boilerplate', async () => {
    const words = wordsOf(whole[3]!).slice(0, 80);
    const documents = Array.from({ length: 1200 }, (_, at) => ({ id: `${at}`, text: [...words, `n${at}`].join(' ') }));
    for (const options of [
      { measure: 'containment' },
      { sketch: 'mod:2' },
      { sketch: 'bottom:64', cluster: 'connected' },
    ] as const)
      expect((await dedup(documents, options)).kept).toHaveLength(1);
  });

  test('estimates containment from resemblance and sizes with --verify sketch', async () => {
    const { removed } = await dedup(planted.slice(0, 3), { measure: 'containment', verify: 'sketch', threshold: 0.7 });
    expect(removed.map(({ id, keptId, relation }) => [id, keptId, relation])).toEqual([
      ['0 first half', '0', 'contained'],
      ['0 second half', '0', 'contained'],
    ]);
    expect(removed[0]!.estimatedResemblance).toBeLessThan(0.7);
  });
});
