/** Decisions that people made, and the documents of a run → those that hold, as rows of the components they bring together. */
import type { Decision } from '../../decisions/decision.ts';
import { bookOf, type DecisionCounts, settleDecisions } from '../decide/settle-decisions.ts';
import type { SparkSession } from './session.ts';
import { literal } from './sql.ts';
import { type Extra, parts } from './worker/plan.ts';

export interface SettledOnSpark {
  readonly counts: DecisionCounts;
  /** A table of the contents of documents that somebody decided on. */
  readonly apart: string;
  /** A query of rid and k: documents that are linked, whatever they share. */
  links(documents: string): string;
  /** Rows for the task `decide`, of decisions whose documents are in one component. */
  rows(roots: string, copies: string): string;
}

export async function settleOnSpark(
  session: SparkSession,
  documents: string,
  decisions: readonly Decision[],
): Promise<SettledOnSpark> {
  const book = bookOf(decisions);
  const fill = async (name: string, columns: string, values: readonly string[]) => {
    const table = session.table(name);
    await session.sql('decisions', `CREATE TABLE ${table} (${columns}) USING parquet`);
    await session.insert(table, values);
    return table;
  };
  const ids = await fill(
    'decided_ids',
    'id STRING',
    [...book.ids()].map(id => `(${literal(JSON.stringify(id))})`),
  );
  // Of the reference set first: an id is that of a document of the inputs, if there is one.
  const found: { rid: number; content: string; extra: Extra }[] = [];
  const itemOf = new Map<string, number>();
  const named = `SELECT d.rid, d.json, substring_index(d.keys, ',', 1) AS content, d.extra FROM ${documents} d LEFT SEMI JOIN ${ids} i ON d.json = i.id ORDER BY rid`;
  for await (const { rid, json, content, extra } of session.rows('decisions', named)) {
    itemOf.set(JSON.parse(String(json)), found.length);
    found.push({ rid: Number(rid), content: String(content), extra: JSON.parse(String(extra)) });
  }
  const { same, different, preferred, counts } = settleDecisions(book, {
    itemOf,
    contentOf: item => found[item]!.extra.content!,
    areComparable: (a, b) => found[a]!.extra.group === found[b]!.extra.group,
  });
  const keeps = new Map<string, number>();
  for (let at = 0; at < preferred.length; at += 2) keeps.set(keyOf(preferred[at]!, preferred[at + 1]!), preferred[at]!);
  const rows: string[] = [];
  const apart = new Set<string>();
  for (const [verdict, pairs] of Object.entries({ same, different }))
    for (let at = 0; at < pairs.length; at += 2) {
      const [a, b] = [pairs[at]!, pairs[at + 1]!];
      const keep = keeps.get(keyOf(a, b));
      const ridOf = (item: number | undefined) => (item === undefined ? 'NULL' : found[item]!.rid);
      rows.push(
        `(${rows.length}, ${ridOf(a)}, ${ridOf(b)}, '${verdict}', ${verdict === 'same' ? ridOf(keep) : 'NULL'})`,
      );
      for (const item of [a, b]) apart.add(found[item]!.content);
    }
  const verdicts = await fill('verdicts', 'number INT, a BIGINT, b BIGINT, verdict STRING, keep BIGINT', rows);
  const contents = await fill(
    'apart',
    'content STRING',
    [...apart].map(content => `(${literal(content)})`),
  );
  return {
    counts,
    apart: contents,
    links: all =>
      // Equal texts that stand for themselves each, and pairs called same.
      `SELECT rid, content AS k FROM (SELECT rid, substring_index(keys, ',', 1) AS content FROM ${all}) WHERE content IN (SELECT content FROM ${contents})
        UNION ALL SELECT explode(array(a, b)), CAST(number AS STRING) FROM ${verdicts} WHERE verdict = 'same'`,
    rows: (roots, copies) => {
      const all = `(SELECT rid, root FROM ${roots} UNION ALL SELECT c.rid, r.root FROM ${copies} c JOIN ${roots} r ON c.first = r.rid)`;
      return `SELECT x.root, ${parts.decision} AS what, v.a AS rid, concat('[', v.a, ',', v.b, ',"', v.verdict, '",', coalesce(CAST(v.keep AS STRING), 'null'), ']') AS payload
        FROM ${verdicts} v JOIN ${all} x ON v.a = x.rid JOIN ${all} y ON v.b = y.rid AND x.root = y.root`;
    },
  };
}

function keyOf(a: number, b: number): string {
  return `${Math.min(a, b)} ${Math.max(a, b)}`;
}
