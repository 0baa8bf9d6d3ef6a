/** A run over JSON lines on threads → its decisions, as the in-memory engine gives them. */
import { availableParallelism } from 'node:os';
import { clustersOf } from '../../cluster/clusters.ts';
import { kept } from '../../cluster/keeping.ts';
import { fail } from '../../errors.ts';
import { DEFAULT_MAX_DOCUMENT } from '../../formats/item.ts';
import { positionsOf } from '../../lsh/positions.ts';
import type { Relation, Removal } from '../../model.ts';
import { clusterOf, totalsOf } from '../decisions.ts';
import type { DecidedFiles, RunRequest } from '../files.ts';
import type { RunOptions } from '../run-options.ts';
import type { Catalogue } from './catalogue.ts';
import { copyKept } from './copy-kept.ts';
import { type Decisions, decideFiles } from './decide-files.ts';
import { type Chunk, chunksOf, type WorkerPlan } from './plan.ts';
import { openPool } from './pool.ts';

export async function decideLines(request: RunRequest, options: RunOptions): Promise<DecidedFiles> {
  const { files, reading } = request;
  const jobs = request.jobs ?? availableParallelism();
  const reference = chunksOf(files.reference);
  const chunks = [...reference, ...chunksOf(files.inputs)];
  const pool = openPool(jobs, planOf(request, options));
  try {
    const decisions = await decideFiles(chunks, reference.length, options, jobs, pool);
    const [reject] = decisions.catalogue.rejects;
    if (reading.strict && reject) fail('BAD_LINE', reject);
    return decidedOf(decisions, chunks, options);
  } finally {
    await pool.close();
  }
}

function planOf({ reading }: RunRequest, { shingle, seed, sketch, normalise, resolvedLsh }: RunOptions): WorkerPlan {
  return {
    textField: reading.textField,
    idField: reading.idField,
    html: reading.html,
    maxDocument: reading.maxDocument ?? DEFAULT_MAX_DOCUMENT,
    shingle,
    keepCase: normalise.includes('keep-case'),
    seed,
    sketch: sketch.kind as 'minhash' | 'oph',
    hashes: sketch.size,
    bands: resolvedLsh!.bands,
    positions: positionsOf(resolvedLsh!, sketch.size, seed),
  };
}

/** Documents with repeated ids are not counted as items. */
function decidedOf(decisions: Decisions, chunks: readonly Chunk[], options: RunOptions): DecidedFiles {
  const { catalogue } = decisions;
  const { itemOf, numberOf } = withoutRepeated(catalogue.repeated);
  const count = itemOf.length;
  const keptBy = new Int32Array(count).fill(kept);
  const resemblance = new Float64Array(count).fill(1);
  let protectedCount = 0;
  for (let number = 0; number < count; number++) {
    const item = itemOf[number]!;
    if (item < catalogue.protectedCount) protectedCount++;
    const keptItem = decisions.keptBy[item]!;
    if (keptItem === kept) continue;
    keptBy[number] = numberOf[keptItem]!;
    resemblance[number] = decisions.resemblance[item]!;
  }
  const idOf = (number: number): string => JSON.parse(`"${catalogue.shownIdOf(itemOf[number]!)}"`);
  const firstOf = (number: number) => catalogue.firstOf[itemOf[number]!];
  const relationOf = (number: number): Relation => (firstOf(number) === firstOf(keptBy[number]!) ? 'exact' : 'near');
  const removalOf = (number: number): Removal => {
    const keptId = idOf(keptBy[number]!);
    const containment = decisions.containment[itemOf[number]!]!;
    const values = { resemblance: resemblance[number]!, containment };
    return { id: idOf(number), keptId, relation: relationOf(number), ...values, cluster: keptId };
  };
  return {
    protectedCount,
    idOf,
    keptBy,
    totals: totalsOf(keptBy, relationOf),
    removed: eachOf(function* () {
      for (let number = 0; number < count; number++) if (keptBy[number] !== kept) yield removalOf(number);
    }),
    clusters: eachOf(function* () {
      for (const cluster of clustersOf(keptBy, resemblance)) yield clusterOf(idOf, options, cluster);
    }),
    options,
    read: {
      documents: count - protectedCount,
      rejects: catalogue.rejects,
      repeated: repeatedInputs(catalogue),
      unknownFields: new Set(),
    },
    copyKept: path => copyKept(path, chunks, decisions),
  };
}

/** Can be gone through again. */
function eachOf<Item>(generate: () => Generator<Item>): Iterable<Item> {
  return { [Symbol.iterator]: generate };
}

/** Counted from 0 among the documents of the inputs. */
function repeatedInputs({ repeated, protectedCount }: Catalogue): Set<number> {
  const found = new Set<number>();
  for (let item = protectedCount; item < repeated.length; item++) if (repeated[item]) found.add(item - protectedCount);
  return found;
}

/** Items → their numbers when those with repeated ids are left out, and back. */
function withoutRepeated(repeated: Uint8Array): { itemOf: Uint32Array; numberOf: Uint32Array } {
  const numberOf = new Uint32Array(repeated.length);
  const itemOf = new Uint32Array(repeated.reduce((count, isRepeated) => count + 1 - isRepeated, 0));
  let number = 0;
  for (let item = 0; item < repeated.length; item++) {
    numberOf[item] = number;
    if (!repeated[item]) itemOf[number++] = item;
  }
  return { itemOf, numberOf };
}
