/** A run over files, on threads and in bounded memory → its decisions or its pairs, as the in-memory engine gives them. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fail } from '../../errors.ts';
import { MANY_COMPARISONS } from '../comparisons.ts';
import {
  type DecidedFiles,
  type FilesRead,
  type Keeping,
  type PairsOfFiles,
  type RunRequest,
  storedBytes,
  type Watch,
} from '../files.ts';
import type { RunOptions } from '../run-options.ts';
import { fieldsOf } from '../unknown-fields.ts';
import { decidedOf } from './decided-files.ts';
import { estimateOf, fixedMemory, lineLengthOf } from './estimate.ts';
import { filesRead, requireDocuments } from './files-read.ts';
import { type LinkedDocuments, linkDocuments, type Stages, setBytes } from './link-documents.ts';
import { mergedPairs } from './merge-pairs.ts';
import { type Chunk, canReadByKernel, chunksOf } from './plan.ts';
import { openPool } from './pool.ts';
import { openRunFolder } from './run-folder.ts';
import { type SpooledFile, spoolInputs } from './spool-inputs.ts';
import type { News } from './tasks.ts';

export function decideOnThreads(request: RunRequest, options: RunOptions): Promise<DecidedFiles> {
  return onThreads(request, options, false, async run => {
    const tasks = shareTasks(run, 'decide');
    const removed = await run.pool.run('decide', tasks, done => run.stage('verify', done, tasks.length));
    // What the workers take and know is not needed any more.
    await run.pool.end();
    return decidedOf(run, removed);
  });
}

export function findPairsOnThreads(request: RunRequest, options: RunOptions, most: number): Promise<PairsOfFiles> {
  return onThreads(request, options, true, async run => {
    const tasks = shareTasks(run, `pair-${most}`).map(task => ({ ...task, most }));
    const found = await run.pool.run('pair', tasks, done => run.stage('verify', done, tasks.length));
    await run.pool.end();
    const { openNames, options, read, keeping } = run;
    const comparisons = found.reduce((sum, { facts }) => sum + facts.comparisons, 0);
    return { pairs: mergedPairs(found, openNames, options), comparisons: () => comparisons, options, read, keeping };
  });
}

/** A run whose documents are linked: what is left is to look at each component. */
export interface ThreadRun extends Stages, LinkedDocuments {
  readonly options: RunOptions;
  readonly files: readonly SpooledFile[];
  readonly plan: readonly Chunk[];
  readonly read: FilesRead;
  readonly keeping: Keeping;
}

async function onThreads<Result>(
  request: RunRequest,
  options: RunOptions,
  copiesToo: boolean,
  complete: (run: ThreadRun) => Promise<Result>,
): Promise<Result> {
  const { reading, given, memory, watch } = request;
  const jobs = request.jobs ?? availableParallelism();
  const fields = fieldsOf(given);
  const folder = openRunFolder(request, options);
  const { reference, inputs } = await spool(request, folder.path, fields).catch(error => {
    folder.giveUp();
    throw error;
  });
  const files = [...reference, ...inputs];
  const lineLength = lineLengthOf(files);
  const protectedChunks = chunksOf(reference, lineLength);
  const plan = [...protectedChunks, ...chunksOf(inputs, lineLength, reference.length)];
  watch?.estimate(estimateOf(files, lineLength, options, jobs));
  const workerPlan = {
    reading,
    given,
    fields,
    byKernel: canReadByKernel(reading, options),
    setBytes: setBytes(memory - fixedMemory(jobs), jobs),
    manyComparisons: Math.ceil((request.manyComparisons ?? MANY_COMPARISONS) / jobs),
    resumes: folder.resumes,
  };
  const pool = openPool(jobs, workerPlan, once(watch?.many));
  const stage = watch?.stage ?? (() => {});
  const stages = { pool, jobs, memory, stage, pathOf: (name: string) => join(folder.path, name) };
  try {
    const linked = await linkDocuments(files, plan, protectedChunks.length, options, stages, copiesToo);
    const read = filesRead(linked, files, plan, { fields, inputs, brokenLinks: request.files.brokenLinks });
    const [reject] = read.rejects;
    if (reading.strict && reject) fail('BAD_LINE', reject);
    if (reading.damaged !== 'skip') await requireDocuments(linked, files, plan, reading);
    return await complete({ ...stages, ...linked, options, files, plan, read, keeping: folder });
  } catch (error) {
    await pool.abort();
    folder.giveUp();
    throw error;
  }
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

function shareTasks({ shares, pathOf }: ThreadRun, name: string) {
  return Array.from({ length: shares }, (_, share) => ({
    share,
    path: pathOf(`${name}-${share}-of-${shares}`),
  }));
}
