/** Operations, in order → their outcomes, and one change that makes them true. */

import { joinKeys } from '../engine/analyse/key-arrays.ts';
import { fail, NeardupError } from '../errors.ts';
import type { ListOf } from './candidates.ts';
import type { Change, State, Store } from './contract.ts';
import type { CrowdSizes } from './crowds/crowd-sizes.ts';
import type { Crowds, Posted } from './crowds/crowds.ts';
import { Draft } from './draft.ts';
import type { IndexOptions } from './index-options.ts';
import { judge } from './judge.ts';
import { type Found, knownEntry, lookUp } from './look-up.ts';
import { FIRST_CANDIDATE_KEY, ID_KEY, type Prepared, type Preparer } from './prepare.ts';
import type { ReadEntries } from './read-entries.ts';
import type { EntryContent, Verdict } from './record.ts';
import type { Compare, ReadySets, SetOf, UnlikeTo } from './verdict.ts';

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
  let isCrowded = false;
  for (let place = FIRST_CANDIDATE_KEY; place < firstElement && !isCrowded; place++)
    isCrowded = listOf(place).length + draft.addedWith(halves, place).length >= crowds.limits.crowdedFrom;
  if (!isCrowded) return undefined;
  const withAdded: ListOf = place => {
    const added = draft.addedWith(halves, place);
    return added.length === 0 ? listOf(place) : [...listOf(place), ...added];
  };
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
  if (posted && !crowds.areThere && !draft.hasCommons) draft.addCommons(new BigUint64Array(0));
  return posted;
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
