/** Files of lines → documents that share keys, linked to components: the stages that `dedup`, `clusters` and `pairs` have in common. */
import type { Decision } from '../../../decisions/decision.ts';
import { canDissolve } from '../../decide/giant.ts';
import type { DecisionCounts } from '../../decide/settle-decisions.ts';
import { Verdicts } from '../../decide/verdicts.ts';
import type { RunOptions } from '../../run-options.ts';
import { fixedMemory, MEMORY_PER_DOCUMENT } from '../plan/estimate.ts';
import type { Chunk } from '../plan/plan.ts';
import type { SpooledFile } from '../plan/spool-inputs.ts';
import type { Pool } from '../pool.ts';
import type { ChunkFile } from '../storage/chunk-columns.ts';
import { type Documents, type IdOf, numberDocuments } from '../storage/documents.ts';
import { type Family, PARTS } from '../storage/keyed-items.ts';
import { type Catalogue, createCatalogue, findRepeated } from './catalogue.ts';
import { dealOut, findComponents, oneComponent } from './deal.ts';
import { dissolve, membersOfGiants } from './giants.ts';
import { BYTES_PER_KEYED_ITEM, type LinkTask, MOST_KEYED_ITEMS, type RowsFile } from './link-keyed-items.ts';
import { joinComponents, pairRows, settleOnThreads, writeRows } from './settle-on-threads.ts';

export interface Stages {
  readonly pool: Pool;
  readonly jobs: number;
  /** Bytes that the whole run may take. */
  readonly memory: number;
  /** A component of more documents is shared among workers. */
  readonly giant: number | undefined;
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
  /** Other for every other way to deal the work out, so that a resumed run does not take a file of it. */
  readonly dealName: string;
  /** What people decided on, where the run was given decisions, and what became of them. */
  readonly decided: Verdicts | undefined;
  readonly decisions: DecisionCounts | undefined;
}

export interface Linking {
  readonly options: RunOptions;
  readonly decisions: readonly Decision[] | undefined;
  /** Documents that only have copies count as linked. */
  readonly copiesToo: boolean;
  /** Linked is who may reach the threshold, by rare elements and without keys. */
  readonly exact: boolean;
}

export async function linkDocuments(
  files: readonly SpooledFile[],
  plan: readonly Chunk[],
  protectedChunks: number,
  { options, decisions, copiesToo, exact }: Linking,
  stages: Stages,
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
  const ids = await link('ids', 'ids');
  const equalTexts = await link('contents', 'equal texts');
  const protectedCount = protectedChunks === chunks.length ? count : (bases[protectedChunks] ?? count);
  const repeated = findRepeated(documents, ids, protectedCount);
  const openNames = (order: Parameters<Documents['openIds']>[0]) => documents.openIds(order, repeated);
  const settled =
    decisions && (await settleOnThreads(decisions, { plan, ...numbered }, count, openNames('ascending'), stages));
  const catalogue = createCatalogue(documents, { protectedCount, repeated }, equalTexts, options, settled);
  await pool.tell({ numbered, active: catalogue.active });
  const rows = { elements: await link('elements', 'candidates'), keys: await link('keys', 'candidates') };
  const limits = {
    bytes: shareBytes(room, jobs),
    least: jobs * 2,
    buckets: options.resolvedLsh?.bands ?? MANY_BUCKETS,
  };
  const roots = exact ? oneComponent(catalogue.active) : findComponents([...rows.elements, ...rows.keys], count);
  // An element in too many rows is boilerplate: that depends on all of the row.
  const isDissolved = canDissolve(options) && rows.elements.length === 0;
  const members = isDissolved ? membersOfGiants(roots, exact ? 1 : stages.giant) : undefined;
  if (members && members.length > 0) await dissolve(roots, members, { plan, ...numbered }, stages, room);
  // Equal texts that stand for themselves, and pairs called same, are linked whatever their keys.
  const { apart } = catalogue;
  if (settled) joinComponents(roots, [...apart, ...pairRows(settled.same)]);
  if (apart.length > 0) rows.keys.push(writeRows(pathOf('equal-texts-apart'), apart));
  const dealt = dealOut(roots, numbered, catalogue, limits, copiesToo);
  await pool.tell({ dealt });
  const deal = (files: readonly RowsFile[]) =>
    pool.run(
      'deal',
      files.map(file => ({ rows: file, path: `${file.path}-dealt-${dealt.name}` })),
    );
  const dealtRows = { elements: await deal(rows.elements), keys: await deal(rows.keys) };
  const { keepRanks, firstOf, contents } = catalogue;
  const decided = settled && { same: settled.same, different: settled.different };
  const known = { protectedCount, keepRanks, firstOf, contents, decided };
  await pool.tell({ linked: { ...numbered, ...dealt, plan, ...known, ...dealtRows } });
  return {
    documents,
    catalogue,
    openNames,
    shares: dealt.shares,
    dealName: dealt.name,
    decided: settled && new Verdicts(settled),
    decisions: settled?.counts,
  };
}

/** Tasks that are small enough to fit all at once, and to end at about the same time. */
function linkTasks(family: Family, chunks: readonly ChunkFile[], room: number, { jobs, pathOf }: Stages): LinkTask[] {
  const sizes = Array.from({ length: PARTS }, (_, part) =>
    chunks.reduce((sum, { facts: { starts } }) => sum + starts[family][part + 1]! - starts[family][part]!, 0),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const most = Math.min(MOST_KEYED_ITEMS, Math.max(MIN_KEYED_ITEMS, room / BYTES_PER_KEYED_ITEM));
  const wanted = Math.min(most, Math.max(MIN_KEYED_ITEMS, total / jobs / 4));
  const tasks: LinkTask[] = [];
  for (let from = 0; from < PARTS; ) {
    let to = from + 1;
    let count = sizes[from]!;
    while (to < PARTS && count + sizes[to]! <= wanted) count += sizes[to++]!;
    const of = to - from === 1 ? Math.ceil(count / most) || 1 : 1;
    for (let pass = 0; pass < of; pass++) {
      const path = pathOf(`${family}-${from}-${to}-${pass}-of-${of}`);
      if (count > 0) tasks.push({ family, from, to, pass, of, path });
    }
    from = to;
  }
  return tasks;
}

const MIN_KEYED_ITEMS = 50_000;
/** Work goes on in so many bytes, even where the documents by themselves leave less of the budget. */
const MIN_ROOM = 48 * 2 ** 20;
const MANY_BUCKETS = 50;

/** A small share stays in the cache of the memory it was read to; a smaller one than this is not worth its start. */
function shareBytes(room: number, jobs: number): number {
  return Math.min(48 * 2 ** 20, Math.max(8 * 2 ** 20, room / jobs / 2));
}

/** For the sets of a share: its own and a half; and where a share is one component that is too large, what there is for a worker. */
export function setBytes(room: number, jobs: number, measure: RunOptions['measure']): number {
  const bytes = Math.min(2 ** 30, Math.max(1.5 * shareBytes(room, jobs), room / jobs / 3));
  // Code points are remembered, too, in as many bytes as the sets.
  return measure === 'edit' ? bytes / 2 : bytes;
}
