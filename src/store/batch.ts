/** Operations, in order → their outcomes, and one change that makes them true. */

import { halvesOf, joinKeys } from '../engine/analyse/key-arrays.ts';
import { fail, NeardupError } from '../errors.ts';
import {
  Allowance,
  type ByPrefix,
  type Candidates,
  chooseAdded,
  chooseByPrefix,
  chooseCandidates,
  type ListOf,
  nobody,
  type Ranking,
} from './candidates.ts';
import type { Change, Numbers, State, Store } from './contract.ts';
import { type IsWanted, visitOuter } from './crowds/crowd-candidates.ts';
import type { CrowdSizes } from './crowds/crowd-sizes.ts';
import type { Crowds, Posted } from './crowds/crowds.ts';
import { outerKeys, type Probe } from './crowds/prefix-keys.ts';
import { Draft } from './draft.ts';
import type { IndexOptions } from './index-options.ts';
import { CONTENT_KEY, FIRST_CANDIDATE_KEY, ID_KEY, type Prepared, type Preparer } from './prepare.ts';
import type { ReadEntries } from './read-entries.ts';
import type { Entry, EntryContent, Verdict } from './record.ts';
import { BestMatch, type Compare, isEqual, type ReadySets, type SetOf, type UnlikeTo } from './verdict.ts';

/** Which documents are stored with their text: those that are new, all, or none. Of the others the verdict is remembered. */
export type StorePolicy = 'new' | 'all' | 'none';

export function requirePolicy(given: string, option: string): void {
  if (!['new', 'all', 'none'].includes(given))
    fail('BAD_OPTION', { option, expected: "'new', 'all' or 'none'", got: given });
}

export type Operation =
  | { readonly kind: 'add' | 'put'; readonly prepared: Prepared; readonly store: StorePolicy }
  /** What adding would say; nothing is changed. */
  | { readonly kind: 'check'; readonly prepared: Prepared }
  | { readonly kind: 'remove'; readonly id: string; readonly idKey: BigUint64Array };

/** A verdict; of a removal, whether there was something to remove; or why not. */
export type Outcome = Verdict | boolean | NeardupError;

export interface Deciding {
  readonly store: Pick<Store, 'find' | 'membersOf'>;
  readonly options: Pick<IndexOptions, 'threshold' | 'measure'>;
  readonly compare: Compare;
  readonly setOf: SetOf;
  /** Has the sets of large entries made by the time they are compared. */
  readonly readySets: ReadySets;
  readonly unlikeTo: UnlikeTo;
  readonly sharesKey: Preparer['sharesKey'];
  readonly crowds: Crowds;
  readonly crowdSizes: CrowdSizes;
  readonly readEntries: ReadEntries;
}

export interface Decided {
  readonly outcomes: readonly Outcome[];
  /** Verdicts that are to be remembered now; on an id that is known the first one is told again. */
  readonly fresh: ReadonlySet<Outcome>;
  /** Undefined when nothing changes. */
  readonly change: Change | undefined;
}

export async function decideBatch(
  deciding: Deciding,
  state: State,
  operations: readonly Operation[],
): Promise<Decided> {
  const draft = new Draft(deciding.store, state, deciding.readEntries);
  const found = await lookUp(deciding, draft, operations);
  const fresh = new Set<Outcome>();
  const outcomes: Outcome[] = [];
  for (const [at, operation] of operations.entries()) {
    try {
      outcomes.push(await decide(operation, found[at]!, draft, deciding, fresh));
    } catch (error) {
      if (!(error instanceof NeardupError)) throw error;
      outcomes.push(error);
    }
  }
  return { outcomes, fresh, change: draft.change() };
}

/** What the store has for an operation. */
interface Found {
  readonly sameId: Numbers;
  readonly sameContent: Numbers;
  readonly candidates: Candidates;
  /** Of those by keys, the ones that are not known to be too unlike. */
  readonly likely: Numbers;
  /** Of the keys of the document. */
  readonly listOf: ListOf;
  /** Where there are crowds. */
  readonly crowd?: {
    readonly probe: Probe;
    readonly listOf: ListOf;
    readonly all: readonly ByPrefix[];
    /** Without those that are known to be too unlike. */
    readonly byPrefix: readonly ByPrefix[];
  };
}

/** Entries by shared elements, loaded with those of other operations; then, at a time, as long as they are wanted. */
const FIRST_LOADED = 16;
const MORE_LOADED = 64;

/** Ids and contents first: documents that are known need no search for candidates. */
async function lookUp(deciding: Deciding, draft: Draft, operations: readonly Operation[]): Promise<Found[]> {
  const { store, options, crowds, unlikeTo } = deciding;
  const knownBy = operations.map(one =>
    one.kind === 'remove' ? one.idKey : one.prepared.keys.subarray(0, FIRST_CANDIDATE_KEY),
  );
  const first = await findAll(store, [...knownBy, crowds.key]);
  await crowds.catchUp(first.pop()!(0), deciding.readEntries);
  const known = first.map(listOf => ({
    sameId: listOf(ID_KEY),
    sameContent: listOf(CONTENT_KEY),
    candidates: noCandidates,
    likely: noNumbers,
    listOf,
  }));
  await draft.load(
    known.flatMap(({ sameId, sameContent }) => [...sameId, ...sameContent]),
    { keys: knownBy },
  );
  const replaced = new Set<number>();
  // What a document is decided by now may be removed by an operation before it.
  const mayRemove = operations.some(({ kind }) => kind === 'remove' || kind === 'put');
  const rest = operations.map((operation, at) => {
    const entry = knownEntry(operation, known[at]!, draft);
    if (entry && operation.kind !== 'add' && operation.kind !== 'check') replaced.add(entry.number);
    if (operation.kind === 'remove') return none;
    const isDecided = !mayRemove && isDecidedBy(operation.prepared, entry, known[at]!, draft);
    return isDecided ? none : operation.prepared.keys.subarray(FIRST_CANDIDATE_KEY);
  });
  for (const number of replaced) await draft.loadWithMembers(number);
  const probes = operations.map((operation, at) =>
    crowds.areThere && rest[at]!.length > 0 && operation.kind !== 'remove'
      ? crowds.probe(operation.prepared)
      : undefined,
  );
  const asked = rest.map((keys, at) => (probes[at] ? joinKeys([keys, probes[at].keys]) : keys));
  const second = await findAll(store, asked);
  const found = operations.map((operation, at): Found => {
    if (rest[at]!.length === 0 || operation.kind === 'remove') return known[at]!;
    const listOf: ListOf = place => second[at]!(place - FIRST_CANDIDATE_KEY);
    const candidates = chooseCandidates(operation.prepared, listOf, options.threshold);
    const isUnlike = unlikeTo(operation.prepared);
    const likely = candidates.byKeys.filter(number => !isUnlike(number));
    const probe = probes[at];
    if (!probe) return { ...known[at]!, candidates, likely, listOf };
    const ofProbe: ListOf = place => second[at]!(rest[at]!.length + place);
    const all = chooseByPrefix(probe, ofProbe);
    const byPrefix = all.filter(({ number }) => !isUnlike(number));
    const crowd = { probe, listOf: ofProbe, all, byPrefix };
    return { ...known[at]!, candidates, likely, listOf, crowd };
  });
  await draft.load(
    found.flatMap(({ candidates: { byElements }, likely, crowd }) => [
      ...likely,
      ...byElements.numbers(
        0,
        FIRST_LOADED,
        number => crowd?.probe.findsAll === true && crowds.numbers.has(number) === true,
      ),
      ...(crowd?.byPrefix.slice(0, FIRST_LOADED).map(({ number }) => number) ?? noNumbers),
    ]),
    { keys: asked },
  );
  await deciding.readySets(
    found.flatMap(({ candidates: { byKeys }, crowd }) => [
      ...byKeys.map(number => draft.entry(number)),
      ...(crowd?.byPrefix.slice(0, FIRST_LOADED).map(({ number }) => draft.entry(number)) ?? []),
    ]),
  );
  return found;
}

const none = new BigUint64Array(0);
const noNumbers: Numbers = [];
const noCandidates: Candidates = { byKeys: noNumbers, byElements: nobody };

/** One call for the keys of all. */
async function findAll(store: Deciding['store'], keys: readonly BigUint64Array[]): Promise<ListOf[]> {
  const all = await store.find(joinKeys(keys));
  let end = 0;
  return keys.map(({ length }): ListOf => {
    const start = end;
    end += length;
    return place => (place < length ? all[start + place]! : noNumbers);
  });
}

function isDecidedBy(prepared: Prepared, known: Entry | undefined, found: Found, draft: Draft): boolean {
  return known !== undefined || equalEntry(prepared, found, draft) !== undefined;
}

async function decide(
  operation: Operation,
  found: Found,
  draft: Draft,
  deciding: Deciding,
  fresh: Set<Outcome>,
): Promise<Outcome> {
  const known = knownEntry(operation, found, draft);
  if (operation.kind === 'remove') {
    if (known) draft.remove(known);
    return known !== undefined;
  }
  const { kind, prepared } = operation;
  if (known?.content === prepared.content) {
    if (kind === 'put' && known.isStored)
      draft.rewrite(known, contentOf(known.verdict, prepared, known.ofNumber, true, known.commonBits));
    return known.verdict;
  }
  if (known && kind !== 'put') fail('ID_TAKEN', { id: prepared.id });
  if (known) draft.remove(known);
  const { verdict, ofNumber } = await judge(prepared, found, draft, deciding);
  if (kind === 'check') return verdict;
  const isStored = operation.store === 'all' || (operation.store === 'new' && verdict.status === 'new');
  const posted = isStored ? await joinCrowd(prepared, found, draft, deciding) : undefined;
  const { keys, firstElement } = prepared;
  draft.add(
    contentOf(verdict, prepared, ofNumber, isStored, posted?.commonBits),
    posted
      ? joinKeys([keys.subarray(0, FIRST_CANDIDATE_KEY), posted.keys, keys.subarray(firstElement)])
      : keys.subarray(0, isStored ? keys.length : ID_KEY + 1),
  );
  fresh.add(verdict);
  return verdict;
}

/** Undefined when none of its keys finds a crowd: then it is stored under these. What is common in the crowds is named first. */
async function joinCrowd(
  prepared: Prepared,
  { listOf, crowd }: Found,
  draft: Draft,
  { crowds, setOf }: Deciding,
): Promise<Posted | undefined> {
  const { keys, halves, firstElement, bands } = prepared;
  const withAdded: ListOf = place => {
    const [before, added] = [listOf(place), draft.addedWith(halves, place)];
    return added.length === 0 ? before : [...before, ...added];
  };
  let isCrowded = false;
  for (let place = FIRST_CANDIDATE_KEY; place < firstElement && !isCrowded; place++)
    isCrowded = withAdded(place).length >= crowds.limits.crowdedFrom;
  if (!isCrowded) return undefined;
  const samples = crowds.unjudged(bands, place => withAdded(place + FIRST_CANDIDATE_KEY));
  if (crowd?.probe.findsAll) samples.push(...crowds.unjudged(crowd.probe.keys, crowd.listOf));
  for (const sample of samples) {
    await draft.load(sample, { keys: [keys, ...(crowd ? [crowd.probe.keys] : [])] });
    const sets = sample.flatMap(number => {
      const entry = draft.entry(number);
      return entry?.isStored ? [setOf(entry)] : [];
    });
    const commons = crowds.newCommons(sets, draft.commons);
    if (commons.length > 0) draft.addCommons(commons);
  }
  const posted = crowds.posted(prepared, draft.commons);
  // That there are crowds is known by the entries that name what is common in them, even if that is nothing.
  if (posted && !crowds.areThere && !draft.hasCommons) draft.addCommons(none);
  return posted;
}

async function judge(prepared: Prepared, found: Found, draft: Draft, deciding: Deciding) {
  const { compare, options } = deciding;
  const { id } = prepared;
  const equal = equalEntry(prepared, found, draft);
  if (equal) {
    const verdict: Verdict = { id, status: 'exact', of: equal.id, resemblance: 1, containment: 1 };
    return { verdict, ofNumber: equal.number };
  }
  const best = new BestMatch(prepared, compare, options);
  const addedWith: ListOf = place => draft.addedWith(prepared.halves, place);
  const added = chooseAdded(prepared, found.listOf, addedWith, options.threshold);
  for (const numbers of [found.likely, added.byKeys])
    for (const number of numbers) {
      const entry = draft.entry(number);
      if (entry) best.see(entry);
    }
  const { before, since } = await seeCrowd(prepared, found, best, draft, deciding);
  const seen = new Set([...found.candidates.byKeys, ...added.byKeys]);
  const { byElements } = found.candidates;
  await seeSharing(byElements, prepared, number => seen.has(number) || before(number), best, draft, deciding.crowds);
  await seeSharing(added.byElements, prepared, number => seen.has(number) || since(number), best, draft);
  const { match } = best;
  if (!match) return { verdict: { id, status: 'new' } as Verdict, ofNumber: undefined };
  const { entry, relation, resemblance, containment } = match;
  const verdict: Verdict = { id, status: relation, of: entry.id, resemblance, containment };
  return { verdict, ofNumber: entry.number };
}

function knownEntry(operation: Operation, found: Found, draft: Draft): Entry | undefined {
  const { id, halves } =
    operation.kind === 'remove' ? { id: operation.id, halves: halvesOf(operation.idKey) } : operation.prepared;
  let known: Entry | undefined;
  draft.eachHaving(halves, ID_KEY, found.sameId, entry => {
    if (entry.id === id) known ??= entry;
  });
  return known;
}

/** The stored document with this content that was added first. */
function equalEntry(prepared: Prepared, found: Found, draft: Draft): Entry | undefined {
  let equal: Entry | undefined;
  draft.eachHaving(prepared.halves, CONTENT_KEY, found.sameContent, entry => {
    if (entry.isStored && isEqual(prepared, entry)) equal ??= entry;
  });
  return equal;
}

/** Whether nothing more is to be said of an entry that shares elements. */
type IsSettled = (number: number) => boolean;

/** Documents of crowds, in the store and among those added since. Tells which of each are settled then. */
async function seeCrowd(
  prepared: Prepared,
  { crowd }: Found,
  best: BestMatch,
  draft: Draft,
  { crowds, store, options: { threshold }, sharesKey, unlikeTo }: Deciding,
): Promise<{ before: IsSettled; since: IsSettled }> {
  const probe = draft.hasCommons ? crowds.probe(prepared, draft.commons) : crowd?.probe;
  if (!probe) return { before: () => false, since: () => false };
  const size = probe.set.length;
  const isUnlike = unlikeTo(prepared);
  const isWanted: IsWanted = (most, number) => best.mayBeBeatenByResemblance(most, number);
  /** Alike, and sharing no band key: only what it shares of the sampled elements makes it a candidate. */
  const notByKeys = new Set<number>();
  const see = (number: number, by: Probe) => {
    const entry = draft.entry(number);
    if (!entry) return;
    const isByKeys = by.findsAll ? () => sharesKey(prepared, entry) : () => true;
    best.see(entry, () => {
      if (isByKeys()) return true;
      notByKeys.add(number);
      return false;
    });
  };
  const addedBy = (keys: BigUint64Array): ListOf => {
    const halves = halvesOf(keys);
    return place => draft.addedWith(halves, place);
  };
  const seeAll = async (found: readonly ByPrefix[], by: Probe, keys: BigUint64Array) => {
    // What follows the first element that both have, at most, is shared.
    const wanted = ({ number, place }: ByPrefix) => isWanted((size - place) / size, number);
    for (let from = 0; from < found.length; from += MORE_LOADED) {
      const some = found.slice(from, from + MORE_LOADED).filter(wanted);
      const numbers = some.map(({ number }) => number);
      await draft.load(numbers, { keys: [keys] });
      for (const one of some) if (wanted(one)) see(one.number, by);
    }
  };
  const added = chooseByPrefix(probe, addedBy(probe.keys));
  if (crowd) await seeAll(crowd.byPrefix, crowd.probe, crowd.probe.keys);
  await seeAll(added, probe, none);
  const find: Store['find'] = async keys => {
    const added = addedBy(keys);
    return (await store.find(keys)).map((list, at) => (added(at).length > 0 ? [...list, ...added(at)] : list));
  };
  await visitOuter(outerKeys(probe, threshold), find, isWanted, async (numbers, most, by) => {
    const likely = numbers.filter(number => !isUnlike(number));
    await draft.load(likely, { keys: [by] });
    for (const number of likely) if (isWanted(most, number)) see(number, probe);
  });
  const settledBy = (by: Probe | undefined, found: readonly ByPrefix[]): IsSettled => {
    if (!by || !crowds.isForContainment) return () => false;
    if (!by.findsAll) {
      const numbers = new Set(found.map(({ number }) => number));
      return number => numbers.has(number);
    }
    const isOfCrowd = (number: number) =>
      draft.isLoaded(number) ? draft.entry(number)?.commonBits !== undefined : crowds.numbers.has(number) === true;
    return number => isOfCrowd(number) && !notByKeys.has(number);
  };
  return { before: settledBy(crowd?.probe, crowd?.all ?? []), since: settledBy(probe, added) };
}

/** Those that share most first, till no other can be better. `crowds`: of those in the store it is remembered. */
async function seeSharing(
  ranking: Ranking,
  { keys }: Prepared,
  isSettled: IsSettled,
  best: BestMatch,
  draft: Draft,
  crowds?: Crowds,
): Promise<void> {
  const allowance = new Allowance();
  for (let place = 0; place < ranking.length; place++) {
    const sharing = ranking.at(place);
    const { number } = sharing;
    if (!best.mayBeBeatenBy(sharing)) return;
    if (isSettled(number) || !allowance.has(sharing, best.match !== undefined)) continue;
    if (!draft.isLoaded(number)) await draft.load(ranking.numbers(place, MORE_LOADED, isSettled), { keys: [keys] });
    const entry = draft.entry(number);
    if (!entry) continue;
    crowds?.numbers.note(number, entry.commonBits !== undefined);
    if (isSettled(number)) continue;
    allowance.use(sharing);
    best.see(entry);
  }
}

function contentOf(
  verdict: Verdict,
  { content, encoded }: Prepared,
  ofNumber: number | undefined,
  isStored: boolean,
  commonBits?: Uint8Array,
): EntryContent {
  return isStored ? { verdict, content, ofNumber, document: encoded, commonBits } : { verdict, content, ofNumber };
}
