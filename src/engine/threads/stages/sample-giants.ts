/** Some members of giant components → whether the giants come apart where the threshold is not reached. */
import { createUnionFind } from '../../../cluster/union-find.ts';
import { cannotReach, measuresOf } from '../../../similarity/measures.ts';
import { openDocuments } from '../storage/open-documents.ts';
import { type StageFile, writeStage } from '../storage/stage-file.ts';
import type { WorkerContext } from '../worker-context.ts';
import type { Giants } from './giants.ts';

export interface SampleTask {
  /** Documents, ascending, and the components they are in. */
  readonly documents: Uint32Array;
  readonly roots: Uint32Array;
  readonly path: string;
}

/** `parts`: documents that are linked by resemblance are one part, those that are linked to none are one each. */
export type SampleFile = StageFile<{ readonly parts: number }>;

export function sampleGiants(context: WorkerContext, giants: Giants, task: SampleTask): SampleFile {
  const { documents, roots, path } = task;
  const { threshold } = context.options;
  const { sets, close } = openDocuments(context, giants, documents);
  const linked = createUnionFind(documents.length);
  let parts = documents.length;
  for (let a = 0; a < documents.length; a++) {
    for (let b = 0; b < a; b++) {
      if (roots[a] !== roots[b] || linked.find(a) === linked.find(b)) continue;
      const [sizeA, sizeB] = [sets.sizeOf(a), sets.sizeOf(b)];
      if (cannotReach(sizeA, sizeB, threshold)) continue;
      if (measuresOf(sizeA, sizeB, sets.shared(a, b)).resemblance < threshold) continue;
      linked.union(a, b);
      parts--;
    }
  }
  close();
  return writeStage(path, {}, { parts });
}
