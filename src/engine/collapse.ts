/** A ranked list of results → the same list with near-duplicates folded under the first of them. */
import { fail } from '../errors.ts';
import type { Document } from '../model.ts';
import { type GivenOptions, type NameOf, type Options, plainName, readOptions, withoutAliases } from '../options.ts';
import { agreesInAtLeast } from '../sketch/minhash.ts';
import type { MinHashSketch } from '../sketch/sketch.ts';
import { isSet } from './content.ts';
import { createSketcher, type Sketcher } from './sketcher.ts';

export const collapseOptionNames = ['threshold', 'measure', 'shingle', 'normalise', 'seed', 'matches', 'of'] as const;

/** A result has a text, a set, or an id whose document `index` has; other fields are kept. */
export type CollapseResult = Readonly<Record<string, unknown>>;

export type GivenCollapseOptions = GivenOptions<(typeof collapseOptionNames)[number]> & {
  /** Has the documents of results without a text; what it was made with is the default of the options here. */
  readonly index?: ResultIndex;
};

interface ResultIndex {
  get(id: string): Promise<Document | undefined>;
  /** A document that is stored without its text counts by the one it was found to duplicate. */
  verdictOf?(id: string): Promise<{ readonly of?: string } | undefined>;
  readonly options?: Readonly<Record<string, unknown>>;
}

type CollapseOptions = Options<(typeof collapseOptionNames)[number]>;
type Content = Pick<Document, 'text' | 'set'>;
type IsAlike = (result: Content, kept: Content) => boolean;

/** Each result is compared exactly with those before it that stay; with `matches`, by so many equal minima `of` so many. */
export async function collapse<Result extends CollapseResult>(
  results: Iterable<Result> | AsyncIterable<Result>,
  given: GivenCollapseOptions = {},
  nameOf: NameOf = plainName,
): Promise<(Result & { similar: Result[] })[]> {
  const { index, ...own } = withoutAliases(given);
  requireOneRule(own, nameOf);
  const rest = { ...madeWith(index, own), ...own };
  const isAlike = await createRule(readOptions(collapseOptionNames, rest, nameOf), rest, nameOf);
  const kept: { readonly content: Content; readonly result: Result & { similar: Result[] } }[] = [];
  for await (const result of results) {
    const content = await contentOf(result, index);
    const first = kept.find(one => isSet(one.content) === isSet(content) && isAlike(content, one.content));
    if (first) first.result.similar.push(result);
    else kept.push({ content, result: { ...result, similar: foldedBefore(result) } });
  }
  return kept.map(({ result }) => result);
}

/** A list that was collapsed before keeps what was folded then. */
function foldedBefore<Result extends CollapseResult>({ id, similar = [] }: Result): Result[] {
  if (Array.isArray(similar)) return [...similar];
  return fail('BAD_DOCUMENT', {
    ...(typeof id === 'string' && { id }),
    reason: 'it has a field similar that is not a list, and folded results go there',
  });
}

function madeWith({ options = {} }: Partial<ResultIndex> = {}, { matches }: GivenOptions): GivenOptions {
  const { threshold, measure, shingle, normalise } = options;
  return { shingle, normalise, ...(matches === undefined && { threshold, measure }) };
}

function requireOneRule({ matches, of, threshold, measure }: GivenOptions, nameOf: NameOf): void {
  const refuse = (what: string, why: string) => fail('BAD_COMBINATION', { what, why });
  const why = 'there is one rule at a time';
  if (matches === undefined && of !== undefined)
    refuse(`${nameOf('of')} without ${nameOf('matches')}`, 'it says out of how many');
  if (matches !== undefined && threshold !== undefined) refuse(`${nameOf('matches')} with ${nameOf('threshold')}`, why);
  if (matches !== undefined && measure !== undefined) refuse(`${nameOf('matches')} with ${nameOf('measure')}`, why);
}

async function createRule(options: CollapseOptions, given: GivenOptions, nameOf: NameOf): Promise<IsAlike> {
  const { measure, threshold, matches, of = 100 } = options;
  if (measure === 'edit')
    fail('BAD_COMBINATION', {
      what: `${nameOf('measure')} edit`,
      why: 'results are folded by resemblance or containment',
    });
  if (matches === 0)
    fail('BAD_OPTION', { option: nameOf('matches'), expected: 'at least 1, as 0 would fold everything', got: 0 });
  if (matches !== undefined && matches > of)
    fail('BAD_OPTION', { option: nameOf('matches'), expected: `at most ${nameOf('of')} (${of})`, got: matches });
  const { shingle, normalise, seed } = given;
  const sketcher = await createSketcher({ shingle, normalise, seed, sketch: `minhash:${of}` }, nameOf);
  const byContent = remembered(content => sketcher.set(content));
  const isEqual: IsAlike = (a, b) => isSameContent(a, b, sketcher);
  if (matches !== undefined) {
    const bySketch = remembered(content => sketcher.sketch(content) as MinHashSketch);
    return (a, b) => isEqual(a, b) || agreesInAtLeast(bySketch(a), bySketch(b), matches);
  }
  return (a, b) => {
    if (isEqual(a, b)) return true;
    const { resemblance, containmentAB } = sketcher.compare(byContent(a), byContent(b));
    return (measure === 'containment' ? containmentAB : resemblance) >= threshold;
  };
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

async function contentOf(result: CollapseResult, index: GivenCollapseOptions['index']): Promise<Content> {
  const { id, text, set } = result;
  if (typeof text === 'string') return { text };
  if (Array.isArray(set)) return { set };
  if (index && (typeof id === 'string' || typeof id === 'number')) {
    const document = (await index.get(String(id))) ?? (await duplicated(String(id), index));
    if (typeof document?.text === 'string') return { text: document.text };
    if (document?.set) return { set: document.set };
    return fail('UNKNOWN_ID', { id: String(id) });
  }
  return fail('BAD_DOCUMENT', {
    ...(typeof id === 'string' && { id }),
    reason: 'a result has a text, a set, or the id of a document of an index',
  });
}

async function duplicated(id: string, index: ResultIndex): Promise<Document | undefined> {
  const verdict = await index.verdictOf?.(id);
  return verdict?.of === undefined ? undefined : index.get(verdict.of);
}
