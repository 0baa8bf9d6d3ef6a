/** Files of one document each → a table of lines, one for each file, in their order: workers make the lines from the bytes. */
import type { InputFile } from '../../formats/find/inputs.ts';
import { DEFAULT_MAX_DOCUMENT } from '../../formats/item.ts';
import { readName } from '../../formats/name.ts';
import type { RunRequest } from '../engine.ts';
import { expectedOf, requireAll } from './hand-over.ts';
import { type NumberedLines, ordersOf, pathsOf, sumOfLine } from './number-lines.ts';
import type { SparkSession } from './session.ts';
import { literal } from './sql.ts';
import type { ConvertedFile } from './worker/convert.ts';
import type { WorkerPlan } from './worker/plan.ts';

/** Makes `<name>`: rid, line, sum (a hash of it), other (bytes of the file, decompressed). */
export async function numberFiles(
  session: SparkSession,
  files: readonly InputFile[],
  name: string,
  first: number,
  { reading }: RunRequest,
  plan: Omit<WorkerPlan, 'task'>,
): Promise<NumberedLines> {
  const { maxDocument = DEFAULT_MAX_DOCUMENT } = reading;
  await session.view(name, { format: 'binaryFile', options: {}, paths: pathsOf(files) });
  const orderOf = ordersOf(files);
  const found = (await session.sql('read', `SELECT path, length FROM ${name}`)).map(({ path, length }) => ({
    file: String(path),
    length: Number(length),
    ...orderOf(String(path)),
  }));
  found.sort((a, b) => a.order - b.order || (a.name < b.name ? -1 : 1));
  const table = session.table(`${name}_files`);
  await session.sql('read', `CREATE TABLE ${table} (path STRING, rid BIGINT, file STRING) USING parquet`);
  await session.insert(
    table,
    found.map(({ file, path, length, order }, at) => {
      const format = files[order]?.format ?? 'text';
      const { compression } = readName(path);
      const told: ConvertedFile = { path, format, compression, isTooLarge: length > maxDocument };
      return `(${literal(file)}, ${first + at}, ${literal(JSON.stringify(told))})`;
    }),
  );
  // Spark breaks long lines.
  const bytes = `CASE WHEN v.length > ${maxDocument} THEN '' ELSE translate(base64(v.content), '\\r\\n', '') END AS bytes`;
  const dealt = `SELECT /*+ BROADCAST(f) */ f.rid, f.file, ${bytes} FROM ${name} v JOIN ${table} f ON v.path = f.path`;
  const converted = session.table(`${name}_raw`);
  await session.sql(
    'read',
    `CREATE TABLE ${converted} USING parquet AS ${session.transform({ ...plan, task: 'convert' }, dealt)}`,
  );
  await requireAll(session, 'read', converted, await expectedOf(session, table));
  await session.sql(
    'read',
    `CREATE VIEW ${session.table(name)} AS SELECT rid, json AS line, ${sumOfLine('json')} AS sum, other FROM ${converted} WHERE kind = 'L'`,
  );
  const [size] = await session.sql('read', `SELECT coalesce(sum(other), 0) AS bytes FROM ${session.table(name)}`);
  return {
    files: found.map(({ path }, at) => ({ path, first: first + at, lines: 1, header: 0 })),
    first,
    count: found.length,
    bytes: Number(size!.bytes),
  };
}
