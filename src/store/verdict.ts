/** A document and the entries it shares a key with → which of them it duplicates, by exact comparison. */

import type { SetCache } from '../engine/decide/set-cache.ts';
import type { FoundRelation, Measure } from '../model.ts';
import { cannotReach, measuresOf } from '../similarity/measures.ts';
import { bitmapOf, mostShared, type SetBitmap } from '../similarity/set-bitmap.ts';
import type { Sharing } from './candidates.ts';
import type { IndexOptions } from './index-options.ts';
import type { Prepared, Preparer } from './prepare.ts';
import type { PrepareStage } from './prepare-stage.ts';
import type { Entry } from './record.ts';

export interface Likeness {
  readonly entry: Entry;
  readonly resemblance: number;
  /** Of the document in the entry. */
  readonly containment: number;
}

export interface Match extends Likeness {
  readonly relation: FoundRelation;
}

export type Compare = (prepared: Prepared, entry: Entry, least: number, measure: Measure) => Likeness | undefined;

/** A text and a set are never compared (see engine/content.ts). */
function isSameKind(prepared: Prepared, entry: Entry): boolean {
  return prepared.isSet === entry.isSet;
}

/** Of a stored entry: byte for byte the same text, or the same set. */
export function isEqual(prepared: Prepared, entry: Entry): boolean {
  return entry.content === prepared.content && isSameKind(prepared, entry);
}

export type SetOf = (entry: Entry) => BigUint64Array;

/** A set, and what tells quickly that it shares little with another. */
export class KnownSet {
  readonly set: BigUint64Array;
  readonly bitmap: SetBitmap;

  constructor(set: BigUint64Array) {
    this.set = set;
    this.bitmap = bitmapOf(set);
  }

  get byteLength(): number {
    return this.set.byteLength + this.bitmap.byteLength;
  }
}

/** A number stands for one text for ever, so its set is remembered. */
export function cachedSets(preparer: Preparer, sets: SetCache<KnownSet>): SetOf {
  return entry => (sets.get(entry.number) ?? sets.put(entry.number, new KnownSet(preparer.setOf(entry)))).set;
}

export type ReadySets = (entries: readonly (Entry | undefined)[]) => Promise<void>;

/** Sets that take long are made elsewhere, all at once, and remembered till `cachedSets` is asked for them. */
export function createReadySets(stage: Pick<PrepareStage, 'isLarge' | 'setOf'>, sets: SetCache<KnownSet>): ReadySets {
  return async entries => {
    const large = new Map<number, Entry>();
    for (const entry of entries)
      if (entry?.isStored && stage.isLarge(entry) && !sets.get(entry.number)) large.set(entry.number, entry);
    if (large.size === 0) return;
    await Promise.all(
      Array.from(large.values(), async entry => sets.put(entry.number, new KnownSet(await stage.setOf(entry)))),
    );
  };
}

/** Whether it is known without reading the entry that it does not resemble the document enough, nor contain enough of it. */
export type IsUnlike = (number: number) => boolean;
/** For one document, which is then asked about many entries. */
export type UnlikeTo = (prepared: Prepared) => IsUnlike;

export function createUnlikeTo(
  preparer: Pick<Preparer, 'shared'>,
  sets: Pick<SetCache<KnownSet>, 'get'>,
  { threshold, measure }: Pick<IndexOptions, 'threshold' | 'measure'>,
): UnlikeTo {
  const isContainment = measure === 'containment';
  return prepared => {
    let own: KnownSet | undefined;
    return number => {
      const other = sets.get(number);
      if (!other) return false;
      own ??= new KnownSet(prepared.set());
      const [size, otherSize] = [own.set.length, other.set.length];
      if (!isContainment && cannotReach(size, otherSize, threshold)) return true;
      const isReached = (shared: number) => {
        // Who resembles it so much also contains as much of it.
        const { resemblance, containmentAB } = measuresOf(size, otherSize, shared);
        return (isContainment ? containmentAB : resemblance) >= threshold;
      };
      if (!isReached(mostShared(size, own.bitmap, otherSize, other.bitmap))) return true;
      return !isReached(preparer.shared(own.set, other.set));
    };
  };
}

/** Undefined when the sizes alone say that the least cannot be reached. */
export function createCompare(preparer: Preparer, setOf: SetOf): Compare {
  return (prepared, entry, least, measure) => {
    if (!isSameKind(prepared, entry)) return undefined;
    const own = prepared.set();
    const other = setOf(entry);
    if (measure === 'resemblance' && cannotReach(own.length, other.length, least)) return undefined;
    const { resemblance, containmentAB } = measuresOf(own.length, other.length, preparer.shared(own, other));
    return { entry, resemblance, containment: containmentAB };
  };
}

/** The best of the entries seen: near wins over contained, then the more alike, then the one added first. */
export class BestMatch {
  readonly #prepared: Prepared;
  readonly #compare: Compare;
  readonly #options: Pick<IndexOptions, 'threshold' | 'measure'>;
  #near: Match | undefined;
  #contained: Match | undefined;
  /** Elements that one as good as the best may lack. */
  #mostMissing: number;

  constructor(prepared: Prepared, compare: Compare, options: Pick<IndexOptions, 'threshold' | 'measure'>) {
    this.#prepared = prepared;
    this.#compare = compare;
    this.#options = options;
    this.#mostMissing = prepared.mostMissing(options.threshold);
  }

  get match(): Match | undefined {
    return this.#near ?? this.#contained;
  }

  /** `isCandidate` is asked of an entry that would be the best. */
  see(entry: Entry, isCandidate?: (entry: Entry) => boolean): void {
    const { threshold, measure } = this.#options;
    const likeness = this.#compare(this.#prepared, entry, this.#near?.resemblance ?? threshold, measure);
    if (!likeness) return;
    const { resemblance, containment } = likeness;
    if (resemblance >= threshold) {
      if (!isBetter(likeness, this.#near, 'resemblance')) return;
      if (isCandidate && !isCandidate(entry)) return;
      this.#near = { ...likeness, relation: 'near' };
    } else if (measure === 'containment' && containment >= threshold) {
      if (!isBetter(likeness, this.#contained, 'containment')) return;
      if (isCandidate && !isCandidate(entry)) return;
      this.#contained = { ...likeness, relation: 'contained' };
    } else return;
    // What resembles it more also contains more of it.
    const least = this.#near?.resemblance ?? containment;
    this.#mostMissing = this.#prepared.mostMissing(least);
  }

  /** Whether an entry that resembles the document by this much at most may be better than the best. */
  mayBeBeatenByResemblance(most: number, number: number): boolean {
    if (most < this.#options.threshold) return false;
    if (!this.#near || most > this.#near.resemblance) return true;
    return most === this.#near.resemblance && number < this.#near.entry.number;
  }

  /** Whether one that lacks so many elements may be better than the best; near ones were found by their keys. */
  mayBeBeatenBy({ number, missing }: Sharing): boolean {
    if (missing > this.#mostMissing) return false;
    // When nothing may be missing, there is nothing better, only the same.
    return this.#mostMissing > 0 || this.match === undefined || number < this.match.entry.number;
  }
}

function isBetter(likeness: Likeness, best: Match | undefined, by: 'resemblance' | 'containment'): boolean {
  if (!best || likeness[by] > best[by]) return true;
  return likeness[by] === best[by] && likeness.entry.number < best.entry.number;
}
