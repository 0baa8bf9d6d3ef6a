/** What went into the workers of a stage, and what came out → the same documents, or an error: nothing is lost on the way. */
import { fail } from '../../errors.ts';
import type { SparkSession } from './session.ts';

export interface HandedOver {
  /** Sum over all workers. */
  readonly comparisons: number;
  /** Fields that no worker saw. */
  readonly unknownFields: ReadonlySet<string>;
}

/** Rows by number, and their rids by sum: a worker that stopped early, or ran twice, changes one of them. */
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

/** `table` holds the rows of the workers, trailers among them. */
export async function requireAll(
  session: SparkSession,
  stage: string,
  table: string,
  expected: Expected,
): Promise<HandedOver> {
  const field = (name: string, type: string) => `CAST(get_json_object(json, '$.${name}') AS ${type})`;
  const ofTrailers = (value: string) => `coalesce(sum(CASE WHEN kind = 'T' THEN ${value} END), 0)`;
  const [row] = await session.sql(
    stage,
    `SELECT ${ofTrailers(field('seen', 'BIGINT'))} AS seen, ${ofTrailers(field('written', 'BIGINT'))} AS written,
      CAST(${ofTrailers(field('rids', 'DECIMAL(38,0)'))} AS STRING) AS rids, ${ofTrailers(field('comparisons', 'BIGINT'))} AS comparisons,
      count(CASE WHEN kind <> 'T' THEN 1 END) AS found, count(CASE WHEN kind IS NULL OR rid IS NULL THEN 1 END) AS broken,
      to_json(collect_set(CASE WHEN kind = 'T' THEN get_json_object(json, '$.unknownFields') END)) AS unknown
    FROM ${table}`,
  );
  const { rows, rids } = expected;
  const [seen, written, found, broken] = [row!.seen, row!.written, row!.found, row!.broken].map(Number);
  const differ = (what: string) =>
    fail('SPARK_FAILED', {
      stage,
      reason: `${what}; a worker ended early or its rows were changed, nothing was written`,
    });
  if (broken !== 0) differ(`${broken} rows of workers cannot be read`);
  if (seen !== rows || BigInt(String(row!.rids)) !== rids)
    differ(`workers were given ${rows} documents and read ${seen}`);
  if (written !== found) differ(`workers wrote ${written} rows and ${found} arrived`);
  return { comparisons: Number(row!.comparisons), unknownFields: unknownToAll(JSON.parse(String(row!.unknown))) };
}

function unknownToAll(lists: readonly string[]): Set<string> {
  const [first = [], ...others] = lists.map(list => JSON.parse(list) as string[]);
  return new Set(first.filter(name => others.every(names => names.includes(name))));
}
