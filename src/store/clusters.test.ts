/** What people decide about clusters lasts: a random history of an index against a model of it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DecisionVerdict } from '../decisions/decision.ts';
import { openIndex } from './open-index.ts';

type Step =
  | { readonly kind: 'add' | 'add again'; readonly family: number; readonly copy: number }
  | {
      readonly kind: 'decide';
      readonly family: number;
      readonly pair: readonly [number, number];
      readonly verdict: DecisionVerdict;
    };

const family = fc.nat(2);
const copy = fc.nat(3);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('add' as const, 'add again' as const), family, copy }),
  fc
    .record({
      kind: fc.constant('decide' as const),
      family,
      pair: fc.tuple(copy, copy),
      verdict: fc.constantFrom<DecisionVerdict>('same', 'different', 'different', 'undecided'),
    })
    .filter(({ pair: [a, b] }) => a !== b),
);

const textOf = (family: number) => Array.from({ length: 20 }, (_, at) => `f${family}w${at}`).join(' ');

/** The first that was added represents the others; a pair has what was last said of it. */
class Model {
  readonly families = new Map<number, string[]>();
  readonly #said = new Map<string, DecisionVerdict>();

  add(family: number, id: string): void {
    const members = this.families.get(family) ?? [];
    if (!members.includes(id)) this.families.set(family, [...members, id]);
  }

  say(a: string, b: string, verdict: DecisionVerdict): void {
    this.#said.set([a, b].sort().join(' '), verdict);
  }

  clusters(state: 'open' | 'decided'): string[] {
    const isDecided = (a: string, b: string) =>
      (this.#said.get([a, b].sort().join(' ')) ?? 'undecided') !== 'undecided';
    return [...this.families.values()]
      .filter(([, ...others]) => others.length > 0)
      .filter(([first, ...others]) => others.every(other => isDecided(first!, other)) === (state === 'decided'))
      .map(([first]) => first!)
      .sort();
  }
}

test('a cluster is decided until a new member comes or somebody takes it back, whatever is added again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async steps => {
      await using index = await openIndex('memory:');
      const model = new Model();
      for (const one of steps) {
        if (one.kind !== 'decide') {
          const id = `${one.family}/${one.copy}`;
          const isKnown = model.families.get(one.family)?.includes(id) ?? false;
          if (one.kind === 'add again' && !isKnown) continue;
          await index.add({ id, text: textOf(one.family) });
          model.add(one.family, id);
        } else {
          const [a, b] = one.pair.map(copy => `${one.family}/${copy}`) as [string, string];
          const known = model.families.get(one.family) ?? [];
          if (!known.includes(a) || !known.includes(b)) {
            await expect(index.decisions.add({ a, b, verdict: one.verdict })).rejects.toThrow('has no document');
            continue;
          }
          await index.decisions.add({ a, b, verdict: one.verdict });
          model.say(a, b, one.verdict);
        }
        for (const state of ['open', 'decided'] as const) {
          const { clusters, total } = await index.clusters({ state });
          expect(clusters.map(({ cluster }) => cluster).sort()).toEqual(model.clusters(state));
          expect(total).toBe(clusters.length);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('a decision about a text that was replaced no longer counts, and counts again when the text is back', async () => {
  await using index = await openIndex('memory:');
  await index.add({ id: 'a', text: textOf(1) });
  await index.add({ id: 'b', text: textOf(1) });
  await index.decisions.add({ a: 'a', b: 'b', verdict: 'different' });
  const states = async () => (await index.clusters()).clusters.map(({ state }) => state);
  expect(await states()).toEqual(['decided']);
  await index.put({ id: 'b', text: `${textOf(1)} more` });
  expect(await states()).toEqual(['open']);
  await index.put({ id: 'b', text: textOf(1) });
  expect(await states()).toEqual(['decided']);
});
