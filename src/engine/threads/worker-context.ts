/** What a worker is told at its start → what it works with: kernels, readers, the way to candidate keys. */
import type { FieldRules } from '../../formats/fields.ts';
import { openReading } from '../../formats/reading.ts';
import { type Analyser, createAnalyser } from '../analyse/analyse.ts';
import { createLoggedContent, type LoggedContent } from '../analyse/logged-content.ts';
import { shortTextsOf } from '../analyse/short-texts.ts';
import { createEditMeasure, type EditMeasure } from '../decide/edit-items.ts';
import type { RunOptions } from '../run-options.ts';
import { type Sketcher, sketcherOf } from '../sketcher.ts';
import type { WorkerPlan } from './plan/plan.ts';
import { ChunkColumns } from './storage/chunk-columns.ts';
import { createLineKernel, type LineKernel } from './storage/line-kernel.ts';
import type { News } from './tasks.ts';

export interface WorkerContext {
  readonly plan: WorkerPlan;
  readonly options: RunOptions;
  readonly lines: LineKernel;
  /** What is learnt of one chunk after another. */
  columns: ChunkColumns;
  readonly sketcher: Sketcher;
  readonly analyser: Analyser;
  /** Only with measure edit. */
  readonly editMeasure: EditMeasure | undefined;
  /** As a log of decisions has it. */
  readonly loggedContent: LoggedContent;
  readonly maxDocument: number;
  /** Tells the main thread something while a task is under way. */
  readonly tell: (news: News) => void;
  /** How a line becomes a document: of an input as it is, or of one that was converted, where HTML is text already. */
  readonly rules: { readonly raw: FieldRules; readonly converted: FieldRules };
}

export async function createContext(plan: WorkerPlan, tell: WorkerContext['tell']): Promise<WorkerContext> {
  const { options } = plan;
  const sketcher = await sketcherOf(options);
  const { fields, maxDocument } = await openReading(plan.reading);
  return {
    plan,
    options,
    lines: await createLineKernel(plan.reading, options),
    columns: new ChunkColumns(),
    sketcher,
    analyser: createAnalyser(options, sketcher, shortTextsOf(options)),
    editMeasure: options.measure === 'edit' ? await createEditMeasure() : undefined,
    loggedContent: await createLoggedContent(options.seed, sketcher.kernel),
    maxDocument,
    tell,
    rules: { raw: fields, converted: { ...plan.reading, html: 'never' } },
  };
}
