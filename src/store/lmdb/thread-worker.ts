/** A thread of the index on disk: tasks in, answers out, one after another. */
import { answerTasks } from '../threads/answer.ts';
import { memoryOf, perform, type ThreadTasks } from './thread-tasks.ts';

answerTasks<ThreadTasks>(perform, memoryOf);
