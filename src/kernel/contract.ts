/** What a kernel does. Two keep this contract: the WebAssembly one and its slow twin in reference.ts. */
import type { ShingleSpec } from '../model.ts';

export interface KernelOptions {
  readonly shingle: ShingleSpec;
  readonly keepCase: boolean;
  readonly seed: number;
  /** Minima of a MinHash sketch, bins of a one-permutation sketch. */
  readonly hashes: number;
}

/** A text as a string, or as UTF-8 bytes; invalid bytes and half surrogate pairs are read as U+FFFD. */
export type Text = string | Uint8Array;

export interface TextFacts {
  readonly words: number;
  /** 128 bits of the text's bytes. */
  readonly contentHash: bigint;
}

export interface OnePermutationSketch {
  readonly values: Uint32Array;
  /** Bins that had an element of their own; the others have borrowed. 0 when the set is empty. */
  readonly filled: number;
}

export type LineKind = 'document' | 'not JSON' | 'not an object' | 'nested too deeply';
export type ValueKind = 'missing' | 'string' | 'number' | 'literal' | 'object' | 'array';

export interface LineRecord {
  /** Byte range of the line, without its line feed. */
  readonly start: number;
  readonly end: number;
  /** Counted from 0, blank lines included. */
  readonly line: number;
  readonly kind: LineKind;
  readonly text: ValueKind;
  readonly id: ValueKind;
  /** Byte range of the id; of a string, what stands between its quotes. */
  readonly idStart: number;
  readonly idEnd: number;
  readonly words: number;
  readonly contentHash: bigint;
  readonly sketch: Uint32Array;
}

export interface LineFields {
  readonly text: string;
  readonly id: string;
}

export type LineSketch = 'none' | 'minhash' | 'oph';

export interface LineBatch {
  readonly records: readonly LineRecord[];
  /** Bytes and lines that the records, and the blank lines between them, stand for. */
  readonly bytes: number;
  readonly lines: number;
}

export interface Kernel {
  readonly options: KernelOptions;
  read(text: Text): TextFacts;
  /** In order of appearance, repeats included. */
  shingleHashes(text: Text): BigUint64Array;
  /** Sorted, each once. */
  shingleSet(text: Text): BigUint64Array;
  /** The elements of a plain set, hashed, sorted, each once. */
  elementSet(elements: Iterable<string | number>): BigUint64Array;
  minhash(text: Text): Uint32Array;
  /** `read` and `minhash` in one pass; and the set of shingles, if it has fewer than `below` (at most 64) and is not empty. */
  readMinhash(
    text: Text,
    below?: number,
  ): TextFacts & { readonly minhash: Uint32Array; readonly few?: BigUint64Array | undefined };
  minhashOf(set: BigUint64Array): Uint32Array;
  onePermutation(text: Text): OnePermutationSketch;
  onePermutationOf(set: BigUint64Array): OnePermutationSketch;
  simhashOf(set: BigUint64Array): bigint;
  /** The elements that are 0 mod the modulus. */
  modOf(set: BigUint64Array, modulus: number): BigUint64Array;
  /** One key for each band; `positions` names the rows of each, band after band. */
  bandKeys(sketch: Uint32Array, positions: Uint32Array, bands: number): BigUint64Array;
  /** Elements of both; some number below `least`, 0 unless given, when they are fewer. */
  intersectionSize(a: BigUint64Array, b: BigUint64Array, least?: number): number;
  /** Documents of JSONL bytes; a line without its end counts only when `last`. */
  readLines(bytes: Uint8Array, last: boolean, fields: LineFields, sketch: LineSketch): LineBatch;
}
