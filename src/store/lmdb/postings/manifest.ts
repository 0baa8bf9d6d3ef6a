/** Which runs there are: what is read, and what is left over. */
import type { RunDescription } from './run.ts';

export interface Manifest {
  readonly nextRun: number;
  /** Entries before this number are in runs. */
  readonly flushedTo: number;
  /** In order of their numbers. */
  readonly runs: readonly RunDescription[];
  /** Runs of which there may be parts that nobody reads: merged into others, or never finished. */
  readonly garbage: readonly number[];
}

export const emptyManifest: Manifest = { nextRun: 1, flushedTo: 0, runs: [], garbage: [] };
