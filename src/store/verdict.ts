/** A document and the entries it shares a key with → which of them it duplicates, by exact comparison. */

import type { SetCache } from '../engine/set-cache.ts';
import type { Measure, Relation } from '../model.ts';
import { cannotReach, measuresOf } from '../similarity/measures.ts';
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

/** Undefined when the sizes alone say that the least cannot be reached. */
export function createCompare(preparer: Preparer, sets: SetCache): Compare {
  return (prepared, entry, least, measure) => {
    if (!isSameKind(prepared, entry)) return undefined;
    const own = prepared.set();
    const other = sets.get(entry.number) ?? sets.put(entry.number, preparer.setOf(entry));
    if (measure === 'resemblance' && cannotReach(own.length, other.length, least)) return undefined;
    const { resemblance, containmentAB } = measuresOf(own.length, other.length, preparer.shared(own, other));
    return { entry, resemblance, containment: containmentAB };
  };
}

/** Candidates come in ascending order: of equal ones the earlier added wins. Near wins over contained. */
export function bestMatch(
  prepared: Prepared,
  candidates: Iterable<Entry>,
  compare: Compare,
  { threshold, measure }: { readonly threshold: number; readonly measure: Measure },
): Match | undefined {
  let near: Match | undefined;
  let contained: Match | undefined;
  for (const candidate of candidates) {
    const likeness = compare(prepared, candidate, threshold, measure);
    if (!likeness) continue;
    const { resemblance, containment } = likeness;
    if (resemblance >= threshold) {
      if (!near || resemblance > near.resemblance) near = { ...likeness, relation: 'near' };
    } else if (measure === 'containment' && containment >= threshold) {
      if (!contained || containment > contained.containment) contained = { ...likeness, relation: 'contained' };
    }
  }
  return near ?? contained;
}
