/** Files of lines → documents that share keys, linked to components: the stages that `dedup`, `clusters` and `pairs` have in common. */
import { createUnionFind } from '../../cluster/union-find.ts';
import type { RunOptions } from '../run-options.ts';
import { type Catalogue, createCatalogue, rowsOf } from './catalogue.ts';
import type { ChunkFile } from './chunk-columns.ts';
import { type Documents, numberDocuments } from './documents.ts';
import { type Family, PARTS } from './entries.ts';
import { fixedMemory, MEMORY_PER_DOCUMENT } from './estimate.ts';
import { BYTES_PER_ENTRY, type LinkTask, type RowsFile } from './link-entries.ts';
import type { Chunk } from './plan.ts';
import type { Pool } from './pool.ts';
import { ALONE, type Linked } from './share.ts';
import type { SpooledFile } from './spool-inputs.ts';

export interface Stages {
  readonly pool: Pool;
  readonly jobs: number;
  /** Bytes that the whole run may take. */
  readonly memory: number;
  readonly pathOf: (name: string) => string;
  readonly stage: Stage;
}

/** `done` of `of` parts of a stage are done with. */
export type Stage = (name: string, done: number, of: number) => void;

export interface LinkedDocuments {
  readonly documents: Documents;
  readonly catalogue: Catalogue;
  readonly linked: Linked;
  /** Shares to cut the work into, so that each fits. */
  readonly shares: number;
}

/** `copiesToo`: documents that only have copies count as linked. */
export async function linkDocuments(
  files: readonly SpooledFile[],
  plan: readonly Chunk[],
  protectedChunks: number,
  options: RunOptions,
  stages: Stages,
  copiesToo = false,
): Promise<LinkedDocuments> {
  const { pool, jobs, memory, pathOf, stage } = stages;
  const sketchTasks = plan.map((chunk, i) => ({ chunk, path: pathOf(`sketch-${i}`) }));
  const chunks = await pool.run('sketch', sketchTasks, done => stage('sketch', done, plan.length));
  const documents = numberDocuments(files, plan, chunks);
  const { bases, count } = documents;
  const room = Math.max(MIN_ROOM, memory - fixedMemory(jobs) - count * MEMORY_PER_DOCUMENT);
  const link = (family: Family, label: string) => {
    const tasks = linkTasks(family, chunks, room / jobs, stages);
    return pool.run('link', tasks, done => stage(label, done, tasks.length));
  };
  const numbered = { chunks, bases };
  await pool.tell({ numbered });
  const shared = { ids: await link('ids', 'ids'), contents: await link('contents', 'equal texts') };
  const protectedCount = protectedChunks === chunks.length ? count : (bases[protectedChunks] ?? count);
  const catalogue = createCatalogue(documents, shared, protectedCount, options);
  await pool.tell({ numbered, active: catalogue.active });
  const rows = { elements: await link('elements', 'candidates'), keys: await link('keys', 'candidates') };
  const roots = findComponents([...rows.elements, ...rows.keys], count);
  if (copiesToo) addCopies(roots, catalogue);
  const { order, firstOf, repeated } = catalogue;
  const places = new Uint32Array(new SharedArrayBuffer(count * 4));
  const linked = { ...numbered, plan, protectedCount, order, firstOf, repeated, roots, places, ...rows };
  await pool.tell({ linked });
  return { documents, catalogue, linked, shares: sharesFor([...rows.elements, ...rows.keys], jobs, room) };
}

/** Tasks that are small enough to fit all at once, and to end at about the same time. */
function linkTasks(family: Family, chunks: readonly ChunkFile[], room: number, { jobs, pathOf }: Stages): LinkTask[] {
  const sizes = Array.from({ length: PARTS }, (_, part) =>
    chunks.reduce((sum, { facts: { starts } }) => sum + starts[family][part + 1]! - starts[family][part]!, 0),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const most = Math.max(MIN_ENTRIES, room / BYTES_PER_ENTRY);
  const wanted = Math.min(most, Math.max(MIN_ENTRIES, total / jobs / 4));
  const tasks: LinkTask[] = [];
  for (let from = 0; from < PARTS; ) {
    let to = from + 1;
    let entries = sizes[from]!;
    while (to < PARTS && entries + sizes[to]! <= wanted) entries += sizes[to++]!;
    const of = to - from === 1 ? Math.ceil(entries / most) || 1 : 1;
    for (let pass = 0; pass < of; pass++) {
      const path = pathOf(`${family}-${from}-${to}-${pass}-of-${of}`);
      if (entries > 0) tasks.push({ family, from, to, pass, of, entries: Math.ceil(entries / of), path });
    }
    from = to;
  }
  return tasks;
}

const MIN_ENTRIES = 50_000;
/** Work goes on in so many bytes, even where the documents by themselves leave less of the budget. */
const MIN_ROOM = 64 * 2 ** 20;

/** For each document the one that stands for its component. */
function findComponents(files: readonly RowsFile[], count: number): Uint32Array {
  const roots = new Uint32Array(new SharedArrayBuffer(count * 4));
  const components = createUnionFind(count, roots);
  const isLinked = new Uint8Array(count);
  for (const row of rowsOf(files)) {
    const first = row[0]!;
    isLinked[first] = 1;
    for (let i = 1; i < row.length; i++) {
      components.union(first, row[i]!);
      isLinked[row[i]!] = 1;
    }
  }
  for (let item = 0; item < count; item++) roots[item] = isLinked[item] ? components.find(item) : ALONE;
  return roots;
}

function addCopies(roots: Uint32Array, { firstOf, repeated }: Catalogue): void {
  for (let item = 0; item < firstOf.length; item++) {
    const first = firstOf[item]!;
    if (first !== item && !repeated[item] && roots[first] === ALONE) roots[first] = first;
  }
}

/** Bytes that deciding takes for each document in a bucket: rows in both directions, lists of those that are kept. */
const BYTES_PER_LINK = 24;

function sharesFor(files: readonly RowsFile[], jobs: number, room: number): number {
  const links = files.reduce((sum, { facts }) => sum + facts.items, 0);
  return Math.max(jobs * 2, Math.ceil((links * BYTES_PER_LINK * jobs) / (room / 2)));
}
