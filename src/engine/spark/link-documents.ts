/** What is known of documents → the components that workers decide: equal texts share one line, and giant components are dissolved. */
import { canDissolve, giantSize } from '../decide/giant.ts';
import type { RunRequest } from '../engine.ts';
import { findComponents, linksByKey } from './components.ts';
import { dissolve } from './dissolve.ts';
import type { FilesOnSpark } from './read-files.ts';
import type { SparkSession } from './session.ts';
import type { SettledOnSpark } from './settle-on-spark.ts';
import { parts } from './worker/plan.ts';

/** A query with the columns of the tasks `decide` and `pair`. */
export async function linkDocuments(
  session: SparkSession,
  files: FilesOnSpark,
  request: RunRequest,
  settled: SettledOnSpark | undefined,
): Promise<string> {
  const { documents } = files;
  const make = async (name: string, query: string) => {
    const table = session.table(name);
    await session.sql('candidates', `CREATE TABLE ${table} USING parquet AS ${query}`);
    return table;
  };
  const content = "substring_index(keys, ',', 1)";
  // One of two equal texts may be called different from a third: those that people decided on stand for themselves.
  const apart = settled ? `WHERE ${content} NOT IN (SELECT content FROM ${settled.apart})` : '';
  const equal = `SELECT ${content} AS content, min(rid) AS first FROM ${documents} ${apart} GROUP BY ${content} HAVING count(*) > 1`;
  const copies = await make(
    'copies',
    `SELECT d.rid, e.first, d.json, d.extra FROM ${documents} d JOIN (${equal}) e ON ${content} = e.content WHERE d.rid <> e.first`,
  );
  const firsts = `(SELECT d.rid, d.keys, d.other FROM ${documents} d LEFT ANTI JOIN ${copies} c ON d.rid = c.rid)`;
  const keys = `(SELECT rid, explode(split(keys, ',')) AS k FROM ${firsts})`;
  const linked = await findComponents(session, 'linked', linksByKey(keys));
  const components = await withoutGiants(session, files, request, linked);
  const joined = settled
    ? await findComponents(
        session,
        'joined',
        `SELECT rid AS a, root AS b FROM ${components} WHERE rid <> root UNION ${linksByKey(`(${settled.links(documents)})`)}`,
      )
    : components;
  // Copies go where the first of them is; one that has only copies is a component with them.
  const alone = `SELECT DISTINCT first AS rid, first AS root FROM ${copies} c LEFT ANTI JOIN ${joined} j ON c.first = j.rid`;
  const roots = await make('roots', `SELECT rid, root FROM ${joined} UNION ALL ${alone}`);
  const rows = [
    `SELECT r.root, ${parts.line} AS what, r.rid, l.line AS payload FROM ${roots} r JOIN ${files.lines} l ON r.rid = l.rid`,
    `SELECT r.root, ${parts.copy} AS what, c.rid, concat('[', c.first, ',', c.json, ',', c.extra, ']') AS payload FROM ${copies} c JOIN ${roots} r ON c.first = r.rid`,
    ...(settled ? [settled.rows(roots, copies)] : []),
  ];
  return `(${rows.join(' UNION ALL ')})`;
}

/** Rids and roots after giant components were taken apart. */
async function withoutGiants(
  session: SparkSession,
  files: FilesOnSpark,
  request: RunRequest,
  components: string,
): Promise<string> {
  const { options } = request;
  // An element in too many rows is boilerplate: that depends on all of the row.
  if (!canDissolve(options) || options.sketch.kind === 'bottom' || options.sketch.kind === 'mod') return components;
  const giants = `(SELECT root FROM ${components} GROUP BY root HAVING count(*) > ${giantSize(request.giant)})`;
  const [found] = await session.sql('candidates', `SELECT count(*) AS n FROM ${giants}`);
  if (Number(found!.n) === 0) return components;
  const members = `(SELECT c.rid FROM ${components} c LEFT SEMI JOIN ${giants} g ON c.root = g.root)`;
  const dissolved = await dissolve(session, files, members);
  return `(SELECT c.rid, c.root FROM ${components} c LEFT ANTI JOIN ${giants} g ON c.root = g.root UNION ALL SELECT rid, root FROM ${dissolved})`;
}
