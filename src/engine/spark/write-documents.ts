/** Decided documents → written by Spark: a folder of parts with _SUCCESS under a URL; on this machine one file, in input order. */
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../errors.ts';
import { isUrl } from '../../formats/find/inputs.ts';
import { readName } from '../../formats/name.ts';
import { type Format, formats } from '../../formats/registry.ts';
import { openSink } from '../../formats/sink.ts';
import type { Totals } from '../decide/decisions.ts';
import type { DocumentsForm, RunRequest } from '../engine.ts';
import type { Source } from './connect/client.ts';
import { expectedOf, requireAll } from './hand-over.ts';
import { type Column, describe, sumOfLine, sumOfRow } from './number-lines.ts';
import type { FilesOnSpark } from './read-files.ts';
import { requireSparkForm } from './requirements.ts';
import type { SparkSession } from './session.ts';
import { identifier, literal } from './sql.ts';
import { stands } from './worker/plan.ts';

export interface WriteRequest {
  readonly files: FilesOnSpark;
  /** What the workers decided. */
  readonly table: string;
  readonly totals: Totals;
  readonly request: RunRequest;
  readonly path: string;
  readonly form: DocumentsForm;
  readonly mark: boolean;
}

export async function writeDocuments(session: SparkSession, asked: WriteRequest): Promise<void> {
  const { files, form, path, mark, totals, request } = asked;
  const format = formatWritten(request.files.inputs);
  requireSparkForm(path, form, request.files.inputs);
  if (isUrl(path)) await requireNew(session, path);
  const documents = files.read.documents - (mark ? 0 : totals.removed);
  const rows = mark ? await markedRows(session, asked, format) : keptRows(session, asked);
  const given = format === 'jsonl' ? [] : await describe(session, 'inputs');
  const table = mark ? withMark(given, format) : given;
  const columns = format === 'jsonl' ? 'line' : table.map(column => columnOf(column, format, mark)).join(', ');
  const isHere = !isUrl(path);
  const target = isHere ? `${session.location}_output` : path;
  const compression = isHere || format === 'parquet' ? 'none' : compressionOf(path);
  // Parquet is one file only if one task writes it; of lines, the parts are put together here.
  const order = isHere && format === 'parquet' ? '/*+ COALESCE(1) */ ' : '';
  const settings = writers[format]!(compression, isHere);
  const options = Object.entries(settings.options).map(([key, value]) => `${key} ${literal(value)}`);
  await session.sql(
    'write',
    `INSERT OVERWRITE DIRECTORY ${literal(target)} USING ${settings.format}${options.length > 0 ? ` OPTIONS (${options.join(', ')})` : ''}
      SELECT ${order}${columns} FROM (SELECT * FROM (${rows}) ORDER BY rid)`,
  );
  const expected = await sumsOf(session, `(${rows})`, sumOfExpected(given, format, mark));
  if (expected.rows !== documents)
    fail('SPARK_FAILED', { stage: 'write', reason: `of ${documents} documents that stay ${expected.rows} are there` });
  await session.view('written', sourceOf(target, format, settings, table));
  const written = await sumsOf(session, 'written', sumOfWritten(given, format, mark));
  if (written.rows !== documents)
    fail('SPARK_FAILED', { stage: 'write', reason: `${written.rows} of ${documents} documents are in ${target}` });
  if (written.sum !== expected.sum)
    fail('SPARK_FAILED', {
      stage: 'write',
      reason: `the documents in ${target} are not those that were to be written: their checksum is wrong`,
    });
  if (isHere) await putTogether(target, path, format, format === 'jsonl' ? '' : headerOf(table, format));
}

/** Files of one document come out as JSON lines. */
function formatWritten(inputs: RunRequest['files']['inputs']): Format {
  const { format } = inputs[0]!;
  return formats[format].isOneDocument ? 'jsonl' : format;
}

/** Spark's writer takes white space from both ends of a cell unless it is told not to. */
const WITH_SPACES = { ignoreLeadingWhiteSpace: 'false', ignoreTrailingWhiteSpace: 'false' };

/** Parts that are put together here have one header between them. */
type Writer = (
  compression: string,
  isHere: boolean,
) => { readonly format: string; readonly options: Readonly<Record<string, string>> };

const csv =
  (sep: string): Writer =>
  (compression, isHere) => ({
    format: 'csv',
    options: { sep, header: String(!isHere), quote: '"', escape: '"', emptyValue: '', ...WITH_SPACES, compression },
  });

const writers: Partial<Record<Format, Writer>> = {
  jsonl: compression => ({ format: 'text', options: { lineSep: '\n', compression } }),
  parquet: () => ({ format: 'parquet', options: {} }),
  csv: csv(','),
  tsv: csv('\t'),
};

/** Hadoop's own codec for Zstandard needs a native library; this one is in every Spark. */
function compressionOf(path: string): string {
  const { compression } = readName(path);
  return compression === 'zstd' ? 'io.airlift.compress.zstd.ZstdCodec' : compression;
}

/** rid and what is written, of the documents that stay. */
function keptRows(session: SparkSession, { files, table }: WriteRequest): string {
  const documents = `(SELECT rid FROM ${files.documents} WHERE rid >= ${files.protectedCount})`;
  const removed = `(SELECT rid FROM ${table} WHERE kind = 'X')`;
  return `SELECT i.* FROM ${session.table('inputs')} i JOIN ${documents} d ON i.rid = d.rid LEFT ANTI JOIN ${removed} x ON i.rid = x.rid`;
}

/** The same of all documents, each with its cluster, the size of it, and whether it is the one that stays. */
async function markedRows(session: SparkSession, { files, table }: WriteRequest, format: Format): Promise<string> {
  const id = (json: string, member: string) => `get_json_object(${json}, '$.${member}')`;
  const marks = `SELECT i.*, named_struct('cluster', coalesce(${id('x.json', 'keptId')}, ${id('c.json', 'cluster')}, from_json(concat('{"id":', d.json, '}'), 'id STRING').id),
      'size', coalesce(k.other, c.other, 1), 'keep', x.rid IS NULL) AS neardup
    FROM ${session.table('inputs')} i JOIN ${files.documents} d ON i.rid = d.rid
    LEFT JOIN (SELECT * FROM ${table} WHERE kind = 'X') x ON i.rid = x.rid
    LEFT JOIN (SELECT * FROM ${table} WHERE kind = 'C') k ON x.other = k.rid
    LEFT JOIN (SELECT * FROM ${table} WHERE kind = 'C') c ON i.rid = c.rid`;
  if (format !== 'jsonl') return marks;
  const marked = session.table('marked');
  const lines = session.transform(
    { ...files.plan, task: 'mark' },
    `SELECT rid, to_json(neardup) AS mark, line FROM (${marks})`,
  );
  await session.sql('write', `CREATE TABLE ${marked} USING parquet AS ${lines}`);
  await requireAll(
    session,
    'write',
    marked,
    await expectedOf(session, `(SELECT rid FROM ${files.documents} WHERE rid >= ${files.protectedCount})`),
  );
  const line = `translate(json, ${literal(stands.tab + stands.return)}, '\\t\\r')`;
  return `SELECT rid, ${line} AS line FROM ${marked} WHERE kind = 'L'`;
}

/** What is there already is never written over. */
async function requireNew(session: SparkSession, url: string): Promise<void> {
  const isThere = await session.view('target', { format: 'binaryFile', options: {}, paths: [url] }).then(
    () => true,
    error => (/PATH_NOT_FOUND|does not exist/i.test(String(error)) ? false : Promise.reject(error)),
  );
  if (isThere) fail('CANNOT_WRITE', { file: url, reason: 'it is there already; name another folder or remove it' });
}

/** The column that `--mark` adds. */
const MARK: Column = { name: 'neardup', type: 'string' };

/** A column of that name which is there already is replaced: in its place in a table of text, as the local engines do it. */
function withMark(given: readonly Column[], format: Format): Column[] {
  const others = given.filter(isNotMark);
  return format === 'parquet' || others.length === given.length ? [...others, MARK] : [...given];
}

function isNotMark({ name }: Column): boolean {
  return name !== MARK.name;
}

function columnOf(column: Column, format: Format, mark: boolean): string {
  if (!mark || isNotMark(column)) return `\`row\`.${identifier(column.name)}`;
  // A cell holds no members.
  return format === 'parquet' ? 'neardup' : 'to_json(neardup) AS neardup';
}

/** What was written, to be read back: what a file system has lost or changed is not passed over. */
function sourceOf(target: string, format: Format, writer: ReturnType<Writer>, columns: readonly Column[]): Source {
  const paths = [target];
  if (format === 'jsonl' || format === 'parquet') return { ...writer, paths };
  // Parts have no header here, and there may be no row to tell the columns from.
  const schema = columns.map(({ name }) => `${identifier(name)} STRING`).join(', ');
  // Spark would take the first \r\n for the end of a row, also in a cell.
  return { ...writer, options: { ...writer.options, multiLine: 'true', lineSep: '\n' }, schema, paths };
}

/** Rows, and their hashes by exclusive or. */
async function sumsOf(session: SparkSession, from: string, sum: string) {
  const [row] = await session.sql(
    'write',
    `SELECT count(*) AS n, CAST(coalesce(bit_xor(${sum}), 0) AS STRING) AS sum FROM ${from}`,
  );
  return { rows: Number(row!.n), sum: String(row!.sum) };
}

function sumOfExpected(given: readonly Column[], format: Format, mark: boolean): string {
  if (!mark) return 'sum';
  if (format === 'jsonl') return sumOfLine('line');
  const others = given.filter(isNotMark);
  const sum = others.length === given.length ? 'sum' : sumOfRow(others, format, '`row`.');
  return `xxhash64(${sum}, to_json(neardup))`;
}

function sumOfWritten(given: readonly Column[], format: Format, mark: boolean): string {
  if (format === 'jsonl') return sumOfLine('value');
  if (!mark) return sumOfRow(given, format);
  const sum = sumOfRow(given.filter(isNotMark), format);
  return `xxhash64(${sum}, ${format === 'parquet' ? 'to_json(neardup)' : 'neardup'})`;
}

async function putTogether(folder: string, path: string, format: Format, header: string): Promise<void> {
  const names = readdirSync(folder)
    .filter(name => name.startsWith('part-'))
    .sort();
  if (!existsSync(join(folder, '_SUCCESS')))
    fail('SPARK_FAILED', { stage: 'write', reason: `${folder} is not complete` });
  if (format === 'parquet') {
    if (names.length !== 1)
      fail('SPARK_FAILED', { stage: 'write', reason: `${names.length} files of Parquet, not one` });
    return copyFile(join(folder, names[0]!), path);
  }
  const sink = await openSink(path, readName(path).compression);
  try {
    await sink.write(header);
    for (const name of names)
      for await (const chunk of createReadStream(join(folder, name))) await sink.write(chunk as Uint8Array);
  } catch (error) {
    await sink.abort();
    throw error;
  }
  await sink.close();
}

function headerOf(table: readonly Column[], format: Format): string {
  const columns = table.map(({ name }) => name);
  const sep = format === 'tsv' ? '\t' : ',';
  const cell = (name: string) => (/["\n\r,\t]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);
  return `${columns.map(cell).join(sep)}\n`;
}
