/** Documents → CSV or TSV. */
import { fail } from '../../errors.ts';
import { jsonFields } from '../json/json-fields.ts';
import { minified } from '../json/raw-json.ts';
import type { Target } from '../loaders.ts';
import type { Format } from '../registry.ts';
import type { Sink } from '../sink.ts';
import { openSpool, type Spool } from '../table/spool.ts';
import type { DocumentWriter, Writable } from '../writer.ts';
import { delimiters, formatRecord, parseRecord } from './csv-fields.ts';

/** Lines that come from CSV with one and the same header are copied; others wait in a spool until all columns are known. */
export function writeCsv({ path, format, sink, csvSafe: isSafe = false }: Target): DocumentWriter {
  let header: Uint8Array | undefined;
  let headerLeftOut: Uint8Array | undefined;
  let spool: Spool | undefined;

  const delimiter = delimiters[format as 'csv' | 'tsv'];
  const writeLine = async (line: Uint8Array) => {
    await sink.write(isSafe ? safeLine(line, delimiter) : line);
    await sink.write('\n');
  };
  const begin = async (own: Uint8Array) => {
    header = own;
    await writeLine(own);
  };
  const copy = async ({ raw, header: own }: Writable) => {
    if (header === undefined) await begin(own!);
    await writeLine(raw!);
  };

  return {
    write: async (item, added) => {
      const fits = isCopyable(item, format) && !added && (header === undefined || sameBytes(header, item.header!));
      if (fits && !spool) return copy(item);
      if (header !== undefined) {
        fail('CANNOT_WRITE', { file: path, reason: 'the inputs have different columns; write JSON lines instead' });
      }
      spool ??= await openSpool(path);
      await spool.add(jsonFields(item, added));
    },
    leaveOut: item => {
      if (isCopyable(item, format)) headerLeftOut ??= item.header;
    },
    close: async () => {
      try {
        if (!spool && header === undefined && headerLeftOut) await begin(headerLeftOut);
        if (spool) await writeSpool(spool, sink, delimiter, isSafe);
        await sink.close();
      } catch (error) {
        await sink.abort();
        throw error;
      } finally {
        await spool?.discard();
      }
    },
    abort: async () => {
      await spool?.discard();
      await sink.abort();
    },
  };
}

async function writeSpool(spool: Spool, sink: Sink, delimiter: string, isSafe: boolean): Promise<void> {
  await spool.finish();
  const columns = [...spool.columns.keys()];
  const writeLine = (cells: readonly string[]) =>
    sink.write(`${formatRecord(isSafe ? cells.map(safeCell) : cells, delimiter)}\n`);
  await writeLine(columns);
  for await (const record of spool.records()) await writeLine(columns.map(column => cellOf(record.get(column))));
}

/** The `\r` of a line that ends with one stays at its end. */
function safeLine(line: Uint8Array, delimiter: string): string {
  const text = Buffer.from(line.buffer, line.byteOffset, line.length).toString();
  const end = text.endsWith('\r') ? '\r' : '';
  const cells = parseRecord(text.slice(0, text.length - end.length), delimiter);
  return cells.some(cell => safeCell(cell) !== cell) ? formatRecord(cells.map(safeCell), delimiter) + end : text;
}

/** A spreadsheet takes a cell that begins like this for a formula, and runs it; behind an apostrophe it is text. */
function safeCell(cell: string): string {
  return /^[=+\-@\t\r]/.test(cell) && !/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(cell) ? `'${cell}` : cell;
}

/** A string as it is, a number as it is written, lists and objects as JSON, nothing as the empty cell. */
function cellOf(json = 'null'): string {
  if (json === 'null') return '';
  return json[0] === '"' ? JSON.parse(json) : minified(json);
}

function isCopyable(item: Writable, format: Format): boolean {
  return item.format === format && item.raw !== undefined && item.header !== undefined;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a === b || Buffer.compare(a, b) === 0;
}
