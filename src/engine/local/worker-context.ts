/** What a worker is told at its start → what it works with: kernels, readers, the way to candidate keys. */
import type { FieldRules } from '../../formats/fields.ts';
import { openReading } from '../../formats/reading.ts';
import type { Sketch } from '../../sketch/sketch.ts';
import { type CandidateKeys, createCandidateKeys } from '../candidate-keys.ts';
import { createEditMeasure, type EditMeasure } from '../edit-items.ts';
import { type RunOptions, readRunOptions } from '../run-options.ts';
import { createRunSketcher } from '../run-sketcher.ts';
import type { Sketcher } from '../sketcher.ts';
import { ChunkColumns } from './chunk-columns.ts';
import { createLineKernel, type LineKernel } from './line-kernel.ts';
import type { WorkerPlan } from './plan.ts';
import type { News } from './tasks.ts';

export interface WorkerContext {
  readonly plan: WorkerPlan;
  readonly options: RunOptions;
  readonly lines: LineKernel;
  /** What is learnt of one chunk after another. */
  columns: ChunkColumns;
  readonly sketcher: Sketcher;
  readonly keysOf: (sketch: Sketch, set: () => BigUint64Array) => CandidateKeys;
  /** Only with measure edit. */
  readonly editMeasure: EditMeasure | undefined;
  readonly maxDocument: number;
  /** Tells the main thread something while a task is under way. */
  readonly tell: (news: News) => void;
  /** How a line becomes a document: of an input as it is, or of one that was converted, where HTML is text already. */
  readonly rules: { readonly raw: FieldRules; readonly converted: FieldRules };
}

export async function createContext(plan: WorkerPlan, tell: WorkerContext['tell']): Promise<WorkerContext> {
  const options = readRunOptions(plan.given);
  const sketcher = await createRunSketcher(options, plan.given);
  const { fields, maxDocument } = await openReading(plan.reading);
  return {
    plan,
    options,
    lines: await createLineKernel(plan.reading, options),
    columns: new ChunkColumns(),
    sketcher,
    keysOf: createCandidateKeys(options, sketcher.kernel),
    editMeasure: options.measure === 'edit' ? await createEditMeasure() : undefined,
    maxDocument,
    tell,
    rules: { raw: fields, converted: { ...plan.reading, html: 'never' } },
  };
}
