/** What comparing two texts gives, as it travels from a worker to the page. */
import type { Difference, GivenSketcherOptions, Measures, Passage } from 'neardup/browser';

export interface CompareOptions {
  readonly shingle: NonNullable<GivenSketcherOptions['shingle']>;
}

export interface Estimated {
  readonly value: number;
  readonly standardError: number;
}

export type MeasureName = keyof Measures | 'editSimilarity';

export interface ComparedTexts {
  readonly measures: Measures;
  /** Null when it would take minutes. */
  readonly editSimilarity: number | null;
  readonly estimated: Partial<Record<MeasureName, Estimated>>;
  /** Shingles of A, of B, and of both. */
  readonly sizes: { readonly a: number; readonly b: number; readonly shared: number };
  readonly passages: readonly Passage[];
  /** What A has in place of what B has, word by word, in the order of A; one of the two may be empty. */
  readonly differences: readonly Difference[];
}

/** What many documents have, in A and in B. */
export type CommonRanges = Readonly<Record<Side, readonly Range[]>>;

export type Range = readonly [start: number, end: number];
export type Side = 'a' | 'b';

/** One minimum of both sketches, and the shingle it is of. */
export interface Minimum {
  readonly a: number;
  readonly b: number;
  readonly shingleA: string;
  readonly shingleB: string;
}

/** Why the estimate is what it is. */
export interface Explanation {
  readonly minima: readonly Minimum[];
  readonly bands: number;
  readonly rows: number;
  readonly shared: readonly HashedShingle[];
  readonly onlyA: readonly HashedShingle[];
  readonly onlyB: readonly HashedShingle[];
  readonly sizes: ComparedTexts['sizes'];
}

export interface HashedShingle {
  readonly text: string;
  readonly hash: string;
}
