/** Input files → a table of their lines, numbered in the order of the files and of the lines: the order that decides what is kept. */
import { resolve } from 'node:path';
import { fail } from '../../errors.ts';
import { type InputFile, isUrl } from '../../formats/find/inputs.ts';
import type { Format } from '../../formats/registry.ts';
import type { RunRequest } from '../engine.ts';
import { fieldsOf } from '../unknown-fields.ts';
import type { Row } from './connect/client.ts';
import type { SparkSession } from './session.ts';
import { identifier, literal } from './sql.ts';

/** Where lines are from. */
export interface NumberedFile {
  readonly path: string;
  /** The rid of its first line. */
  readonly first: number;
  readonly lines: number;
  /** Lines before the first one. */
  readonly header: number;
}

/** All that is in one table. */
export interface NumberedLines {
  readonly files: readonly NumberedFile[];
  /** Of all lines; rids go from `first` to `first + count`. */
  readonly first: number;
  readonly count: number;
  /** Decompressed. */
  readonly bytes: number;
}

/** What Spark's readers are asked for. Two files of other columns are an error, not a guess. */
const sources: Partial<Record<Format, { format: string; options: Readonly<Record<string, string>> }>> = {
  // Only \n ends a line, as everywhere in neardup; what else is in it stays.
  jsonl: { format: 'text', options: { lineSep: '\n' } },
  parquet: { format: 'parquet', options: { mergeSchema: 'true' } },
  csv: { format: 'csv', options: csvOptions(',') },
  tsv: { format: 'csv', options: csvOptions('\t') },
};

function csvOptions(sep: string): Readonly<Record<string, string>> {
  const quoting = { quote: '"', escape: '"', multiLine: 'true' };
  return { sep, header: 'true', enforceSchema: 'false', inferSchema: 'false', mode: 'FAILFAST', ...quoting };
}

export function canRead(format: Format): boolean {
  return sources[format] !== undefined;
}

/** Makes `<name>`: rid, line (what workers read), sum (a hash of what is written of it) and, of tables, the row as it was. */
export async function numberLines(
  session: SparkSession,
  files: readonly InputFile[],
  name: string,
  first: number,
  request: RunRequest,
): Promise<NumberedLines> {
  const { format } = files[0]!;
  const source = sources[format]!;
  const codecs = files.some(({ compression }) => compression !== 'none') ? CODECS : {};
  await session.view(name, { format: source.format, options: { ...source.options, ...codecs }, paths: pathsOf(files) });
  const raw = session.table(`${name}_raw`);
  const columns =
    format === 'jsonl'
      ? `value AS line, ${sumOfLine('value')} AS sum`
      : await rowColumns(session, name, format, request);
  const place = 'input_file_name() AS file, input_file_block_start() AS start, monotonically_increasing_id() AS place';
  await session.sql('read', `CREATE TABLE ${raw} USING parquet AS SELECT ${columns}, ${place} FROM ${name}`);
  const splits = await session.sql(
    'read',
    `SELECT file, start, min(place) AS low, max(place) AS high, count(*) AS lines, sum(octet_length(line) + 1) AS bytes FROM ${raw} GROUP BY file, start`,
  );
  const numbered = inOrder(splits, files, first);
  const table = session.table(`${name}_splits`);
  await session.sql(
    'read',
    `CREATE TABLE ${table} (file STRING, start BIGINT, low BIGINT, shift BIGINT) USING parquet`,
  );
  await session.insert(
    table,
    numbered.splits.map(split => `(${literal(split.file)}, ${split.start}, ${split.low}, ${split.shift})`),
  );
  const kept = format === 'jsonl' ? `${WITHOUT_MARK}, sum` : 'line, sum, `row`';
  await session.sql(
    'read',
    `CREATE VIEW ${session.table(name)} AS SELECT /*+ BROADCAST(s) */ place + shift AS rid, ${kept} FROM ${raw} r JOIN ${table} s ON r.file = s.file AND r.start = s.start`,
  );
  return numbered;
}

/** Of Hadoop's own, only gzip needs no native library. The other one is in every Spark, which has it for ORC. */
const CODECS = {
  'io.compression.codecs': 'org.apache.hadoop.io.compress.GzipCodec,io.airlift.compress.zstd.ZstdCodec',
};

export function pathsOf(files: readonly InputFile[]): string[] {
  return files.map(({ path, stored = path }) => (isUrl(stored) ? stored : escapedForGlob(resolve(stored))));
}

/** A byte-order mark at the start of a file is not part of its first line. */
const WITHOUT_MARK =
  "CASE WHEN r.start = 0 AND r.place = s.low AND startswith(line, '\\ufeff') THEN substring(line, 2) ELSE line END AS line";

/** The fields that workers need as a JSON line, and the whole row beside it. */
async function rowColumns(session: SparkSession, view: string, format: Format, { reading, options }: RunRequest) {
  const described = await describe(session, view);
  const columns = described.map(({ name }) => name);
  const { textField, idField, setField } = reading;
  const wanted = [setField ?? textField, idField, ...fieldsOf(options)];
  const needed = columns.filter(column => wanted.some(field => field === column || field.startsWith(`${column}.`)));
  // An empty cell is an empty text, which Spark reads as NULL.
  const cellOf = (column: string) =>
    format === 'parquet' ? identifier(column) : `coalesce(${identifier(column)}, '')`;
  const members = needed.map(column => `${literal(column)}, ${cellOf(column)}`).join(', ');
  const line = needed.length === 0 ? "'{}'" : `to_json(named_struct(${members}), ${WHOLE_TIMES})`;
  return `${line} AS line, ${sumOfRow(described, format)} AS sum, struct(${columns.map(identifier).join(', ')}) AS \`row\``;
}

/** Spark would leave out what is below a millisecond, which --keep and --by go by. */
const WHOLE_TIMES = `map('timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX", 'timestampNTZFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSS")`;

export interface Column {
  readonly name: string;
  readonly type: string;
}

export async function describe(session: SparkSession, view: string): Promise<Column[]> {
  const rows = await session.sql('read', `DESCRIBE ${view}`);
  return rows.map(({ col_name, data_type }) => ({ name: String(col_name), type: String(data_type) }));
}

/** The same with a byte-order mark before it as without: the first line of a file loses it. */
export function sumOfLine(line: string): string {
  return `xxhash64(CASE WHEN startswith(${line}, '\\ufeff') THEN substring(${line}, 2) ELSE ${line} END)`;
}

/** The same for a row before it is written and after it is read back. `of`: what stands before the names. */
export function sumOfRow(columns: readonly Column[], format: Format, of = ''): string {
  const values = columns.map(({ name, type }) => {
    const value = `${of}${identifier(name)}`;
    // An empty cell and none are the same in a table of text. Spark has no hash of maps and variants.
    if (format !== 'parquet') return `coalesce(${value}, '')`;
    return /\b(map<|variant|interval)/.test(type) ? `to_json(struct(${value}))` : value;
  });
  return `xxhash64(${values.join(', ')})`;
}

interface Split {
  readonly file: string;
  readonly start: number;
  /** The place of its first line. */
  readonly low: bigint;
  /** To be added to the place of a line to have its rid. */
  readonly shift: bigint;
}

function inOrder(
  rows: readonly Row[],
  files: readonly InputFile[],
  first: number,
): NumberedLines & { splits: Split[] } {
  const orderOf = ordersOf(files);
  // Spark gives the names of files as URLs here.
  const found = rows.map(row => ({ row, ...orderOf(decodeURIComponent(String(row.file))), start: Number(row.start) }));
  found.sort((a, b) => a.order - b.order || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) || a.start - b.start);
  const splits: Split[] = [];
  const { format } = files[0]!;
  const header = format === 'csv' || format === 'tsv' ? 1 : 0;
  const numbered: { path: string; first: number; lines: number; header: number }[] = [];
  let [rid, last] = [first, ''];
  for (const { row, name, path, start } of found) {
    const [low, high, lines] = [row.low as bigint, row.high as bigint, Number(row.lines)];
    // Lines of a split are numbered one after another; were it not so, two lines could get one number.
    if (high - low + 1n !== BigInt(lines))
      fail('SPARK_FAILED', { stage: 'read', reason: `lines of ${name} are not in one piece` });
    splits.push({ file: String(row.file), start, low, shift: BigInt(rid) - low });
    if (name !== last) numbered.push({ path, first: rid, lines: 0, header });
    numbered.at(-1)!.lines += lines;
    last = name;
    rid += lines;
  }
  const bytes = rows.reduce((sum, row) => sum + Number(row.bytes), 0);
  return { files: numbered, first, count: rid - first, bytes, splits };
}

/** The name that Spark has for a file → its place among the inputs, and the path that the user knows. */
export function ordersOf(files: readonly InputFile[]) {
  const orders = new Map(
    files.map(({ path, stored = path }, order) => [isUrl(stored) ? stored : resolve(stored), order]),
  );
  if (orders.size < files.length)
    fail('BAD_COMBINATION', {
      what: 'a file that is named twice, with --engine spark',
      why: 'its documents would have the same ids, which must be unique there',
    });
  return (file: string) => {
    const name = pathOf(file);
    const order = orders.get(name) ?? orderOfFolder(orders, name);
    return { name, order, path: isUrl(name) ? name : (files[order]?.path ?? name) };
  };
}

/** A URL may name a folder or a pattern, which Spark has looked through. */
function orderOfFolder(orders: ReadonlyMap<string, number>, name: string): number {
  for (const [url, order] of orders) if (isUrl(url) && name.startsWith(url.replace(/[*?[{].*$/, ''))) return order;
  return orders.size;
}

/** `file:///a b` → `/a b` */
function pathOf(file: string): string {
  return file.startsWith('file:') ? file.replace(/^file:\/*/, '/') : file;
}

/** Hadoop takes these for a pattern. */
function escapedForGlob(path: string): string {
  return path.replace(/[\\*?[\]{}]/g, character => `\\${character}`);
}
