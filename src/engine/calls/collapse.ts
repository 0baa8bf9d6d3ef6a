/** A ranked list of results → the same list with near-duplicates folded under the first of them. */
import { fail } from '../../errors.ts';
import type { Document } from '../../model.ts';
import { type GivenOptions, type NameOf, plainName, readOptions, withoutAliases } from '../../options.ts';
import { elementsOf } from '../analyse/elements.ts';
import { type CallSettings, Pace } from '../pace.ts';
import { type AlikeRule, type Content, collapseOptionNames, createAlikeRule } from './alike.ts';

/** A result that stays, with those that were folded under it. */
export type Collapsed<Result extends object> = Result & { similar?: Result[] };

/** Options of `collapse`. */
export type GivenCollapseOptions<Result extends object = object> = GivenOptions<(typeof collapseOptionNames)[number]> &
  CallSettings & {
    /** An index with the documents of results that have no text. Its options are the defaults of the options here. */
    readonly index?: ResultIndex | undefined;
    /** Called with each result that cannot be compared. It stays in its position, unchanged. */
    readonly onUncompared?: ((result: Result) => void) | undefined;
  };

/** What `collapse` needs of an index. Every index of `openIndex` has it. */
export interface ResultIndex {
  get(id: string): Promise<Document | undefined>;
  /** A document that is stored without its text is compared by the text of the one it duplicates. */
  verdictOf?(id: string): Promise<{ readonly of?: string } | undefined>;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** A result is compared by its text, its set, or the document of `index` that has its id; other fields are kept. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * Folds near-duplicates in a ranked list under the first of them. Each result is compared exactly with the results before it
 * that stay; with `matches` and `of`, by the number of equal minima. Results that stay get the folded ones as `similar`. A result
 * that cannot be compared (no text or set, an id the index does not know, a `similar` that is not a list) stays unchanged.
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
  const { index, onUncompared, signal, onProgress, ...own } = withoutAliases(given);
  const pace = new Pace({ signal, onProgress });
  requireOneRule(own, nameOf);
  const rest = { ...madeWith(index, own), ...own };
  const rule = await createAlikeRule(readOptions(collapseOptionNames, rest, nameOf), nameOf);
  const stays: (Collapsed<Result> | undefined)[] = [];
  /** Where the results that can be compared stand among all. */
  const positions: number[] = [];
  const contents: Content[] = [];
  for await (const result of results) {
    const { similar: folded = [] } = result as { readonly similar?: unknown };
    const content = Array.isArray(folded ?? []) ? await contentOf(result as Fields, index) : undefined;
    if (content === undefined) onUncompared?.(result);
    else {
      positions.push(stays.length);
      contents.push(content);
    }
    stays.push(result);
    if (pace.isDue) await pace.rest({ stage: 'sketch', done: stays.length });
  }
  // Reading a short list takes less than a turn, and its listener is told all the same.
  await pace.rest({ stage: 'sketch', done: stays.length });
  const foldedUnder = await foldsOf(contents, rule, pace);
  const similar = contents.map((_, item): Result[] => {
    const { similar: folded } = stays[positions[item]!] as { readonly similar?: Result[] | null };
    // A list that was collapsed before keeps what was folded then.
    return [...(folded ?? [])];
  });
  for (const [item, position] of positions.entries()) {
    const first = foldedUnder[item]!;
    const result = stays[position] as Result;
    if (first !== item) similar[first]!.push(result);
    stays[position] = first === item ? { ...result, similar: similar[item]! } : undefined;
  }
  return stays.filter(result => result !== undefined);
}

/** For each, the first before it that stays and is alike; itself if it stays. */
async function foldsOf(
  contents: readonly Content[],
  { isAlike, candidates }: AlikeRule,
  pace: Pace,
): Promise<Uint32Array> {
  const visit = await pace.finish('decide', candidates(contents));
  const foldedUnder = Uint32Array.from(contents.keys());
  for (const [item, content] of contents.entries()) {
    const before = new Set<number>();
    visit(item, candidate => {
      if (candidate < item && foldedUnder[candidate] === candidate) before.add(candidate);
    });
    const first = [...before].sort((a, b) => a - b).find(candidate => isAlike(content, contents[candidate]!));
    if (first !== undefined) foldedUnder[item] = first;
    if (pace.isDue) await pace.rest({ stage: 'decide', done: item });
  }
  return foldedUnder;
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
