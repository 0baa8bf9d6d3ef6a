/** Operations, in order → their outcomes, and one change that makes them true. */

import { halvesOf, joinKeys } from '../engine/key-arrays.ts';
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
import { type IsWanted, visitOuter } from './crowd-candidates.ts';
import type { Crowds, Posted } from './crowds.ts';
import { Draft } from './draft.ts';
import type { IndexOptions } from './index-options.ts';
import { outerKeys, type Probe } from './prefix-keys.ts';
import { CONTENT_KEY, FIRST_CANDIDATE_KEY, ID_KEY, type Prepared, type Preparer } from './prepare.ts';
import type { ReadEntries } from './read-entries.ts';
import type { Entry, EntryContent, Verdict } from './record.ts';
import { BestMatch, type Compare, type IsUnlike, isEqual, type SetOf } from './verdict.ts';

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
  readonly isUnlike: IsUnlike;
  readonly sharesKey: Preparer['sharesKey'];
  readonly crowds: Crowds;
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
  /** Of the keys of the document. */
  readonly listOf: ListOf;
  /** Where there are crowds. */
  readonly crowd?: { readonly probe: Probe; readonly listOf: ListOf; readonly byPrefix: readonly ByPrefix[] };
}

/** Entries by shared elements, loaded with those of other operations; then, at a time, as long as they are wanted. */
const FIRST_LOADED = 16;
const MORE_LOADED = 64;

/** Ids and contents first: documents that are known need no search for candidates. */
async function lookUp(deciding: Deciding, draft: Draft, operations: readonly Operation[]): Promise<Found[]> {
  const { store, options, crowds, isUnlike } = deciding;
  const knownBy = operations.map(one =>
    one.kind === 'remove' ? one.idKey : one.prepared.keys.subarray(0, FIRST_CANDIDATE_KEY),
  );
  const first = await findAll(store, [...knownBy, crowds.key]);
  await crowds.catchUp(first.pop()!(0), deciding.readEntries);
  const known = first.map(listOf => ({
    sameId: listOf(ID_KEY),
    sameContent: listOf(CONTENT_KEY),
    candidates: noCandidates,
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
      ? crowds.probe(operation.prepared.set())
      : undefined,
  );
  const asked = rest.map((keys, at) => (probes[at] ? joinKeys([keys, probes[at].keys]) : keys));
  const second = await findAll(store, asked);
  const found = operations.map((operation, at): Found => {
    if (rest[at]!.length === 0 || operation.kind === 'remove') return known[at]!;
    const listOf: ListOf = place => second[at]!(place - FIRST_CANDIDATE_KEY);
    const { byKeys, byElements } = chooseCandidates(operation.prepared, listOf, options.threshold);
    const candidates = { byKeys: byKeys.filter(number => !isUnlike(operation.prepared, number)), byElements };
    const probe = probes[at];
    if (!probe) return { ...known[at]!, candidates, listOf };
    const ofProbe: ListOf = place => second[at]!(rest[at]!.length + place);
    const byPrefix = chooseByPrefix(probe, ofProbe).filter(({ number }) => !isUnlike(operation.prepared, number));
    const crowd = { probe, listOf: ofProbe, byPrefix };
    return { ...known[at]!, candidates, listOf, crowd };
  });
  await draft.load(
    found.flatMap(({ candidates: { byKeys, byElements }, crowd }) => [
      ...byKeys,
      ...byElements.numbers(0, FIRST_LOADED),
      ...(crowd?.byPrefix.slice(0, FIRST_LOADED).map(({ number }) => number) ?? noNumbers),
    ]),
    { keys: asked },
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
  const keys = prepared.keys.subarray(0, isStored ? (posted ? FIRST_CANDIDATE_KEY : prepared.keys.length) : ID_KEY + 1);
  draft.add(
    contentOf(verdict, prepared, ofNumber, isStored, posted?.commonBits),
    posted ? joinKeys([keys, posted.keys]) : keys,
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
  const { keys, halves, firstElement } = prepared;
  if (crowds.key.length === 0) return undefined;
  const withAdded: ListOf = place => {
    const [before, added] = [listOf(place), draft.addedWith(halves, place)];
    return added.length === 0 ? before : [...before, ...added];
  };
  let isCrowded = false;
  for (let place = FIRST_CANDIDATE_KEY; place < firstElement && !isCrowded; place++)
    isCrowded = withAdded(place).length >= crowds.limits.crowdedFrom;
  if (!isCrowded) return undefined;
  const bands = keys.subarray(FIRST_CANDIDATE_KEY, firstElement);
  const samples = crowds.unjudged(bands, place => withAdded(place + FIRST_CANDIDATE_KEY));
  if (crowd) samples.push(...crowds.unjudged(crowd.probe.keys, crowd.listOf));
  for (const sample of samples) {
    await draft.load(sample, { keys: [keys, ...(crowd ? [crowd.probe.keys] : [])] });
    const sets = sample.flatMap(number => {
      const entry = draft.entry(number);
      return entry?.isStored ? [setOf(entry)] : [];
    });
    const commons = crowds.newCommons(sets, draft.commons);
    if (commons.length > 0) draft.addCommons(commons);
  }
  const posted = crowds.posted(prepared.set(), draft.commons);
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
  const byKeys = new Set([...found.candidates.byKeys, ...added.byKeys]);
  for (const number of byKeys) {
    const entry = draft.entry(number);
    if (entry) best.see(entry);
  }
  for (const ranking of [found.candidates.byElements, added.byElements])
    if (ranking.length > 0) await seeSharing(ranking, prepared, byKeys, best, draft);
  await seeCrowd(prepared, found, best, draft, deciding);
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

/** Documents found by their prefix, in the store and among those added since. */
async function seeCrowd(
  prepared: Prepared,
  { crowd }: Found,
  best: BestMatch,
  draft: Draft,
  { crowds, store, options: { threshold }, sharesKey, isUnlike }: Deciding,
): Promise<void> {
  const probe = draft.hasCommons ? crowds.probe(prepared.set(), draft.commons) : crowd?.probe;
  if (!probe) return;
  const size = probe.set.length;
  const isWanted: IsWanted = (most, number) => best.mayBeBeatenByResemblance(most, number);
  const see = (number: number) => {
    const entry = draft.entry(number);
    if (entry) best.see(entry, () => sharesKey(prepared, entry));
  };
  const addedBy = (keys: BigUint64Array): ListOf => {
    const halves = halvesOf(keys);
    return place => draft.addedWith(halves, place);
  };
  const seeAll = async (found: readonly ByPrefix[], by: BigUint64Array) => {
    // What follows the first element that both have, at most, is shared.
    const wanted = ({ number, place }: ByPrefix) => isWanted((size - place) / size, number);
    for (let from = 0; from < found.length; from += MORE_LOADED) {
      const some = found.slice(from, from + MORE_LOADED).filter(wanted);
      const numbers = some.map(({ number }) => number);
      await draft.load(numbers, { keys: [by] });
      for (const one of some) if (wanted(one)) see(one.number);
    }
  };
  if (crowd) await seeAll(crowd.byPrefix, crowd.probe.keys);
  await seeAll(chooseByPrefix(probe, addedBy(probe.keys)), none);
  const find: Store['find'] = async keys => {
    const added = addedBy(keys);
    return (await store.find(keys)).map((list, at) => (added(at).length > 0 ? [...list, ...added(at)] : list));
  };
  await visitOuter(outerKeys(probe, threshold), find, isWanted, async (numbers, most, by) => {
    const likely = numbers.filter(number => !isUnlike(prepared, number));
    await draft.load(likely, { keys: [by] });
    for (const number of likely) if (isWanted(most, number)) see(number);
  });
}

/** Those that share most first, till no other can be better. */
async function seeSharing(
  ranking: Ranking,
  { keys }: Prepared,
  seen: ReadonlySet<number>,
  best: BestMatch,
  draft: Draft,
): Promise<void> {
  const allowance = new Allowance();
  let loaded = FIRST_LOADED;
  for (let place = 0; place < ranking.length; place++) {
    const sharing = ranking.at(place);
    if (!best.mayBeBeatenBy(sharing)) return;
    if (seen.has(sharing.number) || !allowance.has(sharing, best.match !== undefined)) continue;
    if (place >= loaded) {
      loaded = place + MORE_LOADED;
      await draft.load(ranking.numbers(place, loaded), { keys: [keys] });
    }
    const entry = draft.entry(sharing.number);
    if (!entry) continue;
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
