/** The worker that compares, shared by the pages that ask it. */
import { WorkerClient } from './client.ts';
import type { CompareApi } from './compare.worker.ts';

export const compareWorker = new WorkerClient<CompareApi>(
  () => new Worker(new URL('./compare.worker.ts', import.meta.url), { type: 'module' }),
);
