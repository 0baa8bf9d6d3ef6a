/** A run over files on Apache Spark → its decisions or its pairs, as the local engines give them: workers on the executors decide with the same code. */
import { join } from 'node:path';
import { kept } from '../../cluster/keeping.ts';
import { fail } from '../../errors.ts';
import type { Cluster, Pair, Removal } from '../../model.ts';
import type { Totals } from '../decide/decisions.ts';
import type { DecisionCounts } from '../decide/settle-decisions.ts';
import type { DecidedFiles, Engine, RunRequest } from '../engine.ts';
import type { SparkSettings } from './connect/server.ts';
import { expectedOf, type HandedOver, requireAll, requireArrived } from './hand-over.ts';
import { linkDocuments } from './link-documents.ts';
import { type FilesOnSpark, readFiles, readNamed } from './read-files.ts';
import { requireSparkable } from './requirements.ts';
import { openSession, type SparkSession } from './session.ts';
import { settleOnSpark } from './settle-on-spark.ts';
import { spool } from './spool.ts';
import { parts } from './worker/plan.ts';
import { writeDocuments } from './write-documents.ts';

export function sparkEngine(settings: SparkSettings): Engine {
  return {
    decide: request =>
      onSpark(settings, request, 0, async (session, files) => {
        return decidedOf(session, files, request, await decideComponents(session, files, request, 'decide'));
      }),
    pairs: (request, { exact, maxPairs }) => {
      if (exact)
        fail('BAD_COMBINATION', {
          what: '--exact with --engine spark',
          why: 'provably all pairs are looked for on one machine',
        });
      return onSpark(
        settings,
        { ...request, files: { ...request.files, reference: [] } },
        maxPairs,
        async (session, files) => {
          const { table, comparisons, decisions, ofKind } = await decideComponents(session, files, request, 'pair');
          const pairs = await spool(
            join(session.folder, 'pairs'),
            requireArrived(
              'verify',
              session.rows(
                'verify',
                `SELECT json FROM ${table} WHERE kind = 'P' ORDER BY rid, other LIMIT ${maxPairs + 1}`,
              ),
              ofKind('P'),
              maxPairs + 1,
            ),
            row => String(row.json),
            line => JSON.parse(line) as Pair,
          );
          return {
            pairs,
            comparisons: () => comparisons,
            decisions,
            read: files.read,
            options: request.options,
            release: () => session.close(),
          };
        },
      );
    },
  };
}

async function onSpark<Result>(
  settings: SparkSettings,
  request: RunRequest,
  maxPairs: number,
  run: (session: SparkSession, files: FilesOnSpark) => Promise<Result>,
): Promise<Result> {
  requireSparkable(request, settings);
  request.watch?.stage('start', 0, 1);
  const session = await openSession(request, settings);
  try {
    return await run(session, await readFiles(session, request, maxPairs));
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** What a document of a component takes in a worker, besides its line: its keys, their buckets, its id. */
const BYTES_A_DOCUMENT = 2500;
/** One whose text is that of another has an id and evidence. */
const BYTES_A_COPY = 450;

interface Decided extends Pick<HandedOver, 'ofKind'> {
  readonly table: string;
  readonly comparisons: number;
  readonly decisions: DecisionCounts | undefined;
}

async function decideComponents(
  session: SparkSession,
  files: FilesOnSpark,
  request: RunRequest,
  task: 'decide' | 'pair',
): Promise<Decided> {
  const settled = request.decisions && (await settleOnSpark(session, files.documents, request.decisions));
  const rows = await linkDocuments(session, files, request, settled);
  await requireRoom(session, rows, request.memory);
  const table = session.table('decided');
  const sorted = `SELECT root, what, rid, payload FROM ${rows} DISTRIBUTE BY root SORT BY root, what = ${parts.decision}, rid`;
  const transform = session.transform({ ...files.plan, task }, sorted);
  await session.sql('verify', `CREATE TABLE ${table} USING parquet AS ${transform}`);
  const { comparisons, ofKind } = await requireAll(session, 'verify', table, await expectedOf(session, rows));
  return { table, comparisons, decisions: settled?.counts, ofKind };
}

/** A component goes to one worker. */
async function requireRoom(session: SparkSession, rows: string, memory: number): Promise<void> {
  const [largest] = await session.sql(
    'candidates',
    `SELECT count(*) AS n, sum(CASE what WHEN ${parts.line} THEN ${BYTES_A_DOCUMENT} WHEN ${parts.copy} THEN ${BYTES_A_COPY} ELSE 0 END) AS bytes
      FROM ${rows} GROUP BY root ORDER BY bytes DESC LIMIT 1`,
  );
  const needed = Number(largest?.bytes ?? 0);
  if (needed <= memory) return;
  fail('BAD_DOCUMENT', {
    reason:
      `${largest!.n} documents are linked by what they share, and one worker has to decide on them: ` +
      `raise --memory to ${Math.ceil(needed / 2 ** 30)}GB, raise --threshold, take longer shingles (--shingle), or compare apart with --by`,
  });
}

async function decidedOf(
  session: SparkSession,
  files: FilesOnSpark,
  request: RunRequest,
  { table, comparisons, decisions, ofKind }: Decided,
): Promise<DecidedFiles> {
  const arriving = (kind: string, columns: string) =>
    requireArrived(
      'verify',
      session.rows('verify', `SELECT ${columns} FROM ${table} WHERE kind = '${kind}' ORDER BY rid`),
      ofKind(kind),
    );
  const evidence = await spool(
    join(session.folder, 'removed'),
    arriving('X', 'rid, other, json'),
    row => `[${row.rid},${row.other},${row.json}]`,
    line => JSON.parse(line) as [rid: number, keptRid: number, removal: Removal],
  );
  const clusters = await spool(
    join(session.folder, 'clusters'),
    arriving('C', 'json'),
    row => String(row.json),
    line => JSON.parse(line) as Cluster,
  );
  const largest = await largestOf(session, table);
  const totals = await totalsOf(session, table, largest);
  if (totals.removed !== evidence.length || totals.clusters !== clusters.length)
    fail('SPARK_FAILED', { stage: 'verify', reason: 'the evidence that arrived is not all there is' });
  let ids: Map<number, string> | undefined;
  return {
    protectedCount: files.protectedCount,
    idOf(item) {
      if (item === largest?.representative) return largest.id;
      ids ??= new Map(
        [...evidence].flatMap(
          ([rid, keptRid, { id, keptId }]) =>
            [
              [rid, id],
              [keptRid, keptId],
            ] as const,
        ),
      );
      return ids.get(item)!;
    },
    // Made when it is asked for, which only a listing on a terminal does: four bytes a line.
    get keptBy() {
      const keptBy = new Int32Array(files.protectedCount + lastLine(evidence)).fill(kept);
      for (const [rid, keptRid] of evidence) keptBy[rid] = keptRid;
      return keptBy;
    },
    totals,
    comparisons,
    decisions,
    removed: {
      *[Symbol.iterator]() {
        for (const [, , removal] of evidence) yield removal;
      },
    },
    clusters,
    read: files.read,
    options: request.options,
    writeDocuments: (path, form, mark) => writeDocuments(session, { files, table, totals, request, path, form, mark }),
    readDocuments: (ids, isReference) => readNamed(session, files, ids, isReference),
    release: () => session.close(),
  };
}

function lastLine(evidence: Iterable<readonly [number, number, Removal]>): number {
  let last = 0;
  for (const [rid, keptRid] of evidence) last = Math.max(last, rid + 1, keptRid + 1);
  return last;
}

type Largest = { readonly representative: number; readonly size: number; readonly id: string } | undefined;

async function largestOf(session: SparkSession, table: string): Promise<Largest> {
  const [row] = await session.sql(
    'verify',
    `SELECT rid, other, get_json_object(json, '$.cluster') AS id FROM ${table} WHERE kind = 'C' ORDER BY other DESC, rid LIMIT 1`,
  );
  return row && { representative: Number(row.rid), size: Number(row.other), id: String(row.id) };
}

async function totalsOf(session: SparkSession, table: string, largest: Largest): Promise<Totals> {
  const rows = await session.sql(
    'verify',
    `SELECT kind, keys, count(*) AS n FROM ${table} WHERE kind <> 'T' GROUP BY kind, keys`,
  );
  const count = (kind: string, relation?: string) =>
    rows.reduce((sum, row) => sum + (row.kind === kind && (relation ?? row.keys) === row.keys ? Number(row.n) : 0), 0);
  const [removed, clusters] = [count('X'), count('C')];
  const relations = { exact: count('X', 'exact'), near: count('X', 'near'), contained: count('X', 'contained') };
  return { ...relations, decided: count('X', 'decided'), removed, clusters, clustered: removed + clusters, largest };
}
