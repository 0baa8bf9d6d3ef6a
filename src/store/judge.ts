/** A document and what was found for it → its verdict: equal, or like the best of its candidates, or new. */
import { halvesOf } from '../engine/analyse/key-arrays.ts';
import type { Deciding } from './batch.ts';
import {
  Allowance,
  type ByPrefix,
  chooseAdded,
  chooseByPrefix,
  isNobody,
  type ListOf,
  type Ranking,
} from './candidates.ts';
import type { Store } from './contract.ts';
import { type IsWanted, visitOuter } from './crowds/crowd-candidates.ts';
import type { Crowds } from './crowds/crowds.ts';
import { outerKeys, type Probe } from './crowds/prefix-keys.ts';
import type { Draft } from './draft.ts';
import { equalEntry, type Found } from './look-up.ts';
import type { Prepared } from './prepare.ts';
import type { Verdict } from './record.ts';
import { BestMatch } from './verdict.ts';

const none = new BigUint64Array(0);
/** Entries by shared elements that are loaded at a time, as long as they are wanted. */
const MORE_LOADED = 64;

export async function judge(prepared: Prepared, found: Found, draft: Draft, deciding: Deciding) {
  const { compare, options } = deciding;
  const { id } = prepared;
  const equal = equalEntry(prepared, found, draft);
  if (equal) {
    const verdict: Verdict = { id, status: 'exact', of: equal.id, resemblance: 1, containment: 1 };
    return { verdict, ofNumber: equal.number };
  }
  const addedWith: ListOf = place => draft.addedWith(prepared.halves, place);
  const added = chooseAdded(prepared, found.listOf, addedWith, options.threshold);
  // Most documents share nothing with any other.
  if (!found.crowd && !draft.hasCommons && isNobody(found.candidates) && isNobody(added))
    return { verdict: { id, status: 'new' } as Verdict, ofNumber: undefined };
  const best = new BestMatch(prepared, compare, options);
  for (const numbers of [found.likely, added.byKeys])
    for (const number of numbers) {
      const entry = draft.entry(number);
      if (entry) best.see(entry);
    }
  const { before, since } = await seeCrowd(prepared, found, best, draft, deciding);
  const { byKeys, byElements } = found.candidates;
  const seen = new Set(added.byKeys.length === 0 ? byKeys : [...byKeys, ...added.byKeys]);
  await seeSharing(byElements, prepared, number => seen.has(number) || before(number), best, draft, deciding.crowds);
  await seeSharing(added.byElements, prepared, number => seen.has(number) || since(number), best, draft);
  const { match } = best;
  if (!match) return { verdict: { id, status: 'new' } as Verdict, ofNumber: undefined };
  const { entry, relation, resemblance, containment } = match;
  const verdict: Verdict = { id, status: relation, of: entry.id, resemblance, containment };
  return { verdict, ofNumber: entry.number };
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
