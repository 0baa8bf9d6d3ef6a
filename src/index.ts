/** The public surface of `neardup`: all of `neardup/browser`, and what needs Node. */

export * from './browser.ts';
export type { StorePolicy } from './store/batch.ts';
export type { ClusterPage, ClusterQuery } from './store/clusters.ts';
export type { Damage } from './store/contract.ts';
export type { GivenIndexOptions } from './store/index-options.ts';
export type { AddOutcome, AddSettings, NearIndex, Stats } from './store/near-index.ts';
export { type GivenOpenOptions, openIndex } from './store/open-index.ts';
export type { Verdict } from './store/record.ts';
export type { SearchQuery, SearchSettings } from './store/search.ts';
