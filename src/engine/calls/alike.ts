/** The rule of `collapse` → which results may be alike, missing none, and whether two of them are. */
import type { Steps } from '../../cluster/steps.ts';
import { fail } from '../../errors.ts';
import type { Document } from '../../model.ts';
import type { NameOf, Options } from '../../options.ts';
import { agreesInAtLeast } from '../../sketch/minhash.ts';
import { isEmpty, type MinHashSketch } from '../../sketch/sketch.ts';
import { isSet } from '../analyse/content.ts';
import { exactCandidates } from '../decide/exact-candidates.ts';
import type { VisitCandidates } from '../decide/visit-candidates.ts';
import { type Sketcher, sketcherOf } from '../sketcher.ts';

export const collapseOptionNames = ['threshold', 'measure', 'shingle', 'normalise', 'seed', 'matches', 'of'] as const;

export type Content = Pick<Document, 'text' | 'set'>;

export interface AlikeRule {
  isAlike(result: Content, kept: Content): boolean;
  /** By their positions in the list; a text and a set are never candidates. */
  candidates(contents: readonly Content[]): Steps<VisitCandidates>;
}

export async function createAlikeRule(
  options: Options<(typeof collapseOptionNames)[number]>,
  nameOf: NameOf,
): Promise<AlikeRule> {
  const { measure, threshold, matches, of = 100, shingle, normalise, seed } = options;
  if (measure === 'edit')
    fail('BAD_COMBINATION', {
      what: `${nameOf('measure')} edit`,
      why: 'results are folded by resemblance or containment',
    });
  if (matches === 0)
    fail('BAD_OPTION', { option: nameOf('matches'), expected: 'at least 1, as 0 would fold everything', got: 0 });
  if (matches !== undefined && matches > of)
    fail('BAD_OPTION', { option: nameOf('matches'), expected: `at most ${nameOf('of')} (${of})`, got: matches });
  const sketcher = await sketcherOf({ shingle, normalise, seed, sketch: { kind: 'minhash', size: of } });
  const setOf = remembered(content => sketcher.set(content));
  const isEqual = (a: Content, b: Content) => isSameContent(a, b, sketcher);
  if (matches !== undefined) {
    const sketchOf = remembered(content => sketcher.sketch(content) as MinHashSketch);
    return {
      isAlike: (a, b) => isEqual(a, b) || agreesInAtLeast(sketchOf(a), sketchOf(b), matches),
      candidates: contents => sketchCandidates(contents, sketchOf, of - matches + 1),
    };
  }
  return {
    isAlike(a, b) {
      if (isEqual(a, b)) return true;
      const { resemblance, containmentAB } = sketcher.compare(setOf(a), setOf(b));
      return (measure === 'containment' ? containmentAB : resemblance) >= threshold;
    },
    *candidates(contents) {
      const compared = {
        contents: yield* equalNumbers(contents),
        groups: Uint32Array.from(contents, content => Number(isSet(content))),
        setOf: (item: number) => setOf(contents[item]!),
      };
      return yield* exactCandidates(compared, { measure, threshold });
    },
  };
}

/** Two sketches that differ in fewer minima than are looked at agree in one of those. */
function* sketchCandidates(
  contents: readonly Content[],
  sketchOf: (content: Content) => MinHashSketch,
  looked: number,
): Steps<VisitCandidates> {
  const having = new Map<string | number, number[]>();
  const equal = yield* equalNumbers(contents);
  const keysOf = (item: number) => {
    const sketch = sketchOf(contents[item]!);
    const kind = isSet(contents[item]!) ? looked : 0;
    const minima = isEmpty(sketch) ? [] : Array.from(sketch.values.subarray(0, looked));
    return [`equal ${equal[item]}`, ...minima.map((minimum, at) => (kind + at) * 2 ** 32 + minimum)];
  };
  for (let item = 0; item < contents.length; item++) {
    for (const key of keysOf(item)) {
      const items = having.get(key);
      if (items) items.push(item);
      else having.set(key, [item]);
    }
    yield;
  }
  return (item, see) => {
    for (const key of keysOf(item)) having.get(key)!.forEach(see);
  };
}

/** Equal texts have equal numbers, and so have sets without elements; equal sets of some are found as similar ones are. */
function* equalNumbers(contents: readonly Content[]): Steps<Uint32Array> {
  const known = new Map<string | undefined, number>();
  const numbers = Uint32Array.from(contents.keys());
  for (const [item, { text, set }] of contents.entries()) {
    yield;
    if (text === undefined && set!.length > 0) continue;
    numbers[item] = known.get(text) ?? item;
    known.set(text, numbers[item]!);
  }
  return numbers;
}

/** Texts without words resemble nothing, and may be equal. */
function isSameContent(a: Content, b: Content, { kernel }: Sketcher): boolean {
  if (a.text !== undefined || b.text !== undefined) return a.text === b.text;
  const [setA, setB] = [kernel.elementSet(a.set ?? []), kernel.elementSet(b.set ?? [])];
  return setA.length === setB.length && kernel.intersectionSize(setA, setB) === setA.length;
}

function remembered<Value>(make: (content: Content) => Value): (content: Content) => Value {
  const values = new WeakMap<Content, { readonly value: Value }>();
  return content => {
    const known = values.get(content) ?? { value: make(content) };
    values.set(content, known);
    return known.value;
  };
}
