/** A document and the entries it shares a key with → which of them it duplicates, by exact comparison. */

import type { SetCache } from '../engine/set-cache.ts';
import type { Measure, Relation } from '../model.ts';
import { cannotReach, measuresOf } from '../similarity/measures.ts';
import type { Sharing } from './candidates.ts';
import type { IndexOptions } from './index-options.ts';
import type { Prepared, Preparer } from './prepare.ts';
import type { Entry } from './record.ts';

export interface Likeness {
  readonly entry: Entry;
  readonly resemblance: number;
  /** Of the document in the entry. */
  readonly containment: number;
}

export interface Match extends Likeness {
  readonly relation: Relation;
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

/** A number stands for one text for ever, so its set is remembered. */
export function cachedSets(preparer: Preparer, sets: SetCache): SetOf {
  return entry => sets.get(entry.number) ?? sets.put(entry.number, preparer.setOf(entry));
}

/** Whether it is known without reading the entry that it does not resemble the document enough. */
export type IsUnlike = (prepared: Prepared, number: number) => boolean;

export function createIsUnlike(preparer: Preparer, sets: SetCache, { threshold, measure }: IndexOptions): IsUnlike {
  if (measure !== 'resemblance') return () => false;
  return (prepared, number) => {
    const other = sets.get(number);
    if (!other) return false;
    const own = prepared.set();
    if (cannotReach(own.length, other.length, threshold)) return true;
    return measuresOf(own.length, other.length, preparer.shared(own, other)).resemblance < threshold;
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
