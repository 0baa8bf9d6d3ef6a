/** Candidate keys of documents → for each document that shares one the smallest rid it is linked with, by large-star and small-star in SQL. */
import { fail } from '../../errors.ts';
import type { SparkSession } from './session.ts';

/** Of n documents in a chain, some log² n are enough. */
const MOST_ROUNDS = 200;

/** `links`: a query with columns rid and k; documents with one k are linked. Makes a table of rid and root, and returns its name. */
export async function findComponents(session: SparkSession, name: string, links: string): Promise<string> {
  const { sql } = session;
  const tableOf = (round: number | string) => session.table(`${name}_${round}`);
  const make = (table: string, query: string) => sql('candidates', `CREATE TABLE ${table} USING parquet AS ${query}`);
  // The smallest of a key to the others: as many edges as documents, however many share it.
  await make(
    tableOf(0),
    `SELECT DISTINCT rid AS a, root AS b FROM (SELECT rid, min(rid) OVER (PARTITION BY k) AS root FROM (${links})) WHERE rid <> root`,
  );
  let before = '';
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const [state] = await sql(
      'candidates',
      `SELECT count(*) AS n, bit_xor(xxhash64(a, b)) AS hash FROM ${tableOf(round)}`,
    );
    const now = `${state!.n} ${state!.hash}`;
    if (now === before || Number(state!.n) === 0) {
      const components = tableOf('all');
      await make(
        components,
        `SELECT a AS rid, b AS root FROM ${tableOf(round)} UNION ALL SELECT DISTINCT b, b FROM ${tableOf(round)}`,
      );
      return components;
    }
    before = now;
    await make(tableOf(round + 1), `SELECT DISTINCT a, b FROM (${smallStar(`(${largeStar(tableOf(round))})`)})`);
    if (round > 0) await sql('candidates', `DROP TABLE ${tableOf(round)}`);
  }
  return fail('SPARK_FAILED', {
    stage: 'candidates',
    reason: `components stood not still after ${MOST_ROUNDS} rounds`,
  });
}

/** Edges go from the larger, a, to the smaller, b. Every larger neighbour of a document is tied to the smallest one. */
function largeStar(edges: string): string {
  const both = `SELECT a AS u, b AS v FROM ${edges} UNION ALL SELECT b, a FROM ${edges}`;
  return `WITH n AS (${both}), m AS (SELECT u, least(u, min(v)) AS root FROM n GROUP BY u)
    SELECT DISTINCT n.v AS a, m.root AS b FROM n JOIN m ON n.u = m.u WHERE n.v > n.u`;
}

/** Every smaller neighbour, and the document itself, is tied to the smallest one. */
function smallStar(edges: string): string {
  return `WITH l AS (SELECT a, b FROM ${edges}), m AS (SELECT a AS u, min(b) AS root FROM l GROUP BY a)
    SELECT l.b AS a, m.root AS b FROM l JOIN m ON l.a = m.u WHERE l.b <> m.root UNION ALL SELECT u, root FROM m`;
}
