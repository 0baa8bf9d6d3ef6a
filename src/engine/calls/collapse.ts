/** A ranked list of results → the same list with near-duplicates folded under the first of them. */
import { fail } from '../../errors.ts';
import type { Document } from '../../model.ts';
import { type GivenOptions, type NameOf, type Options, plainName, readOptions, withoutAliases } from '../../options.ts';
import { agreesInAtLeast } from '../../sketch/minhash.ts';
import type { MinHashSketch } from '../../sketch/sketch.ts';
import { isSet } from '../analyse/content.ts';
import { elementsOf } from '../analyse/elements.ts';
import { type Sketcher, sketcherOf } from '../sketcher.ts';

export const collapseOptionNames = ['threshold', 'measure', 'shingle', 'normalise', 'seed', 'matches', 'of'] as const;

/** A result that stays, with those that were folded under it. */
export type Collapsed<Result extends object> = Result & { similar?: Result[] };

/** Options of `collapse`. */
export type GivenCollapseOptions<Result extends object = object> = GivenOptions<
  (typeof collapseOptionNames)[number]
> & {
  /** Has the documents of results without a text; what it was made with is the default of the options here. */
  readonly index?: ResultIndex | undefined;
  /** Told of each result that cannot be compared: it stays in its place, as it is. */
  readonly onUncompared?: ((result: Result) => void) | undefined;
};

/** What `collapse` asks an index: any index of `openIndex` will do. */
export interface ResultIndex {
  get(id: string): Promise<Document | undefined>;
  /** A document that is stored without its text counts by the one it was found to duplicate. */
  verdictOf?(id: string): Promise<{ readonly of?: string } | undefined>;
  readonly options?: Readonly<Record<string, unknown>>;
}

type CollapseOptions = Options<(typeof collapseOptionNames)[number]>;
type Content = Pick<Document, 'text' | 'set'>;
/** A result is compared by its text, its set, or the document of `index` that has its id; other fields are kept. */
type Fields = Readonly<Record<string, unknown>>;
type IsAlike = (result: Content, kept: Content) => boolean;

/**
 * Each result is compared exactly with those before it that stay; with `matches`, by so many equal minima `of` so many.
 * Those that stay get the folded ones as `similar`. A result that cannot be compared (no text or set, an id the index
 * does not know, a `similar` that is not a list) stays in its place and is given back as it is.
 *
 * @example
 * ```ts
 * const results = [{ id: 1, text: 'a b c d e' }, { id: 2, text: 'a b c d e' }];
 * const page = await collapse(results, { threshold: 0.9 });
 * page[0]?.similar?.map(({ id }) => id); // → [ 2 ]
 * ```
 */
export async function collapse<Result extends object>(
  results: Iterable<Result> | AsyncIterable<Result>,
  given: GivenCollapseOptions<Result> = {},
  nameOf: NameOf = plainName,
): Promise<Collapsed<Result>[]> {
  const { index, onUncompared, ...own } = withoutAliases(given);
  requireOneRule(own, nameOf);
  const rest = { ...madeWith(index, own), ...own };
  const isAlike = await createRule(readOptions(collapseOptionNames, rest, nameOf), nameOf);
  const stays: Collapsed<Result>[] = [];
  const compared: { readonly content: Content; readonly similar: Result[] }[] = [];
  for await (const result of results) {
    const { similar: folded = [] } = result as { readonly similar?: unknown };
    const content = Array.isArray(folded ?? []) ? await contentOf(result as Fields, index) : undefined;
    if (content === undefined) {
      onUncompared?.(result);
      stays.push(result);
      continue;
    }
    const first = compared.find(one => isSet(one.content) === isSet(content) && isAlike(content, one.content));
    if (first) {
      first.similar.push(result);
      continue;
    }
    // A list that was collapsed before keeps what was folded then.
    const similar = [...((folded ?? []) as Result[])];
    compared.push({ content, similar });
    stays.push({ ...result, similar });
  }
  return stays;
}

function madeWith({ options = {} }: Partial<ResultIndex> = {}, { matches }: GivenOptions): GivenOptions {
  const { threshold, measure, shingle, normalise } = options as GivenOptions;
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

async function createRule(options: CollapseOptions, nameOf: NameOf): Promise<IsAlike> {
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

/** Undefined when there is nothing to compare it by. */
async function contentOf({ id, text, set }: Fields, index: ResultIndex | undefined): Promise<Content | undefined> {
  if (typeof text === 'string') return { text };
  const elements = elementsOf(set);
  if (elements) return { set: elements };
  if (!index || (typeof id !== 'string' && typeof id !== 'number')) return undefined;
  const document = (await index.get(String(id))) ?? (await duplicated(String(id), index));
  if (typeof document?.text === 'string') return { text: document.text };
  return document?.set && { set: document.set };
}

async function duplicated(id: string, index: ResultIndex): Promise<Document | undefined> {
  const verdict = await index.verdictOf?.(id);
  return verdict?.of === undefined ? undefined : index.get(verdict.of);
}
