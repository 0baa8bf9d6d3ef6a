/** The files of a run → its engine: Spark if it was asked for, threads for large inputs, else memory, which hands over to threads if the inputs grow too large. */
import { whileUnchanged } from '../files/unchanged.ts';
import { isCompressed } from '../formats/find/inputs.ts';
import { canDissolve } from './decide/giant.ts';
import type { DecidedFiles, Engine, PairsOfFiles, RunRequest, WantedPairs } from './engine.ts';
import { memoryEngine, OutgrewMemory } from './memory/memory-engine.ts';
import { allOf, storedSize } from './run-files.ts';
import { fieldsOf } from './unknown-fields.ts';

/** Starting the threads takes 0.2 s. In memory, documents of a few words take 2 s and 200 MB for each megabyte of input; longer ones a tenth of that. */
const WORTH_THREADS = 2 * 2 ** 20;

/** Text shrinks to a fourth or less. */
const ASSUMED_RATIO = 4;

export function decideFiles(request: RunRequest): Promise<DecidedFiles> {
  return onEngine(request, (engine, asked) => engine.decide(asked));
}

/** Exact pairs by containment are always searched in memory. */
export function findPairsOfFiles(request: RunRequest, wanted: WantedPairs): Promise<PairsOfFiles> {
  const inMemoryOnly = wanted.exact && !canDissolve(request.options);
  return onEngine(request, (engine, asked) => engine.pairs(asked, wanted), inMemoryOnly);
}

async function onEngine<Result>(
  request: RunRequest,
  run: (engine: Engine, asked: RunRequest) => Promise<Result>,
  inMemoryOnly = false,
): Promise<Result> {
  const { files, reading, options, threadsFrom = WORTH_THREADS } = request;
  const asked = { ...request, reading: { ...reading, exactFields: fieldsOf(options) } };
  const onThreads = async () => run((await import('./threads/threads-engine.ts')).threadsEngine, asked);
  if (request.spark) {
    const { sparkEngine } = await import('./spark/spark-engine.ts');
    return whileUnchanged(allOf(files), () => run(sparkEngine(request.spark!), asked));
  }
  // 7 MB of gzip may hold 7 GB.
  const memory = memoryEngine(inMemoryOnly ? Number.POSITIVE_INFINITY : ASSUMED_RATIO * threadsFrom);
  const inMemory = () =>
    run(memory, asked).catch(error => (error instanceof OutgrewMemory ? onThreads() : Promise.reject(error)));
  // A file that vanished is noticed when its size is asked for.
  return whileUnchanged(allOf(files), async () =>
    !inMemoryOnly && isWorthThreads(request) ? onThreads() : inMemory(),
  );
}

function isWorthThreads({ files, threadsFrom = WORTH_THREADS }: RunRequest): boolean {
  const sizes = allOf(files).map(file => storedSize(file) * (isCompressed(file) ? ASSUMED_RATIO : 1));
  return sizes.reduce((sum, size) => sum + size, 0) >= threadsFrom;
}
