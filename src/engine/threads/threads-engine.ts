/** A run over files, on threads and in bounded memory → its decisions or its pairs, as the in-memory engine gives them. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fail } from '../../errors.ts';
import { MANY_COMPARISONS } from '../decide/comparisons.ts';
import type { Engine, FilesRead, RunRequest, Watch } from '../engine.ts';
import { storedBytes } from '../run-files.ts';
import type { RunOptions } from '../run-options.ts';
import { fieldsOf } from '../unknown-fields.ts';
import { untilAborted } from '../until-aborted.ts';
import { estimateOf, fixedMemory, lineLengthOf } from './plan/estimate.ts';
import { type Chunk, canMakeSetsByKernel, canReadByKernel, chunksOf } from './plan/plan.ts';
import { type SpooledFile, spoolInputs } from './plan/spool-inputs.ts';
import { openPool } from './pool.ts';
import { decidedOf } from './stages/decided-files.ts';
import { filesRead, requireDocuments } from './stages/files-read.ts';
import { type LinkedDocuments, type Linking, linkDocuments, type Stages, setBytes } from './stages/link-documents.ts';
import { mergedPairs } from './stages/merge-pairs.ts';
import { openRunFolder } from './storage/run-folder.ts';
import type { News } from './tasks.ts';

export const threadsEngine: Engine = {
  decide: request =>
    onThreads(request, { copiesToo: false, exact: false }, async run => {
      const tasks = shareTasks(run, 'decide');
      const removed = await run.pool.run('decide', tasks, done => run.stage('verify', done, tasks.length));
      return decidedOf(run, removed);
    }),
  pairs: (request, { exact, maxPairs: most }) =>
    onThreads(request, { copiesToo: true, exact }, async run => {
      const tasks = shareTasks(run, `pair-${most}`).map(task => ({ ...task, most }));
      const found = await run.pool.run('pair', tasks, done => run.stage('verify', done, tasks.length));
      await run.pool.end();
      const { openNames, options, decided, decisions, read, release } = run;
      const comparisons = found.reduce((sum, { facts }) => sum + facts.comparisons, 0);
      const pairs = mergedPairs(found, openNames, options, decided);
      return { pairs, comparisons: () => comparisons, decisions, options, read, release };
    }),
};

/** A run whose documents are linked: what is left is to look at each component. */
export interface ThreadRun extends Stages, LinkedDocuments {
  readonly options: RunOptions;
  readonly files: readonly SpooledFile[];
  readonly plan: readonly Chunk[];
  readonly read: FilesRead;
  readonly signal: AbortSignal | undefined;
  release(isDone: boolean): void | Promise<void>;
}

async function onThreads<Result>(
  request: RunRequest,
  { copiesToo, exact }: Pick<Linking, 'copiesToo' | 'exact'>,
  complete: (run: ThreadRun) => Promise<Result>,
): Promise<Result> {
  const { reading, options, memory, giant, watch, signal } = request;
  const fields = fieldsOf(options);
  const folder = openRunFolder(request, exact);
  const { reference, inputs } = await spool(request, folder.path, fields).catch(error => {
    folder.giveUp();
    throw error;
  });
  const files = [...reference, ...inputs];
  const lineLength = lineLengthOf(files);
  const protectedChunks = chunksOf(reference, lineLength);
  const plan = [...protectedChunks, ...chunksOf(inputs, lineLength, reference.length)];
  const jobs = workersFor(plan, request);
  watch?.estimate(estimateOf(files, lineLength, options, jobs));
  const workerPlan = {
    reading,
    options,
    fields,
    exact,
    byKernel: canReadByKernel(reading, options, exact),
    setsByKernel: canMakeSetsByKernel(reading, options),
    setBytes: setBytes(memory - fixedMemory(jobs), jobs, options.measure),
    manyComparisons: Math.ceil((request.manyComparisons ?? MANY_COMPARISONS) / jobs),
    resumes: folder.resumes,
  };
  const pool = openPool(jobs, workerPlan, once(watch?.many));
  const stage = watch?.stage ?? (() => {});
  const stages = { pool, jobs, memory, giant, stage, pathOf: (name: string) => join(folder.path, name) };
  const stop = untilAborted(signal);
  const work = async () => {
    const asked = { options, decisions: request.decisions, copiesToo, exact };
    const linked = await linkDocuments(files, plan, protectedChunks.length, asked, stages);
    const read = filesRead(linked, files, plan, { fields, inputs, brokenLinks: request.files.brokenLinks });
    const [reject] = read.rejects;
    if (reading.strict && reject) fail('BAD_LINE', reject);
    if (reading.damaged !== 'skip') await requireDocuments(linked, files, plan, reading);
    return await complete({
      ...stages,
      ...linked,
      options,
      files,
      plan,
      read,
      signal,
      async release(isDone) {
        if (isDone) folder.remove();
        else folder.giveUp();
        await pool.end();
      },
    });
  };
  try {
    return await stop.race(work());
  } catch (error) {
    await pool.abort();
    folder.giveUp();
    throw error;
  } finally {
    stop.end();
  }
}

/** A worker takes as much time to start as to read a chunk; the least is two, since a few documents may take long to compare. */
const CHUNKS_PER_WORKER = 2;
const LEAST_WORKERS = 2;

/** A worker waits for the disk at times. More of them than this only warm up, at half a second of CPU time each in a large run. */
const WORKERS_PER_CORE = 2;

export function workersFor(
  plan: readonly Chunk[],
  { jobs = availableParallelism(), options }: Pick<RunRequest, 'jobs' | 'options'>,
): number {
  const most = Math.min(jobs, WORKERS_PER_CORE * availableParallelism());
  // Two texts of a megabyte may take a second.
  if (options.measure === 'edit') return most;
  return Math.min(most, Math.max(LEAST_WORKERS, Math.ceil(plan.length / CHUNKS_PER_WORKER)));
}

/** One worker is enough to say so. */
function once(tell: Watch['many'] | undefined): (news: News) => void {
  let isTold = false;
  return ({ many }) => {
    if (!isTold) tell?.(many);
    isTold = true;
  };
}

async function spool({ files, reading, watch }: RunRequest, folder: string, fields: readonly string[]) {
  const bytes = storedBytes(files);
  let done = 0;
  const onDone = (more: number) => {
    done += more;
    watch?.stage('read', done, bytes);
  };
  const request = { reading, fields, folder, onDone };
  return {
    reference: await spoolInputs(files.reference, 'reference', request),
    inputs: await spoolInputs(files.inputs, 'input', request),
  };
}

function shareTasks({ shares, dealName, pathOf }: ThreadRun, name: string) {
  return Array.from({ length: shares }, (_, share) => ({
    share,
    path: pathOf(`${name}-${share}-of-${dealName}`),
  }));
}
