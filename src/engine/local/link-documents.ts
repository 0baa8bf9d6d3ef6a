/** Files of lines → documents that share keys, linked to components: the stages that `dedup`, `clusters` and `pairs` have in common. */
import type { RunOptions } from '../run-options.ts';
import { type Catalogue, createCatalogue } from './catalogue.ts';
import type { ChunkFile } from './chunk-columns.ts';
import { dealOut } from './deal.ts';
import { type Documents, type IdOf, numberDocuments } from './documents.ts';
import { type Family, PARTS } from './entries.ts';
import { fixedMemory, MEMORY_PER_DOCUMENT } from './estimate.ts';
import { BYTES_PER_ENTRY, type LinkTask, type RowsFile } from './link-entries.ts';
import type { Chunk } from './plan.ts';
import type { Pool } from './pool.ts';
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
  /** Reads the names of documents: ids, and locations where an id is missing or came before. */
  openNames(order: Parameters<Documents['openIds']>[0]): IdOf;
  /** How many shares the work is dealt out in; the workers know which. */
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
  const documents = numberDocuments(files, plan, chunks, memory / 8);
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
  const limits = {
    bytes: shareBytes(room, jobs),
    least: jobs * 2,
    buckets: options.resolvedLsh?.bands ?? MANY_BUCKETS,
  };
  const dealt = dealOut([...rows.elements, ...rows.keys], numbered, catalogue, limits, copiesToo);
  await pool.tell({ dealt });
  const deal = (files: readonly RowsFile[]) =>
    pool.run(
      'deal',
      files.map(file => ({ rows: file, path: `${file.path}-dealt-${dealt.shares}` })),
    );
  const dealtRows = { elements: await deal(rows.elements), keys: await deal(rows.keys) };
  const { turns, firstOf } = catalogue;
  await pool.tell({ linked: { ...numbered, ...dealt, plan, protectedCount, turns, firstOf, ...dealtRows } });
  return {
    documents,
    catalogue,
    openNames: order => documents.openIds(order, catalogue.repeated),
    shares: dealt.shares,
  };
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
      if (entries > 0) tasks.push({ family, from, to, pass, of, path });
    }
    from = to;
  }
  return tasks;
}

const MIN_ENTRIES = 50_000;
/** Work goes on in so many bytes, even where the documents by themselves leave less of the budget. */
const MIN_ROOM = 48 * 2 ** 20;
const MANY_BUCKETS = 50;

/** A small share stays in the cache of the memory it was read to; a smaller one than this is not worth its start. */
function shareBytes(room: number, jobs: number): number {
  return Math.min(48 * 2 ** 20, Math.max(8 * 2 ** 20, room / jobs / 2));
}

/** For the sets of a share: its own and a half; and where a share is one component that is too large, what there is for a worker. */
export function setBytes(room: number, jobs: number): number {
  return Math.min(2 ** 30, Math.max(1.5 * shareBytes(room, jobs), room / jobs / 3));
}
