/**
 * A run over files → the same on a thread of its own, so that the caller's event loop is free: between their stages, runs work
 * through all documents at once, which takes seconds where there are millions.
 */
import { Worker } from 'node:worker_threads';
import { errorOf } from '../errors.ts';
import { programUrl } from '../files/package.ts';
import type { FilesCallSettings } from './files-calls.ts';
import type { FromHost, Hosted, HostedRun, ToHost } from './hosted-runs.ts';

const program = programUrl('batch/host-worker.js');

/** `onItems` takes the pairs or clusters, some at a time; the run waits for it. */
export async function host<Name extends keyof Hosted>(
  run: HostedRun<Name>,
  { signal, onProgress, onWarning }: FilesCallSettings,
  onItems?: (items: readonly Hosted[Name]['item'][]) => Promise<void>,
): Promise<Hosted[Name]['summary']> {
  signal?.throwIfAborted();
  // Arguments of the caller's Node, such as --input-type, may not go with a file.
  const worker = new Worker(program, { execArgv: [], workerData: { ...run, givesItems: onItems !== undefined } });
  const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()));
  const send = (message: ToHost) => worker.postMessage(message);
  const abort = () => send('abort');
  signal?.addEventListener('abort', abort);
  try {
    return await new Promise<Hosted[Name]['summary']>((resolve, reject) => {
      worker.on('message', (message: FromHost) => {
        if ('progress' in message) onProgress?.(message.progress);
        else if ('warning' in message) onWarning?.(message.warning);
        else if ('items' in message)
          onItems!(message.items as readonly Hosted[Name]['item'][]).then(
            () => send('more'),
            // Whoever took the items has had enough, or failed: the run ends, and says so.
            () => send('abort'),
          );
        else if ('summary' in message) resolve(message.summary as Hosted[Name]['summary']);
        else reject(signal?.aborted ? signal.reason : errorOf(message.failure));
      });
      worker.on('error', reject);
      worker.on('exit', code => reject(new Error(`the thread of a run ended with ${code}`)));
    });
  } finally {
    signal?.removeEventListener('abort', abort);
    send('end');
    await ended;
  }
}
