/** The Spark of a run: its connection, a database of its own for what stages leave, and the worker that is shipped to the executors. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fail, NeardupError } from '../../errors.ts';
import { packagePath } from '../../files/package.ts';
import { makeWorkFolder, removeWorkFolder } from '../../files/work-folder.ts';
import { isUrl } from '../../formats/find/inputs.ts';
import type { RunRequest, Stage } from '../engine.ts';
import { untilAborted } from '../until-aborted.ts';
import type { ConnectClient, Row, Source } from './connect/client.ts';
import { errorText, isConnectUrl, joinServer, type SparkSettings, startServer } from './connect/server.ts';
import { isNodeArchive } from './requirements.ts';
import { literal, shellWord } from './sql.ts';
import { encodePlan, taskColumns, type WorkerPlan } from './worker/plan.ts';

export interface SparkSession {
  /** A folder on this machine. */
  readonly folder: string;
  /** Where Spark keeps the stages, and where it may write parts of results. */
  readonly location: string;
  table(name: string): string;
  sql(stage: string, query: string): Promise<Row[]>;
  rows(stage: string, query: string): AsyncIterable<Row>;
  view(name: string, source: Source): Promise<void>;
  /** `rows` in parentheses, into a table that is there. */
  insert(table: string, rows: readonly string[]): Promise<void>;
  /** The rows that workers make of those of a query, which has the columns of the task. */
  transform(plan: WorkerPlan, from: string): string;
  close(): Promise<void>;
}

const WORKER = 'spark-worker.mjs';
const NODE_FOLDER = 'neardup-node';
/** Archives of nodejs.org have all of it in a folder. */
const SHIPPED_NODE = `for node in ${NODE_FOLDER}/bin/node ${NODE_FOLDER}/*/bin/node; do [ -x "$node" ] && break; done`;

export async function openSession(request: RunRequest, settings: SparkSettings): Promise<SparkSession> {
  const { signal, tmp, watch, memory } = request;
  // Whole, since a server may have another folder to start from.
  const folder = makeWorkFolder(tmp === undefined || isUrl(tmp) ? tmpdir() : resolve(tmp), 'neardup-spark-');
  const isArchive = isNodeArchive(settings.node);
  const node = isArchive ? undefined : (settings.node ?? 'node');
  const stopping = untilAborted(signal);
  const told = <Result>(stage: string, work: () => Promise<Result>): Promise<Result> => {
    signal?.throwIfAborted();
    return stopping.race(work()).catch(error => failIn(stage, error));
  };
  try {
    const connecting = connect(settings, isArchive, folder, signal);
    // A server that we start is told by the signal, and waited for.
    const { client, stop, worker } = await (isConnectUrl(settings.master) ? stopping.race(connecting) : connecting);
    const name = `neardup_${randomBytes(8).toString('hex')}`;
    const location = tmp !== undefined && isUrl(tmp) ? `${tmp.replace(/\/$/, '')}/${name}` : join(folder, name);
    const tell = progress(watch?.stage);
    // A server that is not ours would go on for nobody.
    let interrupted: Promise<void> | undefined;
    signal?.addEventListener('abort', () => (interrupted = client.interrupt()), { once: true });
    const session: SparkSession = {
      folder,
      location,
      table: table => `${name}.${table}`,
      sql: (stage, query) => told(stage, () => client.sql(query, tell(stage))),
      rows: (stage, query) => rowsTold(stage, client, query, signal),
      view: (view, source) => told('read', () => client.view(view, source)),
      async insert(table, rows) {
        for (let at = 0; at < rows.length; at += INSERTED)
          await session.sql('read', `INSERT INTO ${table} VALUES ${rows.slice(at, at + INSERTED).join(', ')}`);
      },
      transform(plan, from) {
        const folder = isUrl(location) ? undefined : location;
        const command = commandOf(node, memory, worker, encodePlan({ ...plan, folder }));
        const rows = "ROW FORMAT DELIMITED FIELDS TERMINATED BY '\\t' LINES TERMINATED BY '\\n'";
        const made = 'kind STRING, rid BIGINT, other BIGINT, keys STRING, json STRING, extra STRING';
        const { numbers, rest } = taskColumns[plan.task];
        // Bytes that are no UTF-8 go through the pipe as U+FFFD, of which Spark and Java do not always make the same number.
        const bytes = `make_valid_utf8(concat_ws('\\t', ${rest.join(', ')}))`;
        const given = [...numbers, `crc32(${bytes})`, bytes].join(', ');
        return `SELECT TRANSFORM(${given}) ${rows} USING ${literal(command)} AS (${made}) ${rows} FROM (${from})`;
      },
      async close() {
        await interrupted;
        await client.sql(`DROP DATABASE IF EXISTS ${name} CASCADE`).catch(() => {});
        await stop();
        removeWorkFolder(folder);
        stopping.end();
      },
    };
    return await prepared(session, name);
  } catch (error) {
    stopping.end();
    removeWorkFolder(folder);
    throw error;
  }
}

async function prepared(session: SparkSession, name: string): Promise<SparkSession> {
  try {
    await session.sql('start', `CREATE DATABASE ${name} LOCATION ${literal(session.location)}`);
    for (const setting of SESSION_SETTINGS) await session.sql('start', `SET ${setting}`);
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** Rows that are told to Spark in one statement. */
const INSERTED = 2000;

/** Names of columns are as they are written; the order and number of rows is what we count on. */
const SESSION_SETTINGS = [
  'spark.sql.caseSensitive=true',
  'spark.sql.files.ignoreCorruptFiles=false',
  'spark.sql.files.ignoreMissingFiles=false',
  // Otherwise INT96, which is read as another type by much else.
  'spark.sql.parquet.outputTimestampType=TIMESTAMP_MICROS',
  // Columns of this type are refused otherwise.
  'spark.sql.timeType.enabled=true',
  'spark.sql.shuffle.partitions=8',
  // Ids and names may hold ${…}, which is theirs.
  'spark.sql.variable.substitute=false',
];

async function connect(settings: SparkSettings, isArchive: boolean, folder: string, signal: AbortSignal | undefined) {
  const worker = workerPath();
  if (!isConnectUrl(settings.master)) {
    const archives = isArchive ? [`${resolve(settings.node!)}#${NODE_FOLDER}`] : [];
    const server = await startServer(settings, { files: [worker], archives }, join(folder, 'spark.log'), signal);
    return { ...server, worker: WORKER };
  }
  if (isArchive)
    fail('BAD_COMBINATION', {
      what: `--spark-node ${settings.node} with --master sc://…`,
      why: 'only a Spark that neardup starts can be given an archive; name the path of node on the executors',
    });
  const server = await joinServer(settings.master);
  const name = `neardup-${randomBytes(8).toString('hex')}.mjs`;
  await server.client.addFile(name, readFileSync(worker));
  return { ...server, worker: name };
}

/** What is shipped at the start is in the folder that workers start in; files of one session are in a folder below, whose name only Spark knows. */
function commandOf(node: string | undefined, memory: number, worker: string, plan: string): string {
  const found = node === undefined ? SHIPPED_NODE : `node=${shellWord(node)}`;
  const run = `"$node" --max-old-space-size=${Math.ceil(memory / 2 ** 20)}`;
  return `${found}; for worker in ./${worker} ./*/${worker}; do [ -f "$worker" ] && exec ${run} "$worker" ${plan}; done; echo ${worker} is missing >&2; exit 1`;
}

function workerPath(): string {
  const path = packagePath(`dist/${WORKER}`);
  return existsSync(path) ? path : fail('NO_SPARK', { reason: `${WORKER} was not built: npm run build` });
}

function progress(stage: Stage | undefined) {
  return (name: string) => (done: number, of: number) => {
    if (of > 0) stage?.(name, done, of);
  };
}

async function* rowsTold(stage: string, client: ConnectClient, query: string, signal: AbortSignal | undefined) {
  try {
    for await (const row of client.rows(query)) {
      signal?.throwIfAborted();
      yield row;
    }
  } catch (error) {
    signal?.throwIfAborted();
    failIn(stage, error);
  }
}

/** Errors of Spark are long: the first line is what went wrong. */
function failIn(stage: string, error: unknown): never {
  if (error instanceof NeardupError || (error as Error).name === 'AbortError') throw error;
  const lines = errorText(error)
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('at '));
  const cause = lines.findLast(line => /^Caused by:|^Error:/.test(line));
  const isWithoutNode = /Subprocess exited with status 12[67]\b/.test(lines.join());
  const hint = isWithoutNode && 'the executors need Node: name it or ship it with --spark-node';
  const reason = [lines[0]?.slice(0, 1000), cause?.slice(0, 1000), hint].filter(Boolean).join('; ');
  return fail('SPARK_FAILED', { stage, reason }, error);
}
