/** Documents of giant components → smaller components, of documents that may reach the threshold: what one worker would decide alone is dealt out. */
import { slotsFor } from '../decide/crowd/element-counts.ts';
import { BYTES_PER_ELEMENT } from '../decide/giant.ts';
import { findComponents } from './components.ts';
import { type Expected, expectedOf, requireAll } from './hand-over.ts';
import { BYTES_A_WORKER, type FilesOnSpark } from './read-files.ts';
import type { SparkSession } from './session.ts';
import type { WorkerPlan } from './worker/plan.ts';

const STAGE = 'shared passages';

/** `members`: a query with a column rid. Makes a table of rid and root, and returns its name. */
export async function dissolve(session: SparkSession, files: FilesOnSpark, members: string): Promise<string> {
  const lines = session.table('giant_lines');
  await session.sql(
    STAGE,
    `CREATE TABLE ${lines} USING parquet AS SELECT l.rid, l.line FROM ${files.lines} l LEFT SEMI JOIN ${members} m ON l.rid = m.rid`,
  );
  const [size] = await session.sql(STAGE, `SELECT sum(octet_length(line)) AS bytes FROM ${lines}`);
  const bytes = Number(size!.bytes);
  const workers = Math.max(2, Math.ceil(bytes / BYTES_A_WORKER));
  const plan = { ...files.plan, slots: slotsFor(bytes / BYTES_PER_ELEMENT) };
  const stage = async (task: WorkerPlan['task'], from: string, expected: Expected) => {
    const table = session.table(`giant_${task}`);
    await session.sql(STAGE, `CREATE TABLE ${table} USING parquet AS ${session.transform({ ...plan, task }, from)}`);
    await requireAll(session, STAGE, table, expected);
    return table;
  };
  const all = await expectedOf(session, lines);
  const counted = await stage('count', `SELECT /*+ REPARTITION(${workers}) */ rid, line FROM ${lines}`, all);
  const counts = `(SELECT rid, json AS counts FROM ${counted} WHERE kind = 'S')`;
  const summed = await stage(
    'sum',
    `SELECT rid, counts FROM ${counts} DISTRIBUTE BY rid SORT BY rid`,
    await expectedOf(session, counts),
  );
  const sums = `SELECT explode(sequence(0, ${workers - 1})) AS part, 0 AS what, rid, json AS payload FROM ${summed} WHERE kind = 'S'`;
  const dealt = `(${sums} UNION ALL SELECT CAST(pmod(rid, ${workers}) AS INT), 1, rid, line FROM ${lines})`;
  const prefixes = await stage(
    'prefix',
    `SELECT part, what, rid, payload FROM ${dealt} DISTRIBUTE BY part SORT BY part, what, rid`,
    await expectedOf(session, dealt),
  );
  const elements = `(SELECT other AS element, rid, keys AS place FROM ${prefixes} WHERE kind = 'E')`;
  const links = await stage(
    'link',
    `SELECT element, rid, place FROM ${elements} DISTRIBUTE BY element SORT BY element, rid`,
    await expectedOf(session, elements),
  );
  return findComponents(
    session,
    'dissolved',
    `SELECT DISTINCT greatest(rid, other) AS a, least(rid, other) AS b FROM ${links} WHERE kind = 'K' AND rid <> other`,
  );
}
