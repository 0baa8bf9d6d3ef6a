/** Random operations on an index → what a plain list with exact sets would say, over every store, and after opening again. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/store/record.ts';
import { createModel, type Model } from '../support/index-model.ts';
import { damagesIn, openAt, placesWith, smallCrowds } from '../support/indexes.ts';
import { redisForTests } from '../support/redis.ts';

const places = placesWith(redisForTests());

const THRESHOLD = 0.5;
/** Every shared minimum makes a candidate: at the threshold a pair is missed with probability 2⁻¹²⁸. */
const options = { shingle: 'word:1', lsh: 'bands:128x1', threshold: THRESHOLD } as const;

/** Few ids and few words, so that everything meets everything. */
const id = fc.integer({ min: 0, max: 11 }).map(n => `d${n}`);
const text = fc
  .record({
    topic: fc.integer({ min: 0, max: 2 }),
    words: fc.uniqueArray(fc.integer({ min: 0, max: 7 }), { maxLength: 8 }),
  })
  .map(({ topic, words }) => words.map(word => `t${topic}w${word}`).join(' '));
const store = fc.constantFrom('new', 'new', 'all', 'none');

const operation = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('add' as const), id, text, store }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('put' as const), id, text, store }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), id }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('check' as const), id, text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('search' as const), text }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'clusters' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reopen' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'compact' as const }) },
);
/** Who shares a key with so many is found by its rare elements; with 100, nobody is. */
const crowds = fc
  .record({ crowdedFrom: fc.constantFrom(1, 2, 3, 100), commonFrom: fc.constantFrom(1, 2) })
  .map(({ crowdedFrom, commonFrom }) => smallCrowds(crowdedFrom, commonFrom));
type Operation = typeof operation extends fc.Arbitrary<infer One> ? One : never;

type Index = Awaited<ReturnType<typeof openAt>>;

async function compareStep(index: Index, model: Model, step: Operation): Promise<void> {
  switch (step.kind) {
    case 'add':
    case 'put': {
      const document = { id: step.id, text: step.text };
      const settings = { store: step.store } as never;
      const said = await index[step.kind](document, settings).catch((error: { code: string }) => error.code);
      expect(said).toEqual(model[step.kind](step.id, step.text, step.store));
      break;
    }
    case 'check': {
      const said = await index.check({ id: step.id, text: step.text }).catch((error: { code: string }) => error.code);
      expect(said).toEqual(model.check(step.id, step.text));
      break;
    }
    case 'remove':
      expect(await index.remove(step.id)).toBe(model.remove(step.id));
      break;
    case 'search':
      expect(await index.search({ text: step.text }, { limit: 100 })).toEqual(model.search(step.text));
      break;
    case 'clusters':
      expect((await index.clusters()).clusters).toEqual(model.clusters());
      break;
    case 'compact':
      await index.compact();
  }
}

async function compareWhole(index: Index, model: Model): Promise<void> {
  expect(await damagesIn(index)).toEqual([]);
  expect((await index.stats()).verdicts).toEqual(model.counts());
  for (let n = 0; n <= 11; n++) {
    expect(await index.verdictOf(`d${n}`)).toEqual(model.verdictOf(`d${n}`) as Verdict | undefined);
    expect((await index.get(`d${n}`))?.text).toBe(model.textOf(`d${n}`));
  }
}

describe.each(Object.keys(places))('random operations on an index in %s', place => {
  it('give what a plain list gives', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 40 }), crowds, async (steps, limits) => {
        const location = places[place]!();
        const model = createModel(THRESHOLD);
        let index = await openAt(location, options, limits);
        try {
          for (const step of steps) {
            if (step.kind === 'reopen' && place !== 'memory') {
              await index.close();
              index = await openAt(location, {}, limits);
            } else await compareStep(index, model, step);
          }
          await compareWhole(index, model);
        } finally {
          await index.close();
        }
      }),
      { seed: 1, numRuns: Number(process.env.NEARDUP_MODEL_RUNS ?? 40) },
    );
  }, 300_000);

  it('give the same when many are under way at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 10, maxLength: 60 }), crowds, async (steps, limits) => {
        const index = await openAt(places[place]!(), options, limits);
        const model = createModel(THRESHOLD);
        try {
          const changes = steps.filter(step => step.kind === 'add' || step.kind === 'put' || step.kind === 'remove');
          const said = await Promise.all(
            changes.map(step =>
              (step.kind === 'remove'
                ? index.remove(step.id)
                : index[step.kind]({ id: step.id, text: step.text }, { store: step.store as never })
              ).catch((error: { code: string }) => error.code),
            ),
          );
          const wanted = changes.map(step =>
            step.kind === 'remove' ? model.remove(step.id) : model[step.kind](step.id, step.text, step.store),
          );
          expect(said).toEqual(wanted);
          await compareWhole(index, model);
        } finally {
          await index.close();
        }
      }),
      { seed: 2, numRuns: Number(process.env.NEARDUP_MODEL_RUNS ?? 40) },
    );
  }, 300_000);
});
