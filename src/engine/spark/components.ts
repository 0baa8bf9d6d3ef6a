/** Links between documents → for each that has one the smallest rid it is linked with, by large-star and small-star in SQL. */
import { fail } from '../../errors.ts';
import type { SparkSession } from './session.ts';

/** Of n documents in a chain, some log² n are enough. */
const MOST_ROUNDS = 200;

/**
 * Documents that share a key, `k`, as links: the smallest of a key to the others, so as many as documents, however many share it.
 * Keys are counted before they are joined, so that no task gets all documents of one key.
 */
export function linksByKey(keys: string): string {
  const shared = `SELECT k, min(rid) AS root FROM ${keys} GROUP BY k HAVING min(rid) < max(rid)`;
  return `SELECT DISTINCT e.rid AS a, s.root AS b FROM ${keys} e JOIN (${shared}) s ON e.k = s.k WHERE e.rid <> s.root`;
}

/** `links`: a query with columns a and b, of which b is the smaller. Makes a table of rid and root, and returns its name. */
export async function findComponents(session: SparkSession, name: string, links: string): Promise<string> {
  const { sql } = session;
  const tableOf = (round: number | string) => session.table(`${name}_${round}`);
  const make = (table: string, query: string) => sql('candidates', `CREATE TABLE ${table} USING parquet AS ${query}`);
  await make(tableOf(0), links);
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
    reason: `components still change after ${MOST_ROUNDS} rounds`,
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
