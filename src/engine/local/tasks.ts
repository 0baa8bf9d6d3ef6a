/** What workers can be asked to do, and what they answer. */
import type { Rows } from '../buckets.ts';
import type { ChunkColumns } from './columns.ts';
import type { DecideTask } from './decide-items.ts';
import type { Chunk } from './plan.ts';
import type { SharedKeysTask } from './shared-keys.ts';
import type { ShingleSets, ShingleTask } from './shingle-chunk.ts';

export interface Tasks {
  readonly sketch: { input: Chunk; output: ChunkColumns };
  readonly sharedKeys: { input: SharedKeysTask; output: Rows };
  readonly shingle: { input: ShingleTask; output: ShingleSets };
  readonly decide: { input: DecideTask; output: unknown };
}

export type TaskName = keyof Tasks;

export interface Task {
  readonly name: TaskName;
  readonly input: unknown;
}

export type Answer = { readonly output: unknown } | { readonly error: unknown };
