/** A thread of the index: requests in, answers out, one after another. */
import { parentPort } from 'node:worker_threads';
import { memoryOf, perform, type Request } from './thread-tasks.ts';

parentPort!.on('message', (request: Request) => {
  const output = perform(request);
  parentPort!.postMessage(output, memoryOf(output));
});
