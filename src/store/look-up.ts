/** Operations → what the store has for each: its id, its content, and candidates, with all of them read at once. */
import { halvesOf, joinKeys } from '../engine/analyse/key-arrays.ts';
import type { Deciding, Operation } from './batch.ts';
import { type ByPrefix, type Candidates, chooseByPrefix, chooseCandidates, type ListOf, nobody } from './candidates.ts';
import type { Numbers } from './contract.ts';
import type { Probe } from './crowds/prefix-keys.ts';
import type { Draft } from './draft.ts';
import { CONTENT_KEY, FIRST_CANDIDATE_KEY, ID_KEY, type Prepared } from './prepare.ts';
import type { Entry } from './record.ts';
import { isEqual } from './verdict.ts';

/** What the store has for an operation. */
export interface Found {
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

/** Entries by shared elements, loaded with those of other operations. */
const FIRST_LOADED = 16;

/** Ids and contents first: documents that are known need no search for candidates. */
export async function lookUp(deciding: Deciding, draft: Draft, operations: readonly Operation[]): Promise<Found[]> {
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

/** What the index knows under the id of the operation. */
export function knownEntry(operation: Operation, found: Found, draft: Draft): Entry | undefined {
  const { id, halves } =
    operation.kind === 'remove' ? { id: operation.id, halves: halvesOf(operation.idKey) } : operation.prepared;
  let known: Entry | undefined;
  draft.eachHaving(halves, ID_KEY, found.sameId, entry => {
    if (entry.id === id) known ??= entry;
  });
  return known;
}

/** The stored document with this content that was added first. */
export function equalEntry(prepared: Prepared, found: Found, draft: Draft): Entry | undefined {
  let equal: Entry | undefined;
  draft.eachHaving(prepared.halves, CONTENT_KEY, found.sameContent, entry => {
    if (entry.isStored && isEqual(prepared, entry)) equal ??= entry;
  });
  return equal;
}
