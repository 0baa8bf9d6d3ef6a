/** The messages between the caller and the thread that hosts a run. */
import type { Failure } from '../errors.ts';
import type { Cluster, Pair } from '../model.ts';
import type { DedupAsked } from './dedup-batch.ts';
import type { FilesProgress } from './files-calls.ts';
import type { ClustersAsked, PairsAsked } from './list-batch.ts';
import type { ClustersSummary, DedupSummary, PairsSummary } from './summary.ts';

export interface Hosted {
  readonly dedup: { readonly asked: DedupAsked; readonly summary: DedupSummary; readonly item: never };
  readonly pairs: { readonly asked: PairsAsked; readonly summary: PairsSummary; readonly item: Pair };
  readonly clusters: { readonly asked: ClustersAsked; readonly summary: ClustersSummary; readonly item: Cluster };
}

export interface HostedRun<Name extends keyof Hosted = keyof Hosted> {
  readonly name: Name;
  readonly asked: Hosted[Name]['asked'];
}

export type HostData = { readonly [Name in keyof Hosted]: HostedRun<Name> }[keyof Hosted] & {
  /** Pairs or clusters go to the caller, not to a file. */
  readonly givesItems: boolean;
};

/** `more`: the items were taken; `end`: the thread is no longer needed. */
export type ToHost = 'more' | 'abort' | 'end';

export type FromHost =
  | { readonly progress: FilesProgress }
  | { readonly warning: string }
  | { readonly items: readonly (Pair | Cluster)[] }
  | { readonly summary: Hosted[keyof Hosted]['summary'] }
  | { readonly failure: Failure };
