/** What the calls of an index take and give. */

import type { NeardupError } from '../errors.ts';
import type { Document } from '../model.ts';
import type { TextRange } from '../similarity/differences.ts';
import type { StorePolicy } from './batch.ts';
import type { ClusterQuery } from './cluster-pages.ts';
import type { ClusterPairsQuery } from './cluster-pairs.ts';
import type { DocumentQuery } from './documents-page.ts';
import type { IndexInput } from './index-input.ts';
import type { RecallSettings } from './measure-recall.ts';
import type { Verdict } from './record.ts';
import type { SearchSettings } from './search.ts';

export interface AddSettings<Given extends IndexInput = Document> {
  /** Which documents are stored with their text; by default what the index was opened with. */
  readonly store?: StorePolicy;
  /**
   * Called with a verdict before it is remembered, and not when a known id gets its first one again. If it fails, nothing
   * of the batch is remembered; so what it passes on comes at least once, even if the process is killed in between.
   */
  readonly onDecided?: (verdict: Verdict, document: Given) => Promise<void> | void;
  /** Called once for a batch, between `onDecided` of all its documents and remembering them: to sync what was passed on, say. */
  readonly beforeRemembering?: () => Promise<void> | void;
  /** Called before the answer when its verdict is remembered, and not when a known id gets its first one again. */
  readonly onRemembered?: (verdict: Verdict) => void;
  /** Called in the same order for a document that cannot be added. If it fails, nothing of the batch is remembered. */
  readonly onRefused?: (error: NeardupError, document: Given) => Promise<void> | void;
  /** Bytes that nobody else uses: they may move to a thread, and are gone here, instead of being copied. */
  readonly mayTake?: boolean;
  /** The JSON text a document was read from: numbers that JavaScript would change (1.0, 2 ** 64) are stored as written there. */
  readonly json?: (document: Given) => string | undefined;
}

/** Of a stream of documents, one that cannot be added does not end it. Bytes that are no document have no id. */
export type AddOutcome = Verdict | { readonly id?: string; readonly error: NeardupError };

export interface Stats {
  /** Stored, with their text. */
  readonly documents: number;
  /** On disk; in memory, of its entries; on Redis, in the memory of the servers, of its keys (past 100 entries, estimated from as many). */
  readonly bytes: number;
  readonly options: Readonly<Record<string, string | number>>;
  /** Verdicts by status, of all ids that are known. */
  readonly verdicts: Readonly<Record<Verdict['status'], number>>;
}

/** What of a text is boilerplate, and how that was found. */
export interface Boilerplate {
  /** Half-open ranges of UTF-16 offsets, in order. None for a set. */
  readonly ranges: readonly TextRange[];
  /** Documents of the index it was looked for in: some that share a key with it, and an even sample of all. */
  readonly documents: number;
  /** How many of them must have a shingle for it to count. */
  readonly atLeast: number;
}

export interface BoilerplateSettings {
  /** Other documents that must have a shingle: 8 unless given. */
  readonly atLeast?: number;
}

export const SETTING = 'setting name';
export const putNames = ['store', 'json', 'onRemembered', 'mayTake'] as const satisfies readonly (keyof AddSettings)[];
export const checkNames = ['mayTake'] as const satisfies readonly (keyof AddSettings)[];
export const addNames = [
  ...putNames,
  'onDecided',
  'onRefused',
  'beforeRemembering',
] as const satisfies readonly (keyof AddSettings)[];
export const searchNames = ['limit', 'threshold', 'measure'] as const satisfies readonly (keyof SearchSettings)[];
export const clusterNames = [
  'limit',
  'cursor',
  'minSize',
  'sort',
  'order',
  'q',
  'state',
  'from',
  'to',
] as const satisfies readonly (keyof ClusterQuery)[];
export const boilerplateNames = ['atLeast'] as const satisfies readonly (keyof BoilerplateSettings)[];
export const pairNames = ['limit', 'tree'] as const satisfies readonly (keyof ClusterPairsQuery)[];
export const recallNames = ['documents', 'seconds'] as const satisfies readonly (keyof RecallSettings)[];
export const documentNames = ['limit', 'cursor', 'status', 'order'] as const satisfies readonly (keyof DocumentQuery)[];
