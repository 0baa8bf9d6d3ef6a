/** Decisions and the inputs, read a second time → the documents that stay, in input order, as they came. */
import { stat } from 'node:fs/promises';
import { kept } from '../../cluster/keeping.ts';
import type { DecidedFiles } from '../../engine/files.ts';
import { fail } from '../../errors.ts';
import { locationOf } from '../../formats/ids.ts';
import type { InputFile } from '../../formats/inputs.ts';
import { type DocumentItem, type Fields, isDocument, type ReadOptions } from '../../formats/item.ts';
import { readName } from '../../formats/name.ts';
import type { KeptRows } from '../../formats/parquet/write.ts';
import { readBatches } from '../../formats/read.ts';
import { STANDARD_OUTPUT } from '../../formats/sink.ts';
import { openWriter } from '../../formats/write.ts';
import type { DocumentsForm } from './outputs.ts';

export interface WriteRequest {
  readonly inputs: readonly InputFile[];
  readonly reading: ReadOptions;
  readonly decided: DecidedFiles;
  readonly path: string;
  readonly form: DocumentsForm;
  /** Every document, with what was decided added to it. */
  readonly mark: boolean;
}

export async function writeDocuments(request: WriteRequest): Promise<void> {
  const { form } = request;
  if (form.kind === 'copies') return writeCopies(request);
  if (form.kind === 'rows') return writeRows(request);
  const { path, decided, mark } = request;
  if (decided.copyKept && !mark && form.format === 'jsonl' && (await isPlainFile(path))) return decided.copyKept(path);
  const writer = await openWriter(path, form.format);
  try {
    for await (const { item, number, stays } of readAgain(request)) {
      if (stays || mark) await writer.write(item, mark ? markOf(decided, number) : undefined);
      else writer.leaveOut?.(item);
    }
  } catch (error) {
    await writer.abort();
    throw error;
  }
  await writer.close();
}

/** Lines are copied as they are only into a file of its own, not compressed, that is not there yet or can be cut. */
async function isPlainFile(path: string): Promise<boolean> {
  if (path === STANDARD_OUTPUT || readName(path).compression !== 'none') return false;
  const found = await stat(path).catch(() => undefined);
  return found === undefined || found.isFile();
}

async function writeCopies(request: WriteRequest): Promise<void> {
  const { copyInto } = await import('../../formats/write-copies.ts');
  const copy = copyInto(request.path);
  for await (const { file, stays } of readAgain(request)) if (stays) await copy(file);
}

async function writeRows(request: WriteRequest): Promise<void> {
  const { copyParquetRows } = await import('../../formats/parquet/write.ts');
  const { inputs, path, decided, mark } = request;
  const sources: (KeptRows & { rows: number[] })[] = inputs.map(({ path: file }) => ({ file, rows: [] }));
  const numbers: number[] = [];
  for await (const { item, at, number, stays } of readAgain(request)) {
    if (!stays && !mark) continue;
    sources[at]!.rows.push(item.source.line);
    numbers.push(number);
  }
  await copyParquetRows(sources, path, mark ? marks(decided, numbers) : undefined);
}

interface Again {
  readonly item: DocumentItem;
  readonly file: InputFile;
  /** Which of the inputs it is. */
  readonly at: number;
  readonly number: number;
  readonly stays: boolean;
}

/** The same documents under the same numbers, or an error: somebody may have written to a file in between. */
async function* readAgain({ inputs, reading, decided }: WriteRequest): AsyncGenerator<Again> {
  const { protectedCount, keptBy, idOf } = decided;
  let number = protectedCount;
  for (const [at, file] of inputs.entries()) {
    for await (const batch of readBatches([file], { ...reading, strict: false })) {
      for (const item of batch) {
        if (!isDocument(item)) continue;
        if (number >= keptBy.length || !isNamed(item, idOf(number))) failOnChange(file);
        yield { item, file, at, number, stays: keptBy[number] === kept };
        number++;
      }
    }
  }
  if (number !== keptBy.length) failOnChange(inputs.at(-1)!);
}

/** A document whose id came before has its location for a name. */
function isNamed({ document, source, format }: DocumentItem, name: string): boolean {
  return document.id === name || locationOf(source, format) === name;
}

function failOnChange({ path }: InputFile): never {
  return fail('BAD_INPUT', { file: path, reason: 'it changed while it was read; nothing was written' });
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
