/** What the HTTP service answers, as the contract of /v1 says. */

export type Status = 'new' | 'exact' | 'near' | 'contained';

export interface Verdict {
  readonly id: string;
  readonly status: Status;
  readonly of?: string;
  readonly resemblance?: number;
  readonly containment?: number;
}

export interface Stats {
  readonly documents: number;
  readonly bytes: number;
  readonly options: Readonly<Record<string, unknown>>;
  readonly verdicts?: Readonly<Record<Status, number>>;
}

export interface ServiceDocument {
  readonly id: string;
  readonly text?: string;
  readonly set?: readonly (string | number)[];
}

export interface ServiceCluster {
  readonly cluster: string;
  readonly size: number;
  readonly representative: string;
  readonly members: readonly string[];
  readonly minResemblance?: number;
  readonly state?: 'open' | 'decided';
  /** Members whose text is stored; a list does not say. */
  readonly stored?: readonly string[];
}

export interface ClusterPage {
  readonly clusters: readonly ServiceCluster[];
  readonly total: number;
  readonly next?: string;
}

export interface ServicePair {
  readonly a: string;
  readonly b: string;
  readonly resemblance: number;
  readonly containmentAB: number;
  readonly containmentBA: number;
}

export interface ServicePairs {
  readonly pairs: readonly ServicePair[];
  /** Members of which only the values against the representative are known. */
  readonly notStored: number;
  readonly total: number;
}

/** Counts over the whole index. */
export interface IndexHistogram {
  /** By hundredths of the resemblance to the best match; the 101st is of resemblance 1. */
  readonly matches: Readonly<Record<Exclude<Status, 'new'>, readonly number[]>>;
  /** Clusters of 2 documents, of 3 and 4, of 5 to 8 … */
  readonly sizes: readonly number[];
}

/** Of copies of stored documents that are just at the threshold, how many are recognised. */
export interface MeasuredRecall {
  readonly recall: number | null;
  readonly found: number;
  readonly documents: number;
  readonly leastResemblance: number | null;
  readonly meanResemblance: number | null;
}

export interface FoundDocument {
  readonly id: string;
  readonly resemblance: number;
  /** Of the query in the document. */
  readonly containment: number;
}

/** What of a document many others of the index have, too. */
export interface Boilerplate {
  readonly ranges: readonly (readonly [start: number, end: number])[];
  /** Documents that were looked into. */
  readonly documents: number;
  readonly atLeast: number;
}

export type DecisionVerdict = 'same' | 'different' | 'undecided';

/** A line of decisions.jsonl. */
export interface Decision {
  readonly a: string;
  readonly b: string;
  readonly verdict: DecisionVerdict;
  readonly keep?: string;
  readonly note?: string;
  readonly by?: string;
  readonly at?: string;
}
