/** JSONL files → for each document whether it stays: sketch, candidates, verify, cluster, each on all workers. */
import { createUnionFind } from '../../cluster/union-find.ts';
import { type Buckets, type Rows, turned } from '../buckets.ts';
import type { RunOptions } from '../run-options.ts';
import { type Catalogue, createCatalogue } from './catalogue.ts';
import type { ChunkColumns } from './columns.ts';
import type { Chunk } from './plan.ts';
import type { Pool } from './pool.ts';
import type { KeyColumn } from './shared-keys.ts';
import type { ShingleSets } from './shingle-chunk.ts';

export interface Decisions {
  readonly catalogue: Catalogue;
  readonly columns: readonly ChunkColumns[];
  /** −1 for a document that stays. */
  readonly keptBy: Int32Array;
  readonly resemblance: Float64Array;
  readonly containment: Float64Array;
}

export type Stage = (name: string, done: number, of: number) => void;

export async function decideFiles(
  chunks: readonly Chunk[],
  protectedChunks: number,
  options: RunOptions,
  jobs: number,
  pool: Pool,
  stage: Stage = () => {},
): Promise<Decisions> {
  const columns = await pool.run('sketch', chunks, done => stage('sketch', done, chunks.length));
  const [sharedIds, sharedContents] = await pool.run('sharedKeys', [
    { columns: columns.map(({ count, idHashes }) => ({ count, words: idHashes, low: 0, high: 1, stride: 2 })) },
    { columns: columns.map(({ count, contents }) => ({ count, words: contents, low: 0, high: 1, stride: 4 })) },
  ]);
  const catalogue = createCatalogue(
    chunks,
    columns,
    { ids: sharedIds!, contents: sharedContents! },
    protectedChunks,
    options,
  );
  const buckets = await findBuckets(columns, catalogue.active, options.resolvedLsh!.bands, pool, stage);
  const sets = await shingleCandidates(chunks, columns, buckets, pool, stage);
  const { count } = catalogue;
  const decisions = {
    catalogue,
    columns,
    keptBy: new Int32Array(new SharedArrayBuffer(count * 4)).fill(-1),
    resemblance: new Float64Array(new SharedArrayBuffer(count * 8)).fill(1),
    containment: new Float64Array(new SharedArrayBuffer(count * 8)).fill(1),
  };
  const { keptBy, resemblance, containment } = decisions;
  const { protectedCount, firstOf } = catalogue;
  const rules = { cluster: options.cluster, threshold: options.threshold };
  const common = { count, protectedCount, firstOf, buckets, ...sets, rules, keptBy, resemblance, containment };
  const tasks = shareOut(catalogue, buckets, jobs).map(order => ({ ...common, order }));
  await pool.run('decide', tasks, done => stage('verify', done, tasks.length));
  catalogue.decideCopies(keptBy);
  return decisions;
}

async function findBuckets(
  columns: readonly ChunkColumns[],
  active: Uint8Array,
  bands: number,
  pool: Pool,
  stage: Stage,
): Promise<Buckets> {
  const tasks = Array.from({ length: bands }, (_, band) => ({
    active,
    columns: columns.map(column => bandColumn(column, band)),
  }));
  const found = await pool.run('sharedKeys', tasks, done => stage('candidates', done, bands));
  const itemsOf = joinRows(found);
  return { itemsOf, bucketsOf: shareRows(turned(itemsOf, active.length)), limited: 0 };
}

function bandColumn({ count, keys }: ChunkColumns, band: number): KeyColumn {
  return { count, words: keys, low: 2 * band * count, high: (2 * band + 1) * count, stride: 1 };
}

function joinRows(parts: readonly Rows[]): Rows {
  const rowCount = parts.reduce((sum, { starts }) => sum + starts.length - 1, 0);
  const valueCount = parts.reduce((sum, { values }) => sum + values.length, 0);
  const joined = {
    starts: new Uint32Array(new SharedArrayBuffer((rowCount + 1) * 4)),
    values: new Uint32Array(new SharedArrayBuffer(valueCount * 4)),
  };
  let row = 0;
  let used = 0;
  for (const { starts, values } of parts) {
    for (let i = 1; i < starts.length; i++) joined.starts[++row] = used + starts[i]!;
    joined.values.set(values, used);
    used += values.length;
  }
  return joined;
}

function shareRows({ starts, values }: Rows): Rows {
  const share = (array: Uint32Array) => {
    const shared = new Uint32Array(new SharedArrayBuffer(array.byteLength));
    shared.set(array);
    return shared;
  };
  return { starts: share(starts), values: share(values) };
}

interface CandidateSets {
  readonly sets: readonly ShingleSets[];
  readonly setChunk: Uint32Array;
  readonly setPlace: Uint32Array;
}

async function shingleCandidates(
  chunks: readonly Chunk[],
  columns: readonly ChunkColumns[],
  { bucketsOf: { starts } }: Buckets,
  pool: Pool,
  stage: Stage,
): Promise<CandidateSets> {
  const count = starts.length - 1;
  const setChunk = new Uint32Array(new SharedArrayBuffer(count * 4));
  const setPlace = new Uint32Array(new SharedArrayBuffer(count * 4));
  const tasks = [];
  let item = 0;
  for (const [i, column] of columns.entries()) {
    const chosen: number[] = [];
    for (let place = 0; place < column.count; place++, item++) {
      if (starts[item] === starts[item + 1]) continue;
      setChunk[item] = tasks.length;
      setPlace[item] = chosen.length;
      chosen.push(place);
    }
    if (chosen.length === 0) continue;
    tasks.push({
      path: chunks[i]!.path,
      starts: Float64Array.from(chosen, place => column.starts[place]!),
      lengths: Uint32Array.from(chosen, place => column.lengths[place]!),
      shingles: Uint32Array.from(chosen, place => column.shingles[place]!),
    });
  }
  const sets = await pool.run('shingle', tasks, done => stage('shingle candidates', done, tasks.length));
  return { sets, setChunk, setPlace };
}

/** Candidates and their copies in keep order, each component of them whole to one worker, about the same number to each. */
function shareOut(
  { order, firstOf, repeated }: Catalogue,
  { itemsOf, bucketsOf: { starts } }: Buckets,
  jobs: number,
): Uint32Array[] {
  const linked = createUnionFind(starts.length - 1);
  for (let bucket = 0; bucket + 1 < itemsOf.starts.length; bucket++) {
    const first = itemsOf.values[itemsOf.starts[bucket]!]!;
    for (let i = itemsOf.starts[bucket]! + 1; i < itemsOf.starts[bucket + 1]!; i++)
      linked.union(first, itemsOf.values[i]!);
  }
  const shares = Array.from({ length: jobs }, () => [] as number[]);
  for (const item of order) {
    const first = firstOf[item]!;
    if (starts[first] === starts[first + 1] || repeated[item]) continue;
    // Neighbouring components fall to different workers.
    shares[linked.find(first) % jobs]!.push(item);
  }
  return shares.map(share => {
    const shared = new Uint32Array(new SharedArrayBuffer(share.length * 4));
    shared.set(share);
    return shared;
  });
}
