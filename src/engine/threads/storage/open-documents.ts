/** Documents by their numbers → what is in their lines: the document, and its set of shingles. */
import { isReject } from '../../../formats/item.ts';
import { readJsonLine } from '../../../formats/json/read.ts';
import type { Document } from '../../../model.ts';
import { withoutText } from '../../analyse/content.ts';
import type { WorkerContext } from '../worker-context.ts';
import { documentSets, kernelSets, type SetsOfItems } from './line-sets.ts';
import { openLines, type Planned } from './open-lines.ts';

export interface OpenDocuments {
  documentOf(item: number): Document;
  readonly sets: SetsOfItems;
  close(): void;
}

/** Documents ascend; numbers are places among them. */
export function openDocuments(context: WorkerContext, planned: Planned, documents: Uint32Array): OpenDocuments {
  const { plan, rules } = context;
  const lines = openLines(planned, documents);
  const documentOf = (item: number): Document => {
    const read = readJsonLine(
      lines.read(item),
      { file: '', line: 0 },
      lines.isConverted(item) ? rules.converted : rules.raw,
    );
    if (read === undefined || isReject(read))
      throw new Error('an input changed while it was read; nothing was written');
    return plan.reading.setField === undefined ? read.document : withoutText(read.document);
  };
  const sets = plan.setsByKernel ? kernelSets(context, lines, documentOf) : documentSets(context, documentOf);
  return { documentOf, sets, close: lines.close };
}
