/** The run that is shown: it stays while other pages are visited. */
import { signal } from '@preact/signals';
import { announce } from '../ui/announce.tsx';
import { many } from '../ui/shown.ts';
import { Cancelled, WorkerClient } from '../work/client.ts';
import { forget } from './decisions.ts';
import type { RunResult, TryApi, TryOptions } from './types.ts';

export const worker = new WorkerClient<TryApi>(
  () => new Worker(new URL('./try.worker.ts', import.meta.url), { type: 'module' }),
);

/** What was dropped last, to be run again with other options. */
export const given = signal<readonly File[]>([]);
export const result = signal<RunResult | undefined>(undefined);
export const problem = signal('');
export const progress = signal<{ text: string; share?: number } | undefined>(undefined);

export async function start(files: readonly File[], options: TryOptions): Promise<void> {
  worker.stop();
  given.value = files;
  result.value = undefined;
  problem.value = '';
  forget();
  progress.value = { text: 'Reading …', share: 0 };
  try {
    result.value = await worker.call('run', { files, options }, event => {
      if (event.kind === 'reading')
        progress.value = {
          text: event.documents > 0 ? `Reading: ${many(event.documents, 'document')} …` : 'Reading …',
          share: event.of > 0 ? event.bytes / event.of : 0,
        };
      else if (event.kind === 'finding') progress.value = { text: `Comparing ${many(event.documents, 'document')} …` };
      else result.value = event.result;
    });
    announce(`Done: ${many(result.value.groups.length, 'group')} of near-duplicates.`);
  } catch (error) {
    if (!(error instanceof Cancelled)) problem.value = (error as Error).message;
  } finally {
    progress.value = undefined;
  }
}

/** What was found so far stays to be seen, but its texts are gone with the worker. */
export function cancel(): void {
  worker.stop();
  result.value = undefined;
  announce('Cancelled.');
}
