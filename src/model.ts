/** The things a user of the library meets: documents, sketches, pairs, clusters. */

/** A document is a text or a plain set, with whatever other fields it came with. */
export interface Document {
  readonly id: string;
  readonly text?: string;
  readonly set?: readonly (string | number)[];
  readonly [field: string]: unknown;
}

export interface ShingleSpec {
  readonly unit: 'word' | 'char';
  readonly size: number;
}

export type SketchKind = 'minhash' | 'oph' | 'bottom' | 'mod' | 'super' | 'simhash';

export interface SketchSpec {
  readonly kind: SketchKind;
  /** Hashes of `minhash` and `oph`, elements of `bottom`, modulus of `mod`, hashes under `super`, bits of `simhash`. */
  readonly size: number;
}

export type LshSpec =
  | { readonly kind: 'auto' }
  | { readonly kind: 'bands' | 'random'; readonly bands: number; readonly rows: number };

export type Measure = 'resemblance' | 'containment' | 'edit';

/** A value found from a sample, with the standard error that goes with it. */
export interface Estimate {
  readonly value: number;
  readonly standardError: number;
}

/** The shared text of two documents: half-open ranges of UTF-16 offsets. */
export interface Passage {
  readonly a: readonly [start: number, end: number];
  readonly b: readonly [start: number, end: number];
}
