/** What a caller may give for each option, with the words an editor shows, and what a call works with once it is read. */
import type { KeepSpec, LshSpec, Measure, ShingleSpec, SketchSpec } from '../model.ts';
import type { NormaliseList, NormaliseStep } from './normalise.ts';

/** Units are powers of 1,024; a number counts bytes. */
export type ByteSize = number | `${number}${ByteUnit | Lowercase<ByteUnit>}`;
type ByteUnit = '' | 'B' | 'KB' | 'MB' | 'GB' | 'TB';

/** Every option by its name. The table (`table.ts`) has the same names, with ranges, defaults and help. */
export interface GivenValues {
  /** Similarity, 0 to 1, at or above which two documents are near-duplicates. Default: 0.8. */
  threshold: number;
  /** Share of the pairs at the threshold that LSH must find, 0.5 to 0.999999. Default: 0.999. */
  recall: number;
  /** The similarity that is compared with the threshold. Default: `'resemblance'`. */
  measure: Measure;
  /** Runs of K words, `word:K`, or of K code points, `char:K`; K from 1 to 1000. Default: `'word:5'`. */
  shingle: `word:${number}` | `char:${number}`;
  /** Kind and size of the sketch that candidates are found by. Default: `'minhash:128'`. */
  sketch:
    | 'minhash'
    | `minhash:${number}`
    | 'oph'
    | `oph:${number}`
    | 'bottom'
    | `bottom:${number}`
    | 'mod'
    | 'mod:auto'
    | `mod:${number}`
    | 'super'
    | `super:${number}`
    | 'simhash'
    | 'simhash:64';
  /** How candidates are verified: on whole shingle sets, by their sketches, or not at all. Default: `'exact'`. */
  verify: 'exact' | 'sketch' | 'none';
  /** `direct`: each removed document itself resembles the kept one; `connected`: chains count. Default: `'direct'`. */
  cluster: 'direct' | 'connected';
  /** Which of several near-duplicates stays; a field may be nested, as in `max:meta.date`. Default: `'first'`. */
  keep: 'first' | 'longest' | 'shortest' | `max:${string}` | `min:${string}` | `prefer:${string}=${string}`;
  /** Compare only documents with equal values of this field. */
  by: string;
  /** Stop when there are more pairs than this. Default: 10000000. */
  maxPairs: number;
  /** The largest document that is read; a larger one is a reject. Default: `'64MB'`. */
  maxDocument: ByteSize;
  /** Safety brake: stop when more than this share would be removed, as in `'30%'`. */
  maxRemoved: `${number}%`;
  /** Threads to work on, 1 to 256. Default: as many as there are cores. */
  jobs: number;
  /** Memory that a run may take; what does not fit goes to files. Default: `'2GB'`. */
  memory: ByteSize;
  /** Folder for temporary files. Default: the system's. */
  tmp: string;
  /** Continue an interrupted run with the same inputs and options from what it left in `tmp`. Default: false. */
  resume: boolean;
  /** Where to run: on this machine, or on Apache Spark. Default: `'local'`. */
  engine: 'local' | 'spark';
  /** With engine `spark`: `local[N]`, `spark://host:7077`, `yarn`, or `sc://host:15002` for a Connect server. */
  master: string;
  /** Safety brake: stop when a cluster is larger than this. */
  maxCluster: number;
  /** A file that cannot be read to its end: fail, or skip what is behind the damage. Default: `'fail'`. */
  damaged: 'fail' | 'skip';
  /** The first reject fails the run. Default: false. */
  strict: boolean;
  /** How minima become candidate keys: B bands of R rows, or B random selections of R. Default: `'auto'`. */
  lsh: 'auto' | `bands:${number}x${number}` | `random:${number}x${number}`;
  /** What is done to a text before it is split into words: a list, or its steps separated by commas. Default: nothing. */
  normalise: NormaliseList | readonly NormaliseStep[];
  /** Seed of every hash and permutation, a whole number from 0. Default: 1. */
  seed: number;
  /** Turn HTML into text: `auto` does it with HTML files and records only. Default: `'auto'`. */
  html: 'auto' | 'always' | 'never';
  /** Input format, when the name does not tell it. */
  format: 'jsonl' | 'json' | 'csv' | 'tsv' | 'parquet' | 'warc' | 'text' | 'html';
  /** Field that holds the text; it may be nested, as in `page.body`. Default: `'text'`. */
  textField: string;
  /** Field that holds the id. Default: `'id'`. */
  idField: string;
  /** Field that holds a set of strings or numbers, instead of a text. */
  setField: string;
  /** Bits kept of each minimum (b-bit MinHash), 1 to 32. Default: 32. */
  bits: number;
  /** Number of minima to spend, 1 to 4096. Default: 128. */
  hashes: number;
  /** Number of bands. */
  bands: number;
  /** Rows in a band. */
  rows: number;
  /** Equal minima that make two documents similar. */
  matches: number;
  /** Number of minima compared. */
  of: number;
}

export type OptionName = keyof GivenValues;

/** Options whose parsed value differs from the given one. */
export interface ReadValues {
  shingle: ShingleSpec;
  sketch: SketchSpec;
  keep: KeepSpec;
  lsh: LshSpec;
  normalise: readonly NormaliseStep[];
  /** Bytes. */
  maxDocument: number;
  memory: number;
  /** A share of 1. */
  maxRemoved: number;
}

/** What comes out of an option's parser. */
export type OptionValue<Name extends OptionName> = Name extends keyof ReadValues ? ReadValues[Name] : GivenValues[Name];

/** What a caller may give. The command line gives strings, which the same parsers take. */
export type GivenOptions<Names extends OptionName = OptionName> = {
  readonly [Name in Names]?: GivenValues[Name] | undefined;
} & AliasOf<Names>;

type AliasOf<Names extends OptionName> = 'normalise' extends Names ? Normalize : unknown;

interface Normalize {
  /** Another spelling of `normalise`. */
  readonly normalize?: GivenValues['normalise'] | undefined;
}
