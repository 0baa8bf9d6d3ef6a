/** Decisions and the inputs, read a second time → the documents that stay, in input order, as they came. */
import { kept } from '../cluster/keeping.ts';
import type { DecidedFiles, DocumentsForm } from '../engine/engine.ts';
import { closeOrAbort } from '../files/close-or-abort.ts';
import type { Fields } from '../formats/item.ts';
import { readName } from '../formats/name.ts';
import type { KeptRows } from '../formats/parquet/copy-rows.ts';
import { type Format, formats } from '../formats/registry.ts';
import { openWriter } from '../formats/write.ts';
import { type AgainRequest, readAgain } from './read-again.ts';
import type { OtherRecords } from './write-warc-records.ts';

export interface WriteRequest extends AgainRequest {
  readonly path: string;
  readonly form: DocumentsForm;
  /** Every document, with what was decided added to it. */
  readonly mark: boolean;
  readonly csvSafe?: boolean;
}

/** What became of the records that are no documents, which only WARC files hold, and of the types of Parquet columns. */
export interface Written {
  /** What could not be kept, a line each. */
  readonly lost?: readonly string[];
  readonly otherRecords?: OtherRecords;
  readonly otherRecordsLeftOut?: number;
}

export async function writeDocuments(request: WriteRequest): Promise<Written> {
  const { form, path, decided, mark } = request;
  if (decided.writeDocuments) await decided.writeDocuments(path, form, mark);
  else if (form.kind === 'copies') await writeCopies(request);
  else if (form.kind === 'rows') return { lost: await writeRows(request) };
  else if (decided.copyKept && !mark && formats[form.format].isLines && readName(path).compression === 'none')
    await decided.copyKept(path);
  else return writeRecords(request, form.format);
  return {};
}

async function writeRecords(request: WriteRequest, format: Format): Promise<Written> {
  const { path, decided, mark, reading } = request;
  const { textField, idField, setField } = reading;
  const strings = [textField, idField, ...(setField === undefined ? [] : [setField])];
  const writer = await openWriter(path, format, { strings, csvSafe: request.csvSafe });
  const written = await closeOrAbort(writer, async (): Promise<Written> => {
    if (writer.writeOther) {
      const { writeWarcRecords } = await import('./write-warc-records.ts');
      return { otherRecords: await writeWarcRecords(request, writer) };
    }
    let leftOut = 0;
    const onOther = () => void leftOut++;
    const onHeader = (header: Uint8Array, from: Format) =>
      writer.leaveOut?.({ record: {}, format: from, header, raw: header });
    const again = readAgain({ ...request, reading: { ...reading, onOther, onHeader } });
    for await (const { item, number, stays } of again) {
      if (stays || mark) await writer.write(item, mark ? markOf(decided, number) : undefined);
      else writer.leaveOut?.(item);
    }
    return { otherRecordsLeftOut: leftOut };
  });
  return { ...written, ...(writer.lost && { lost: writer.lost }) };
}

async function writeCopies(request: WriteRequest): Promise<void> {
  const { copyInto } = await import('../formats/write-copies.ts');
  const copy = copyInto(request.path);
  for await (const { file, stays } of readAgain(request)) if (stays) await copy(file);
}

async function writeRows(request: WriteRequest): Promise<string[]> {
  const { copyParquetRows } = await import('../formats/parquet/copy-rows.ts');
  const { inputs, path, decided, mark } = request;
  const sources: (KeptRows & { rows: number[] })[] = inputs.map(({ path, stored: file = path }) => ({
    file,
    rows: [],
  }));
  const numbers: number[] = [];
  for await (const { item, at, number, stays } of readAgain(request)) {
    if (!stays && !mark) continue;
    sources[at]!.rows.push(item.source.line);
    numbers.push(number);
  }
  return copyParquetRows(sources, path, mark ? marks(decided, numbers) : undefined);
}

function* marks(decided: DecidedFiles, numbers: Iterable<number>): Generator<Fields> {
  for (const number of numbers) yield markOf(decided, number);
}

function markOf(decided: DecidedFiles, number: number): Fields {
  const { keptBy, idOf } = decided;
  const representative = keptBy[number] === kept ? number : keptBy[number]!;
  const size = sizesOf(decided)[representative]!;
  return { neardup: { cluster: idOf(representative), size, keep: representative === number } };
}

const knownSizes = new WeakMap<DecidedFiles, Uint32Array>();

/** Of the cluster of each representative; 1 for a document alone. */
function sizesOf(decided: DecidedFiles): Uint32Array {
  const known = knownSizes.get(decided);
  if (known) return known;
  const sizes = new Uint32Array(decided.keptBy.length).fill(1);
  for (const representative of decided.keptBy) if (representative !== kept) sizes[representative]!++;
  knownSizes.set(decided, sizes);
  return sizes;
}
