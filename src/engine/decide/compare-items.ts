/** Two documents of a corpus → what is known of the pair: relation, exact values, or estimates. */
import type { Relation } from '../../model.ts';
import { cannotReach, measuresOf } from '../../similarity/measures.ts';
import type { RunOptions } from '../run-options.ts';
import type { Comparisons } from './comparisons.ts';
import type { EditEffort, EditSimilarity } from './edit-items.ts';
import type { Verdicts } from './verdicts.ts';

export interface ItemPair {
  /** What is held against the threshold: resemblance, containment of the first in the second, or edit similarity. */
  readonly similarity: number;
  readonly resemblance: number;
  readonly containmentAB: number;
  readonly containmentBA: number;
}

/** What two items are compared by. */
export interface Comparable {
  /** Equal numbers: texts equal byte for byte. */
  readonly contents: Uint32Array;
  /** Only documents of one group are compared; undefined when there is one group. */
  readonly groups?: Uint32Array | undefined;
  /** Of the set of shingles. */
  sizeOf(item: number): number;
  /** Elements of both; some number below `least`, 0 unless given, when they are fewer. */
  shared(a: number, b: number, least?: number): number;
  estimate(a: number, b: number): number;
  /** Given with measure edit. */
  readonly editSimilarity?: EditSimilarity | undefined;
  readonly editEffort?: EditEffort | undefined;
  /** What people decided on. */
  readonly decided?: Verdicts | undefined;
}

/**
 * If `atLeast` is given, a similarity below it need not be known, nor the other values of such a pair. An edit similarity below
 * the threshold is never known: it counts as 0.
 */
export type CompareItems = (a: number, b: number, atLeast?: number) => ItemPair;

const equalTexts: ItemPair = { similarity: 1, resemblance: 1, containmentAB: 1, containmentBA: 1 };

/** What is held against the threshold: two that are called different never reach it, two that are called same always do. */
export function createCompare(corpus: Comparable, options: RunOptions, comparisons?: Comparisons): CompareItems {
  const compare = createMeasure(corpus, options, comparisons);
  const { decided } = corpus;
  if (!decided) return compare;
  const compareWhole = createMeasure(corpus, { ...options, threshold: 0 }, comparisons);
  return (a, b, atLeast) => {
    const verdict = decided.of(a, b);
    if (verdict === undefined) return compare(a, b, atLeast);
    if (verdict === 'different') return apart;
    const pair = compareWhole(a, b);
    return { ...pair, similarity: Math.max(pair.similarity, options.threshold) };
  };
}

/** What is told of a pair: its own values, whatever was decided on it. */
export function createEvidence(corpus: Comparable, options: RunOptions, comparisons?: Comparisons): CompareItems {
  const compare = createMeasure(corpus, { ...options, threshold: evidenceThreshold(options) }, comparisons);
  const { decided } = corpus;
  if (!decided) return compare;
  const compareWhole = createMeasure(corpus, { ...options, threshold: 0 }, comparisons);
  return (a, b) => (decided.of(a, b) ? compareWhole(a, b) : compare(a, b));
}

function createMeasure(
  corpus: Comparable,
  { measure, verify, threshold }: RunOptions,
  comparisons: Comparisons | undefined,
): CompareItems {
  return (a, b, atLeast) => {
    comparisons?.count();
    if (corpus.groups && corpus.groups[a] !== corpus.groups[b]) return apart;
    if (corpus.contents[a] === corpus.contents[b]) return equalTexts;
    if (verify !== 'exact') {
      const pair = estimated(corpus, a, b, measure);
      return verify === 'none' ? { ...pair, similarity: 1 } : pair;
    }
    const sizeA = corpus.sizeOf(a);
    const sizeB = corpus.sizeOf(b);
    if (measure === 'resemblance' && cannotReach(sizeA, sizeB, threshold)) return unlike;
    const least = atLeast === undefined ? 0 : leastShared(sizeA, sizeB, measure, atLeast);
    const { resemblance, containmentAB, containmentBA } = measuresOf(sizeA, sizeB, corpus.shared(a, b, least));
    const similarity =
      measure === 'resemblance'
        ? resemblance
        : measure === 'containment'
          ? containmentAB
          : (corpus.editSimilarity!(a, b, atLeast ?? threshold) ?? 0);
    if (corpus.editEffort) comparisons?.spend(corpus.editEffort());
    return { similarity, resemblance, containmentAB, containmentBA };
  };
}

/** Fewer shared elements than this are below the similarity; one less, since the product is rounded. */
function leastShared(sizeA: number, sizeB: number, measure: RunOptions['measure'], similarity: number): number {
  if (measure === 'edit') return 0;
  const shared = measure === 'containment' ? similarity * sizeA : (similarity * (sizeA + sizeB)) / (1 + similarity);
  return Math.max(0, Math.floor(shared) - 1);
}

const unlike: ItemPair = { similarity: 0, resemblance: 0, containmentAB: 0, containmentBA: 0 };
/** Of different groups, or called different: below every threshold, even 0. */
const apart: ItemPair = { similarity: -1, resemblance: -1, containmentAB: -1, containmentBA: -1 };

/** |A∩B| = r(|A|+|B|)/(1+r) turns an estimate of resemblance into one of containment; the sizes are exact. */
function estimated(corpus: Comparable, a: number, b: number, measure: RunOptions['measure']): ItemPair {
  const resemblance = corpus.estimate(a, b);
  if (measure !== 'containment') return { ...unlike, similarity: resemblance, resemblance };
  const [sizeA, sizeB] = [corpus.sizeOf(a), corpus.sizeOf(b)];
  const shared = (resemblance * (sizeA + sizeB)) / (1 + resemblance);
  const [containmentAB, containmentBA] = [Math.min(1, shared / sizeA), Math.min(1, shared / sizeB)];
  return { similarity: containmentAB, resemblance, containmentAB, containmentBA };
}

/** Of a chain the value may be below the threshold; the evidence has it all the same. */
function evidenceThreshold({ cluster, threshold }: Pick<RunOptions, 'cluster' | 'threshold'>): number {
  return cluster === 'connected' ? 0 : threshold;
}

/** `decided` wins over `exact`, `exact` over `near`, `near` over `contained`. */
export function relationOf(
  { areEqual, areDecided }: { readonly areEqual: boolean; readonly areDecided: boolean },
  { resemblance, containmentAB }: Pick<ItemPair, 'resemblance' | 'containmentAB'>,
  { measure, threshold }: RunOptions,
): Relation {
  if (areDecided) return 'decided';
  if (areEqual) return 'exact';
  return measure === 'containment' && resemblance < threshold && containmentAB >= threshold ? 'contained' : 'near';
}
