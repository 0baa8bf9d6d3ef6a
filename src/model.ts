/** The things a user of the library meets: documents, sketches, pairs, clusters. */

/** A document is a text or a plain set. It keeps the other fields it came with. */
export interface Document {
  readonly id: string;
  readonly text?: string;
  readonly set?: readonly (string | number)[];
  readonly [field: string]: unknown;
}

/** Elements of a plain set: a list, a `Set` or another iterable. A number counts as its decimal string. */
export type Elements = Iterable<string | number> & object;

/** A document as a caller gives it: a text or a set of elements. Its other fields are the caller's own. */
export interface GivenDocument {
  /** A document whose id is missing, null, empty or repeated is named by its position. */
  readonly id?: string | number | bigint | null | undefined;
  readonly text?: string | undefined;
  /** Used when there is no text. */
  readonly set?: Elements | undefined;
}

/** For an index, where an id is a key. */
export interface IndexedDocument extends GivenDocument {
  readonly id: string | number;
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

/** Which of several near-duplicates stays. */
export type KeepSpec =
  | { readonly policy: 'first' | 'longest' | 'shortest' }
  | { readonly policy: 'max' | 'min'; readonly field: string }
  | { readonly policy: 'prefer'; readonly field: string; readonly values: readonly string[] };

export type Measure = 'resemblance' | 'containment' | 'edit';

/** A value that was estimated from a sample, with its standard error. */
export interface Estimate {
  readonly value: number;
  readonly standardError: number;
}

/** The shared text of two documents: half-open ranges of UTF-16 offsets. */
export interface Passage {
  readonly a: readonly [start: number, end: number];
  readonly b: readonly [start: number, end: number];
}

/** How the content of a document relates to that of another. */
export type FoundRelation = 'exact' | 'near' | 'contained';

/** `decided`: somebody called the two the same, whatever their values. */
export type Relation = FoundRelation | 'decided';

/** Why a document was removed. Without exact verification the values are estimates, and their names say so. */
export interface Removal {
  readonly id: string;
  readonly keptId: string;
  readonly relation: Relation;
  readonly resemblance?: number;
  /** Of the removed document in the kept one. */
  readonly containment?: number;
  readonly estimatedResemblance?: number;
  readonly editSimilarity?: number;
  /** The kept document's id. */
  readonly cluster: string;
  /** The kept document is in the reference set (`protect`), whose ids may repeat those of the inputs. */
  readonly reference?: true;
}

export interface Pair {
  readonly a: string;
  readonly b: string;
  readonly resemblance?: number;
  readonly containmentAB?: number;
  readonly containmentBA?: number;
  readonly estimatedResemblance?: number;
  readonly editSimilarity?: number;
  /** Somebody called the two the same: the pair is listed whatever its values. */
  readonly relation?: 'decided';
}

/** A document like the one that was searched for. */
export interface SearchResult {
  readonly id: string;
  readonly resemblance: number;
  /** Of the query in the document. */
  readonly containment: number;
}

/** Two or more documents, the representative among them. */
export interface Cluster {
  readonly cluster: string;
  readonly size: number;
  readonly representative: string;
  readonly members: readonly string[];
  readonly minResemblance?: number;
  readonly minEstimatedResemblance?: number;
}
