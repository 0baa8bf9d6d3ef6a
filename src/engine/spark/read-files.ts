/** The files of a run → numbered lines, and what workers found out about each: document, reject or blank; with the checks that ids are there and unique. */
import { join } from 'node:path';
import { fail } from '../../errors.ts';
import { isCompressed } from '../../formats/find/inputs.ts';
import { isDocument, type Reject } from '../../formats/item.ts';
import { openReading } from '../../formats/reading.ts';
import { formats } from '../../formats/registry.ts';
import type { Document } from '../../model.ts';
import type { FilesRead, RunFiles, RunRequest } from '../engine.ts';
import { expectedOf, requireAll, requireArrived } from './hand-over.ts';
import { numberFiles } from './number-files.ts';
import { type NumberedFile, type NumberedLines, numberLines } from './number-lines.ts';
import type { SparkSession } from './session.ts';
import { spool } from './spool.ts';
import { literal } from './sql.ts';
import { lineReader } from './worker/line-reader.ts';
import type { WorkerPlan } from './worker/plan.ts';

export interface FilesOnSpark {
  /** rid, line. */
  readonly lines: string;
  /** rid, json (the id), keys (the first is the content), other (bytes of the line), extra. */
  readonly documents: string;
  readonly protectedCount: number;
  readonly plan: Omit<WorkerPlan, 'task'>;
  readonly read: FilesRead;
}

/** Text that a worker gets before another one is worth its start, which takes half a second. */
export const BYTES_A_WORKER = 32 * 2 ** 20;
const FEWEST_WORKERS = 2;
const FEWEST_PARTS = 8;

export async function readFiles(session: SparkSession, request: RunRequest, maxPairs: number): Promise<FilesOnSpark> {
  const { files, reading, options } = request;
  const nothing: NumberedLines = { files: [], first: 0, count: 0, bytes: 0 };
  const { textField, idField, setField, html, maxDocument, exactFields } = reading;
  const rules = JSON.parse(JSON.stringify({ textField, idField, setField, html, maxDocument, exactFields }));
  const told = {
    options,
    reading: rules,
    maxPairs,
    memory: request.memory,
    hasDecisions: request.decisions !== undefined,
  };
  const converted: [number, number][] = [];
  const number = async (list: RunFiles['inputs'], name: string, first: number) => {
    if (list.length === 0) return nothing;
    if (!formats[list[0]!.format].isOneDocument) return numberLines(session, list, name, first, request);
    const numbered = await numberFiles(session, list, name, first, request, {
      ...told,
      converted: [],
      protectedCount: 0,
    });
    converted.push([first, first + numbered.count]);
    return numbered;
  };
  const reference = await number(files.reference, 'reference', 0);
  const inputs = await number(files.inputs, 'inputs', reference.count);
  const both = [...(files.reference.length > 0 ? ['reference'] : []), 'inputs'].map(
    name => `SELECT rid, line FROM ${session.table(name)}`,
  );
  const lines = `(${both.join(' UNION ALL ')})`;
  const plan = { ...told, converted, protectedCount: reference.count };

  const workers = Math.max(FEWEST_WORKERS, Math.ceil((reference.bytes + inputs.bytes) / BYTES_A_WORKER));
  // Spark's 200 parts of every exchange are most of the time of a small run, and too few for a large one.
  await session.sql('read', `SET spark.sql.shuffle.partitions=${Math.max(FEWEST_PARTS, 2 * workers)}`);
  const known = session.table('known');
  const dealt = `SELECT /*+ REPARTITION(${workers}) */ rid, line FROM ${lines}`;
  await session.sql(
    'sketch',
    `CREATE TABLE ${known} USING parquet AS ${session.transform({ ...plan, task: 'analyse' }, dealt)}`,
  );
  const expected = await expectedOf(session, lines);
  if (expected.rows !== reference.count + inputs.count)
    fail('SPARK_FAILED', {
      stage: 'read',
      reason: `${reference.count + inputs.count} lines were read, ${expected.rows} are there`,
    });
  const { unknownFields, ofKind } = await requireAll(session, 'sketch', known, expected);
  const documents = `(SELECT rid, json, keys, other, extra FROM ${known} WHERE kind = 'D')`;
  const located = locator([...reference.files, ...inputs.files]);
  const documentCount = await requireIds(session, documents, reference.count, located);

  const rejects = await spool(
    join(session.folder, 'rejects'),
    requireArrived(
      'read',
      session.rows('read', `SELECT rid, json FROM ${known} WHERE kind = 'R' ORDER BY rid`),
      ofKind('R'),
    ),
    row => JSON.stringify({ ...located(Number(row.rid)), reason: JSON.parse(String(row.json)) }),
    line => JSON.parse(line) as Reject,
  );
  const [first] = rejects;
  if (reading.strict && first) fail('BAD_LINE', first);
  const broken = files.brokenLinks ?? [];
  const read: FilesRead = {
    documents: documentCount,
    rejects: {
      length: broken.length + rejects.length,
      *[Symbol.iterator]() {
        yield* broken;
        yield* rejects;
      },
    },
    damages: [],
    repeatedIds: 0,
    contentBytes: files.inputs.some(isCompressed) ? inputs.bytes : 0,
    unknownFields,
  };
  return { lines, documents, protectedCount: reference.count, plan, read };
}

/** Documents by their ids, as they were read. */
export async function* readNamed(
  session: SparkSession,
  { lines, documents, plan, protectedCount }: FilesOnSpark,
  ids: Iterable<string>,
  isReference: boolean,
): AsyncGenerator<Document> {
  const table = session.table(isReference ? 'shown_reference' : 'shown_inputs');
  await session.sql('report', `CREATE TABLE ${table} (id STRING) USING parquet`);
  await session.insert(
    table,
    Array.from(ids, id => `(${literal(JSON.stringify(id))})`),
  );
  const wanted = `SELECT d.rid FROM ${documents} d LEFT SEMI JOIN ${table} t ON d.json = t.id WHERE d.rid ${isReference ? '<' : '>='} ${protectedCount}`;
  const found = `SELECT l.rid, CAST(l.line AS BINARY) AS line FROM ${lines} l JOIN (${wanted}) w ON l.rid = w.rid`;
  const { item } = lineReader({ ...plan, task: 'analyse' }, (await openReading(plan.reading)).fields);
  for await (const { rid, line } of session.rows('report', found)) {
    const read = item(Number(rid), line as Uint8Array);
    if (read && isDocument(read)) yield read.document;
  }
}

/** Examples in an error. */
const NAMED = 3;

interface Location {
  readonly file: string;
  readonly line: number;
}

/** Those of the reference set are apart from those of the inputs, of which it returns the number. */
async function requireIds(
  session: SparkSession,
  documents: string,
  protectedCount: number,
  located: (rid: number) => Location,
): Promise<number> {
  const [found] = await session.sql(
    'ids',
    `SELECT count_if(rid >= ${protectedCount}) AS inputs, count_if(json = 'null') AS unnamed FROM ${documents}`,
  );
  if (Number(found!.unnamed) > 0) {
    const firsts = `SELECT rid FROM ${documents} WHERE json = 'null' ORDER BY rid LIMIT ${NAMED}`;
    const places = (await session.sql('ids', firsts)).map(({ rid }) => located(Number(rid)));
    const examples = places.map(({ file, line }) => `${file}:${line}`).join(', ');
    fail('BAD_DOCUMENT', {
      reason: `${found!.unnamed} documents have no id (${examples}), and on Spark they cannot be named by their line; give each one (--id-field)`,
    });
  }
  const repeated = `SELECT json AS id, count(*) AS n FROM ${documents} GROUP BY json, rid < ${protectedCount} HAVING count(*) > 1`;
  const [all] = await session.sql('ids', `SELECT count(*) AS n FROM (${repeated})`);
  if (Number(all!.n) === 0) return Number(found!.inputs);
  const shown = await session.sql('ids', `${repeated} ORDER BY n DESC, id LIMIT ${NAMED}`);
  const examples = shown.map(({ id, n }) => `${id} ${n} times`).join(', ');
  return fail('BAD_DOCUMENT', {
    reason: `${all!.n} ids come more than once (${examples}), and on Spark a document cannot be named by its line; give each its own id`,
  });
}

/** The file that a line is in, and its number there, by bisection. Rows of a table of text count as one line each. */
function locator(files: readonly NumberedFile[]): (rid: number) => Location {
  return rid => {
    let [low, high] = [0, files.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (files[middle]!.first <= rid) low = middle;
      else high = middle - 1;
    }
    const { path, first, header } = files[low]!;
    return { file: path, line: rid - first + 1 + header };
  };
}
