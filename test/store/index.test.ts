/** The rules of an index, over every store: what it says of a document, and what it remembers. */
import { describe, expect, it } from 'vitest';
import { collapse } from '../../src/engine/calls/collapse.ts';
import { dedup, findPairs } from '../../src/engine/calls/dedup.ts';
import type { Document } from '../../src/model.ts';
import { openIndex } from '../../src/store/open-index.ts';
import { damagesIn, indexAt, placesWith } from '../support/indexes.ts';
import { redisForTests } from '../support/redis.ts';

const places = placesWith(redisForTests());

/** Words of a text are w0 … ; a part of them shared gives a resemblance that can be worked out by hand. */
const words = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `w${from + i}`).join(' ');
const text = (id: string, from: number, to: number): Document => ({ id, text: words(from, to) });
// Runs of one word, so that a shingle is a word; every shared minimum makes a candidate.
const options = { shingle: 'word:1', lsh: 'bands:128x1', threshold: 0.5 } as const;

describe.each(Object.keys(places))('an index in %s', place => {
  const open = (more: object = {}) => indexAt(places[place]!(), { ...options, ...more });

  it('takes any iterable of elements for a set, and closes itself when it is disposed', async () => {
    const index = await open();
    expect(await index.add({ id: 1, set: new Set(['x', 2]) })).toEqual({ id: '1', status: 'new' });
    expect(await index.add({ id: 'b', set: ['2', 'x'] })).toMatchObject({ status: 'exact', of: '1' });
    expect(await index.get(1)).toEqual({ id: '1', set: ['x', 2] });
    expect(await index.search({ set: new Set(['x', 2]) })).toMatchObject([{ id: '1', resemblance: 1 }]);
    await index[Symbol.asyncDispose]();
    await expect(index.stats()).rejects.toMatchObject({ code: 'INDEX_CLOSED' });
  });

  it('says new, exact and near, with the evidence', async () => {
    const index = await open();
    expect(await index.add(text('a', 0, 100))).toEqual({ id: 'a', status: 'new' });
    expect(await index.add(text('b', 0, 100))).toEqual({
      id: 'b',
      status: 'exact',
      of: 'a',
      resemblance: 1,
      containment: 1,
    });
    expect(await index.add(text('c', 20, 100))).toEqual({
      id: 'c',
      status: 'near',
      of: 'a',
      resemblance: 0.8,
      containment: 1,
    });
    expect(await index.add(text('d', 70, 170))).toEqual({ id: 'd', status: 'new' });
    expect(await index.stats()).toMatchObject({ documents: 2, verdicts: { new: 2, exact: 1, near: 1, contained: 0 } });
    expect(await damagesIn(index)).toEqual([]);
  });

  it('takes of a document with a text and a set the text, as dedup does', async () => {
    const documents = [
      { id: 'both', text: words(0, 50), set: ['a', 'b'] },
      { id: 'text', text: words(0, 50) },
      { id: 'set', set: ['a', 'b'] },
      { id: 'other set', text: words(1, 50), set: ['a', 'c'] },
    ];
    const index = await open();
    const verdicts = [];
    for (const document of documents) verdicts.push(await index.add(document));
    expect(verdicts.map(({ status, of }) => [status, of])).toEqual([
      ['new', undefined],
      ['exact', 'both'],
      ['new', undefined],
      ['near', 'both'],
    ]);
    expect(await index.get('both')).toEqual(documents[0]);
    const { removed } = await dedup(documents, options);
    expect(removed.map(({ id, keptId, relation }) => [id, keptId, relation])).toEqual([
      ['text', 'both', 'exact'],
      ['other set', 'both', 'near'],
    ]);
  });

  it('lets others have their turn while it is asked again and again', async () => {
    const index = await open();
    await index.add({ id: 'a', text: 'some words' });
    for (const ask of [
      () => index.check({ id: 'q', text: 'some words' }),
      () => index.search({ text: 'some words' }),
      () => index.get('a'),
    ]) {
      let isOver = false;
      setTimeout(() => {
        isOver = true;
      }, 1);
      let asked = 0;
      for (; !isOver && asked < 50_000; asked++) await ask();
      expect(isOver, `after ${asked} questions`).toBe(true);
    }
  });

  it('never takes a set for a text, as dedup does not', async () => {
    const documents = [
      { id: 'empty text', text: '' },
      { id: 'empty set', set: [] },
      { id: 'text', text: 'abc' },
      { id: 'set', set: ['abc'] },
      { id: 'empty text again', text: '' },
      { id: 'empty set again', set: [] },
      { id: 'text again', text: 'Abc' },
      { id: 'set again', set: ['abc'] },
    ];
    const wanted = [
      ['empty text again', 'empty text', 'exact'],
      ['empty set again', 'empty set', 'exact'],
      ['text again', 'text', 'near'],
      ['set again', 'set', 'exact'],
    ];
    for (const measure of ['resemblance', 'containment'] as const) {
      const given = { ...options, measure };
      const index = await open(given);
      const verdicts = [];
      for (const document of documents) verdicts.push(await index.add(document));
      expect(verdicts.flatMap(({ id, of, status }) => (of === undefined ? [] : [[id, of, status]]))).toEqual(wanted);
      expect(await index.search({ text: 'abc' })).toEqual([{ id: 'text', resemblance: 1, containment: 1 }]);
      expect(await index.search({ set: [] })).toEqual([{ id: 'empty set', resemblance: 1, containment: 1 }]);
      await expect(index.add({ id: 'empty text', set: [] })).rejects.toMatchObject({ code: 'ID_TAKEN' });
      expect(await damagesIn(index)).toEqual([]);
      for (const cluster of ['direct', 'connected'] as const) {
        const { removed } = await dedup(documents, { ...given, cluster });
        expect(removed.map(({ id, keptId, relation }) => [id, keptId, relation]).sort()).toEqual(wanted.toSorted());
      }
    }
    const pairs: string[][] = [];
    for await (const { a, b } of findPairs(documents, { shingle: 'word:1', threshold: 0.5, exact: true }))
      pairs.push([b, a]);
    expect(pairs).toEqual([
      ['empty text again', 'empty text'],
      ['empty set again', 'empty set'],
      ['text again', 'text'],
      ['set again', 'set'],
    ]);
    expect((await collapse(documents, { shingle: 'word:1' })).map(({ id }) => id)).toEqual(
      documents.slice(0, 4).map(({ id }) => id),
    );
  });

  it('names the most similar stored document, and of equals the one added first', async () => {
    const index = await open({ store: 'all' });
    await index.add(text('first', 0, 90));
    await index.add(text('second', 10, 100));
    await index.add(text('best', 5, 98));
    expect(await index.add(text('query', 5, 97))).toMatchObject({ status: 'near', of: 'best' });
    const tied = await open({ store: 'all' });
    await tied.add(text('first', 0, 90));
    await tied.add(text('second', 10, 100));
    expect(await tied.add(text('query', 5, 95))).toMatchObject({ of: 'first', resemblance: 85 / 95 });
  });

  it('gives a known id its first verdict again, and refuses another text for it', async () => {
    const index = await open();
    await index.add(text('a', 0, 100));
    const near = await index.add(text('b', 10, 100));
    await index.add(text('c', 11, 100));
    expect(await index.add(text('b', 10, 100))).toEqual(near);
    expect(await index.add(text('a', 0, 100))).toEqual({ id: 'a', status: 'new' });
    await expect(index.add(text('a', 0, 99))).rejects.toMatchObject({ code: 'ID_TAKEN' });
    await expect(index.add(text('b', 0, 100))).rejects.toMatchObject({ code: 'ID_TAKEN' });
    await expect(index.check(text('b', 0, 100))).rejects.toMatchObject({ code: 'ID_TAKEN' });
    expect(await index.stats()).toMatchObject({ documents: 1, verdicts: { new: 1, near: 2 } });
  });

  it('checks without remembering', async () => {
    const index = await open();
    await index.add(text('a', 0, 100));
    expect(await index.check(text('b', 10, 100))).toEqual({
      id: 'b',
      status: 'near',
      of: 'a',
      resemblance: 0.9,
      containment: 1,
    });
    expect(await index.check(text('c', 500, 600))).toEqual({ id: 'c', status: 'new' });
    expect(await index.verdictOf('b')).toBeUndefined();
    expect(await index.add(text('b', 700, 800))).toMatchObject({ status: 'new' });
  });

  it('stores what is new, all, or nothing, and remembers the verdict of the rest', async () => {
    for (const [store, stored] of [
      ['new', ['a', undefined]],
      ['all', ['a', 'b']],
      ['none', [undefined, undefined]],
    ] as const) {
      const index = await open({ store });
      await index.add(text('a', 0, 100));
      const second = await index.add(text('b', 10, 100));
      expect(second.status).toBe(store === 'none' ? 'new' : 'near');
      expect([(await index.get('a'))?.id, (await index.get('b'))?.id]).toEqual(stored);
      expect(await index.verdictOf('b')).toEqual(second);
    }
    const index = await open();
    await index.add(text('a', 0, 100), { store: 'none' });
    expect(await index.get('a')).toBeUndefined();
  });

  it('returns documents as they came, whatever their fields', async () => {
    const index = await open({ store: 'all' });
    const documents: Document[] = [
      { id: 'plain', text: 'one two three' },
      { url: 'x', id: 'fields', tags: ['a', { b: null }], text: 'four five six ', n: 1.5 },
      { id: 'set', set: ['red', 7, 'blue'], extra: true },
      { id: 'empty', text: '' },
      { id: 'empty with field', text: '', lang: 'en' },
      { id: 'half a pair', text: `seven \ud800 eight` },
      { id: 'ünïcode 漢字', text: 'Ünïcödé 漢字かな 🎉'.repeat(50) },
      { id: 'both', text: 'nine ten', set: ['not used'] },
    ];
    for (const document of documents) await index.add(document);
    for (const document of documents) {
      const found = await index.get(document.id);
      expect(found).toEqual(document);
      expect(JSON.stringify(found)).toBe(JSON.stringify(document));
    }
    expect(await index.get('nobody')).toBeUndefined();
    expect(await damagesIn(index)).toEqual([]);
  });

  it('finds documents without words equal, never near', async () => {
    const index = await open();
    expect(await index.add({ id: 'dots', text: '...' })).toMatchObject({ status: 'new' });
    expect(await index.add({ id: 'dashes', text: '---' })).toMatchObject({ status: 'new' });
    expect(await index.add({ id: 'more dots', text: '...' })).toMatchObject({ status: 'exact', of: 'dots' });
    expect(await index.search({ text: '...' })).toEqual([{ id: 'dots', resemblance: 1, containment: 1 }]);
  });

  it('says contained only when it was made for containment', async () => {
    const part = text('part', 0, 70);
    const whole = text('whole', 0, 1000);
    const plain = await open();
    await plain.add(whole);
    expect(await plain.add(part)).toEqual({ id: 'part', status: 'new' });
    const index = await open({ measure: 'containment' });
    await index.add(whole);
    await index.add(text('larger', 0, 1010), { store: 'all' });
    expect(await index.add(part)).toEqual({
      id: 'part',
      status: 'contained',
      of: 'whole',
      resemblance: 0.07,
      containment: 1,
    });
    expect(await index.search({ text: part.text! })).toEqual([
      { id: 'whole', resemblance: 0.07, containment: 1 },
      { id: 'larger', resemblance: 70 / 1010, containment: 1 },
    ]);
    expect(await damagesIn(index)).toEqual([]);
  });

  it('near wins over contained', async () => {
    const index = await open({ measure: 'containment', threshold: 0.8 });
    await index.add(text('whole', 0, 1000));
    await index.add(text('alike', 90, 200), { store: 'all' });
    expect(await index.add(text('query', 100, 200))).toMatchObject({ status: 'near', of: 'alike' });
  });

  it('replaces with put, and forgets the verdicts that rested on the old text', async () => {
    const index = await open();
    await index.add(text('a', 0, 100));
    await index.add(text('b', 10, 100));
    expect(await index.put(text('a', 200, 300))).toEqual({ id: 'a', status: 'new' });
    expect((await index.get('a'))?.text).toBe(words(200, 300));
    expect(await index.verdictOf('b')).toBeUndefined();
    expect(await index.add(text('b', 10, 100))).toEqual({ id: 'b', status: 'new' });
    expect(await index.put(text('a', 11, 100))).toMatchObject({ status: 'near', of: 'b' });
    expect(await index.get('a')).toBeUndefined();
    expect(await index.put(text('c', 0, 5))).toEqual({ id: 'c', status: 'new' });
    expect(await index.stats()).toMatchObject({ documents: 2, verdicts: { new: 2, near: 1 } });
    expect(await damagesIn(index)).toEqual([]);
  });

  it('puts other fields to the same text without another verdict', async () => {
    const index = await open({ store: 'all' });
    await index.add(text('a', 0, 100));
    const verdict = await index.add({ ...text('b', 10, 100), lang: 'en' });
    expect(await index.put({ ...text('b', 10, 100), lang: 'de' })).toEqual(verdict);
    expect(await index.get('b')).toEqual({ ...text('b', 10, 100), lang: 'de' });
    expect(await index.cluster('a')).toMatchObject({ members: ['a', 'b'] });
    expect(await damagesIn(index)).toEqual([]);
  });

  it('removes a document with the verdicts that rest on it', async () => {
    const index = await open();
    await index.add(text('a', 0, 100));
    await index.add(text('b', 10, 100));
    await index.add(text('c', 11, 100));
    expect(await index.remove('b')).toBe(true);
    expect(await index.remove('b')).toBe(false);
    expect(await index.verdictOf('c')).toMatchObject({ of: 'a' });
    expect(await index.remove('a')).toBe(true);
    expect(await index.verdictOf('c')).toBeUndefined();
    expect(await index.stats()).toMatchObject({
      documents: 0,
      verdicts: { new: 0, exact: 0, near: 0, contained: 0 },
    });
    expect(await index.add(text('c', 11, 100))).toEqual({ id: 'c', status: 'new' });
    expect(await damagesIn(index)).toEqual([]);
  });

  it('lets stored documents stand for themselves when what they resembled is removed', async () => {
    const index = await open({ store: 'all' });
    await index.add(text('a', 0, 100));
    await index.add(text('b', 10, 100));
    await index.remove('a');
    expect(await index.verdictOf('b')).toEqual({ id: 'b', status: 'new' });
    expect(await index.get('b')).toEqual(text('b', 10, 100));
    expect(await index.stats()).toMatchObject({ documents: 1, verdicts: { new: 1, near: 0 } });
    expect(await damagesIn(index)).toEqual([]);
  });

  it('searches by text, set and id, best first, itself left out', async () => {
    const index = await open({ store: 'all' });
    await index.add(text('a', 0, 100));
    await index.add(text('b', 10, 100));
    await index.add(text('c', 40, 100));
    await index.add(text('d', 1000, 1100));
    const found = await index.search({ text: words(0, 99) });
    expect(found).toEqual([
      { id: 'a', resemblance: 0.99, containment: 1 },
      { id: 'b', resemblance: 89 / 100, containment: 89 / 99 },
      { id: 'c', resemblance: 59 / 100, containment: 59 / 99 },
    ]);
    expect((await index.search({ text: words(0, 99) }, { limit: 1 })).map(({ id }) => id)).toEqual(['a']);
    expect((await index.search({ text: words(0, 99) }, { threshold: 0.8 })).map(({ id }) => id)).toEqual(['a', 'b']);
    expect((await index.search({ id: 'b' })).map(({ id }) => id)).toEqual(['a', 'c']);
    await expect(index.search({ id: 'nobody' })).rejects.toMatchObject({ code: 'UNKNOWN_ID' });
    await expect(index.search({ text: 'x' }, { measure: 'containment' })).rejects.toMatchObject({
      code: 'BAD_COMBINATION',
    });
    const sets = await open();
    await sets.add({ id: 's', set: ['a', 'b', 'c', 4] });
    expect(await sets.search({ set: ['a', 'b', '4'] })).toEqual([{ id: 's', resemblance: 0.75, containment: 1 }]);
  });

  it('lists clusters in pages', async () => {
    const index = await open();
    for (let i = 0; i < 5; i++) await index.add(text(`r${i}`, i * 1000, i * 1000 + 100));
    for (let i = 4; i >= 1; i--)
      for (let copy = 0; copy < i; copy++) await index.add(text(`r${i}.${copy}`, i * 1000 + copy + 1, i * 1000 + 100));
    const { clusters, next } = await index.clusters({ limit: 3 });
    expect(clusters[0]).toEqual({
      cluster: 'r1',
      size: 2,
      representative: 'r1',
      members: ['r1', 'r1.0'],
      minResemblance: 0.99,
      state: 'open',
      stored: ['r1'],
    });
    expect(clusters.map(({ size }) => size)).toEqual([2, 3, 4]);
    expect(await index.clusters({ cursor: next! })).toEqual({ clusters: [await index.cluster('r4')], total: 4 });
    expect((await index.clusters({ minSize: 4 })).clusters.map(({ cluster }) => cluster)).toEqual(['r3', 'r4']);
    expect((await index.cluster('r2.1'))?.cluster).toBe('r2');
    expect(await index.cluster('r0')).toBeUndefined();
  });

  it('gives one of two documents added at the same time as new', async () => {
    const index = await open();
    const same = await Promise.all(Array.from({ length: 20 }, () => index.add(text('same', 0, 50))));
    expect(new Set(same.map(({ status }) => status))).toEqual(new Set(['new']));
    const equal = await Promise.all(Array.from({ length: 20 }, (_, i) => index.add(text(`copy${i}`, 100, 150))));
    expect(equal.filter(({ status }) => status === 'new')).toHaveLength(1);
    expect(equal.filter(({ status, of }) => status === 'exact' && of === 'copy0')).toHaveLength(19);
  });

  it('lets each operation of a batch see those before it', async () => {
    const index = await open();
    const outcomes = await Promise.all([
      index.add(text('a', 0, 100)),
      index.add(text('b', 10, 100)),
      index.remove('a'),
      index.add(text('c', 12, 100)),
      index.put(text('c', 500, 600)),
      index.add(text('d', 0, 100)),
      index.add(text('e', 501, 600)),
      index.remove('c'),
      index.verdictOf('e'),
    ]);
    expect(outcomes.slice(0, 8)).toMatchObject([
      { status: 'new' },
      { status: 'near', of: 'a' },
      true,
      { status: 'new' },
      { status: 'new' },
      { status: 'new' },
      { status: 'near', of: 'c' },
      true,
    ]);
    expect(await index.verdictOf('e')).toBeUndefined();
    expect(await damagesIn(index)).toEqual([]);
  });

  it('decides by what is there when an earlier operation of the batch removes what it duplicates', async () => {
    const index = await open({ store: 'all' });
    await index.add(text('a', 0, 100));
    await index.add(text('b', 10, 100));
    const [, verdict] = await Promise.all([index.remove('a'), index.add(text('c', 0, 100))]);
    expect(verdict).toMatchObject({ status: 'near', of: 'b' });
  });

  it('adds a stream in order, and goes on after a document that cannot be added', async () => {
    const index = await open();
    const stream = async function* (): AsyncGenerator<Document> {
      for (let i = 0; i < 1000; i++) yield text(`d${i}`, i * 10, i * 10 + (i % 2) + 10);
      yield text('d0', 5, 9);
      yield { id: 'none' };
      yield text('last', 90_000, 90_010);
    };
    const outcomes = [];
    for await (const outcome of index.addAll(stream())) outcomes.push(outcome);
    expect(outcomes).toHaveLength(1003);
    expect(outcomes.map(({ id }) => id).slice(0, 3)).toEqual(['d0', 'd1', 'd2']);
    expect(outcomes[1000]).toMatchObject({ id: 'd0', error: { code: 'ID_TAKEN' } });
    expect(outcomes[1001]).toMatchObject({ id: 'none', error: { code: 'BAD_DOCUMENT' } });
    expect(outcomes[1002]).toMatchObject({ id: 'last', status: 'new' });
  });

  it('takes a number for the id it is written as', async () => {
    const index = await indexAt(places[place]!());
    await index.add({ id: 7, text: words(0, 40) } as never);
    expect((await index.get(7))?.id).toBe('7');
    expect((await index.verdictOf(7))?.status).toBe('new');
    expect(await index.search({ id: 7 })).toEqual([]);
    expect(await index.remove(7)).toBe(true);
  });

  it('tells what is decided while it waits for the next document', async () => {
    const index = await indexAt(places[place]!());
    let goOn!: () => void;
    const pause = new Promise<void>(resolve => {
      goOn = resolve;
    });
    const documents = async function* () {
      yield { id: 'a', text: words(0, 40) };
      await pause;
      yield { id: 'b', text: words(50, 90) };
    };
    const ids: string[] = [];
    for await (const { id } of index.addAll(documents())) {
      ids.push(id!);
      goOn();
    }
    expect(ids).toEqual(['a', 'b']);
  });

  it('refuses what it does not know: a policy, a cursor, a query without anything', async () => {
    const index = await indexAt(places[place]!());
    const wrong = { code: 'BAD_OPTION' };
    await expect(index.add({ id: 'a', text: 'x' }, { store: 'some' as never })).rejects.toMatchObject(wrong);
    await expect(index.clusters({ cursor: 'zzz' })).rejects.toMatchObject(wrong);
    await expect(index.clusters({ limit: -3 })).rejects.toMatchObject(wrong);
    await expect(index.search({})).rejects.toMatchObject({ code: 'BAD_DOCUMENT' });
    await expect(index.add({ id: Number.NaN, text: 'x' } as never)).rejects.toMatchObject({ code: 'BAD_DOCUMENT' });
  });

  it('refuses a document that has no JSON, and leaves those added with it alone', async () => {
    const index = await indexAt(places[place]!());
    const cyclic: Record<string, unknown> = { id: 'cyclic', text: words(0, 40) };
    cyclic.itself = cyclic;
    const [a, refused, b] = await Promise.allSettled(
      [{ id: 'a', text: words(50, 90) }, cyclic, { id: 'b', text: words(100, 140) }].map(one =>
        index.add(one as never),
      ),
    );
    expect([a, b]).toMatchObject([{ value: { status: 'new' } }, { value: { status: 'new' } }]);
    expect(refused).toMatchObject({ reason: { code: 'BAD_DOCUMENT' } });
  });

  it('refuses documents without an id, text or set', async () => {
    const index = await open();
    for (const bad of [
      {},
      { id: 'x' },
      { id: '', text: 'a' },
      { id: 'x', text: 7 },
      'text',
      { id: '\ud800', text: '' },
    ])
      await expect(index.add(bad as never)).rejects.toMatchObject({ code: 'BAD_DOCUMENT' });
    expect(await index.add({ id: 7 as never, text: 'a' })).toMatchObject({ id: '7' });
    await index.close();
    await expect(index.add(text('a', 0, 1))).rejects.toMatchObject({ code: 'INDEX_CLOSED' });
  });
});

it.each([undefined, null, 7, '', ['memory:'], ':memory:', 'memory://', 'Memory:'])(
  'refuses %j as the place of an index, in one line',
  async location => {
    await expect(openIndex(location as never)).rejects.toMatchObject({
      code: 'BAD_OPTION',
      message: expect.stringMatching(/^location must be a folder, 'memory:' or 'redis:\/\/host:port', got [^\n]+$/),
    });
  },
);

it('copies no index in memory, and says why', async () => {
  const index = await indexAt('memory:');
  await expect(index.backup('copy')).rejects.toMatchObject({ code: 'CANNOT_WRITE' });
});
