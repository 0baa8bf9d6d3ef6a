/** Tasks of the index on disk → answers, from a thread that is started with the first of them. */
import { ThreadPool } from '../threads/pool.ts';
import { perform, type ThreadTasks } from './thread-tasks.ts';

export type Thread = ThreadPool<ThreadTasks>;

export function createThread(): Thread {
  return new ThreadPool<ThreadTasks>({ program: 'store/lmdb/thread-worker.js', size: 1, perform });
}
