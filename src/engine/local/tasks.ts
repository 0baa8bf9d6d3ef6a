/** What workers can be asked to do, and what they answer. */
import type { LargestGroup } from '../comparisons.ts';
import type { ChunkFile } from './chunk-columns.ts';
import type { Dealt } from './deal.ts';
import type { DealTask, DealtRows } from './deal-rows.ts';
import type { RemovedFile, ShareTask } from './decide-share.ts';
import type { LinkTask, Numbered, RowsFile } from './link-entries.ts';
import type { PairsFile, PairTask } from './pair-share.ts';
import type { Chunk } from './plan.ts';
import type { Linked } from './share.ts';

/** Each leaves a file under its path, and answers with what is in it. */
export interface Tasks {
  readonly sketch: { input: { readonly chunk: Chunk; readonly path: string }; output: ChunkFile };
  readonly link: { input: LinkTask; output: RowsFile };
  readonly deal: { input: DealTask; output: DealtRows };
  readonly decide: { input: ShareTask; output: RemovedFile };
  readonly pair: { input: PairTask; output: PairsFile };
}

export type TaskName = keyof Tasks;

/** What tasks of a stage have in common: told once, not with each. */
export interface Common {
  readonly numbered?: Numbered;
  readonly active?: Uint8Array | undefined;
  readonly dealt?: Dealt;
  readonly linked?: Linked;
}

export interface Task {
  readonly name: TaskName;
  readonly input: unknown;
}

/** Each message but the last is answered, before the next one is sent. */
export type Message = Task | { readonly common: Common } | typeof LAST;
export const LAST = 'last';
/** What a worker tells while a task is under way: comparisons are many. */
export interface News {
  readonly many: LargestGroup;
}
export type Answer = { readonly output: unknown } | { readonly error: unknown } | { readonly news: News };
