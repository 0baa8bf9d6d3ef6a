/** What workers can be asked to do, and what they answer. */
import type { LargestGroup } from '../decide/comparisons.ts';
import type { Chunk } from './plan/plan.ts';
import type { CopyingToFile, CopyTask } from './stages/copy-block.ts';
import type { ElementsFile, RangeTask, TallyTask } from './stages/count-elements.ts';
import type { Dealt } from './stages/deal.ts';
import type { DealTask, DealtRows } from './stages/deal-rows.ts';
import type { RemovedFile, ShareTask } from './stages/decide-share.ts';
import type { Giants } from './stages/giants.ts';
import type { LinkTask, Numbered, RowsFile } from './stages/link-keyed-items.ts';
import type { LinkPrefixesTask, LinksFile } from './stages/link-prefixes.ts';
import type { LookedUpFile, LookUpTask } from './stages/look-up.ts';
import type { PairsFile, PairTask } from './stages/pair-share.ts';
import type { PrefixesFile, PrefixTask } from './stages/prefix-range.ts';
import type { SampleFile, SampleTask } from './stages/sample-giants.ts';
import type { Linked } from './stages/share.ts';
import type { ChunkFile } from './storage/chunk-columns.ts';
import type { Planned } from './storage/open-lines.ts';

/** Each leaves a file under its path, and answers with what is in it; but `tally` counts in memory that all share, and `copy` writes a part of the output. */
export interface Tasks {
  readonly sketch: { input: { readonly chunk: Chunk; readonly path: string }; output: ChunkFile };
  readonly link: { input: LinkTask; output: RowsFile };
  readonly lookUp: { input: LookUpTask; output: LookedUpFile };
  readonly sample: { input: SampleTask; output: SampleFile };
  readonly elements: { input: RangeTask; output: ElementsFile };
  readonly tally: { input: TallyTask; output: undefined };
  readonly prefix: { input: PrefixTask; output: PrefixesFile };
  readonly linkPrefixes: { input: LinkPrefixesTask; output: LinksFile };
  readonly deal: { input: DealTask; output: DealtRows };
  readonly decide: { input: ShareTask; output: RemovedFile };
  readonly pair: { input: PairTask; output: PairsFile };
  readonly copy: { input: CopyTask; output: undefined };
}

export type TaskName = keyof Tasks;

/** What tasks of a stage have in common: told once, not with each. */
export interface Common {
  readonly numbered?: Numbered;
  readonly planned?: Planned;
  readonly active?: Uint8Array | undefined;
  readonly giants?: Giants;
  readonly dealt?: Dealt;
  readonly linked?: Linked;
  readonly copying?: CopyingToFile;
}

export interface Task {
  readonly name: TaskName;
  readonly input: unknown;
}

/** Each message but the last is answered, in the order in which they were sent. */
export type Message = Task | { readonly common: Common } | typeof LAST;
export const LAST = 'last';
/** What a worker tells while a task is under way: comparisons are many. */
export interface News {
  readonly many: LargestGroup;
}
export type Answer = { readonly output: unknown } | { readonly error: unknown } | { readonly news: News };
