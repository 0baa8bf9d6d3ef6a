/** What went from one side to the other, and what came there → the same rows, or an error: nothing is lost or changed on the way. */
import { crc32 } from 'node:zlib';
import { fail } from '../../errors.ts';
import type { Row } from './connect/client.ts';
import type { SparkSession } from './session.ts';

export interface HandedOver {
  /** Sum over all workers. */
  readonly comparisons: number;
  /** Fields that no worker saw. */
  readonly unknownFields: ReadonlySet<string>;
  /** What workers wrote, by its kind. */
  readonly ofKind: (kind: string) => Arriving;
}

/** Rows by number, and the CRC-32 of their `json` by sum. */
export interface Arriving {
  readonly rows: number;
  readonly sum: bigint;
}

/** Rows by number, and their rids by sum: a worker that stopped early, or ran twice, changes one of them. Workers check the bytes of each row. */
export interface Expected {
  readonly rows: number;
  readonly rids: bigint;
}

export async function expectedOf(session: SparkSession, from: string): Promise<Expected> {
  const [row] = await session.sql(
    'count',
    `SELECT count(*) AS n, CAST(coalesce(sum(CAST(rid AS DECIMAL(38,0))), 0) AS STRING) AS rids FROM ${from}`,
  );
  return { rows: Number(row!.n), rids: BigInt(String(row!.rids)) };
}

/** A row as the worker wrote it. */
const ROW =
  "concat(kind, '\\t', CAST(rid AS STRING), '\\t', CAST(other AS STRING), '\\t', keys, '\\t', json, '\\t', extra)";

/** `table` holds the rows of the workers, trailers among them. */
export async function requireAll(
  session: SparkSession,
  stage: string,
  table: string,
  expected: Expected,
): Promise<HandedOver> {
  const exactSum = (value: string) => `CAST(coalesce(sum(CAST(${value} AS DECIMAL(20,0))), 0) AS STRING)`;
  const field = (name: string) => `CASE WHEN kind = 'T' THEN get_json_object(json, '$.${name}') END`;
  const told = ['seen', 'written', 'comparisons', 'rids', 'sum'];
  const kinds = await session.sql(
    stage,
    `SELECT kind, count(*) AS n, count_if(rid IS NULL) AS broken, ${exactSum(`crc32(${ROW})`)} AS found_sum, ${exactSum('crc32(json)')} AS json_sum,
      ${told.map(name => `${exactSum(field(name))} AS ${name}`).join(', ')}, to_json(collect_set(${field('unknownFields')})) AS unknown
    FROM ${table} GROUP BY kind`,
  );
  const trailers = kinds.find(({ kind }) => kind === 'T');
  const others = kinds.filter(({ kind }) => kind !== 'T');
  const [seen, written, comparisons, rids, sum] = told.map(name => BigInt(String(trailers?.[name] ?? 0)));
  const found = total(others.map(({ n }) => n));
  const broken = total(kinds.map(row => (row.kind === null ? row.n : row.broken)));
  const differ = (what: string) =>
    fail('SPARK_FAILED', {
      stage,
      reason: `${what}; a worker ended early or its rows were changed, nothing was written`,
    });
  if (broken !== 0n) differ(`${broken} rows of workers cannot be read`);
  if (seen !== BigInt(expected.rows) || rids !== expected.rids)
    differ(`workers were given ${expected.rows} documents and read ${seen}`);
  if (written !== found) differ(`workers wrote ${written} rows and ${found} arrived`);
  if (sum !== total(others.map(row => row.found_sum)))
    differ(`${found} rows of workers arrived, and their checksum is not that of the rows they wrote`);
  return {
    comparisons: Number(comparisons),
    unknownFields: unknownToAll(JSON.parse(String(trailers?.unknown ?? '[]'))),
    ofKind(kind) {
      const row = others.find(one => one.kind === kind);
      return { rows: Number(row?.n ?? 0), sum: BigInt(String(row?.json_sum ?? 0)) };
    },
  };
}

/** Rows with a column `json`, as they come to this machine. `most`: where no more of them are asked for. */
export async function* requireArrived(
  stage: string,
  rows: AsyncIterable<Row>,
  expected: Arriving,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<Row> {
  let [count, sum] = [0, 0n];
  for await (const row of rows) {
    count++;
    sum += BigInt(crc32(String(row.json)));
    yield row;
  }
  if (count !== Math.min(expected.rows, most) || (expected.rows <= most && sum !== expected.sum))
    fail('SPARK_FAILED', {
      stage,
      reason: `of ${expected.rows} rows that workers wrote ${count} arrived here, or their checksum is wrong`,
    });
}

function total(values: readonly unknown[]): bigint {
  return values.reduce<bigint>((sum, value) => sum + BigInt(String(value)), 0n);
}

function unknownToAll(lists: readonly string[]): Set<string> {
  const [first = [], ...others] = lists.map(list => JSON.parse(list) as string[]);
  return new Set(first.filter(name => others.every(names => names.includes(name))));
}
