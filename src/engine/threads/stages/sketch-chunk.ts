/** A chunk → the file of what the first pass learns of its documents. Where the kernel reads the lines, no JavaScript object or string is made for one. */
import { fieldOf, textReason } from '../../../formats/fields.ts';
import { isReject, tooLarge } from '../../../formats/item.ts';
import { readJsonLine } from '../../../formats/json/read.ts';
import { RECORD_HEADER, SLACK, sinks } from '../../../kernel/layout.ts';
import * as record from '../../../kernel/record.ts';
import type { Document } from '../../../model.ts';
import { contentOf, withoutText } from '../../analyse/content.ts';
import { createGroupMark } from '../../analyse/group-mark.ts';
import { lengthOf } from '../../decide/keep-order.ts';
import type { Chunk, Piece } from '../plan/plan.ts';
import type { ChunkColumns, ChunkFile } from '../storage/chunk-columns.ts';
import { aligned, withFile } from '../storage/line-kernel.ts';
import { TakenDocuments } from '../storage/taken-documents.ts';
import type { WorkerContext } from '../worker-context.ts';

const RECORDS = 2048;
/** So much more of the file is read when the last line goes past the piece; then twice as much, up to so much at a time. */
const MORE = 1 << 16;
const MOST = 1 << 23;
const NEWLINE = 0x0a;
/** The first byte of a byte-order mark. */
const MARK = 0xef;

export function sketchChunk(context: WorkerContext, { pieces }: Chunk, path: string): ChunkFile {
  const { columns } = context;
  columns.clear();
  for (const piece of pieces) withFile(piece.path, file => new PieceReader(context, piece, file, columns).read());
  return columns.write(path, context.lines);
}

class PieceReader {
  readonly #context: WorkerContext;
  readonly #piece: Piece;
  readonly #file: number;
  readonly #columns: ChunkColumns;
  readonly #textReasons: Readonly<Record<'missing' | 'is not a string', string>>;
  /** Position in the file minus address in memory. */
  #base = 0;

  constructor(context: WorkerContext, piece: Piece, file: number, columns: ChunkColumns) {
    this.#context = context;
    this.#piece = piece;
    this.#file = file;
    this.#columns = columns;
    const { textField } = context.plan.reading;
    this.#textReasons = {
      missing: textReason('missing', textField),
      'is not a string': textReason('is not a string', textField),
    };
  }

  read(): void {
    const { first, end, tooLong } = this.#load();
    const lines = this.#context.plan.byKernel ? this.#sketchByKernel(first, end) : this.#sketchBySteps(first, end);
    if (tooLong) this.#columns.addReject(lines, tooLarge(this.#context.maxDocument));
    this.#columns.endPiece(lines + (tooLong ? 1 : 0));
  }

  /** Brings the lines that begin in the piece into memory; tells where they start and end there. */
  #load(): { first: number; end: number; tooLong: boolean } {
    const { start, end } = this.#piece;
    const { lines, maxDocument } = this.#context;
    const { input } = lines;
    // One byte more at the front tells whether a line begins right at the start.
    const from = Math.max(0, start - 1);
    let length = lines.read(this.#file, input, end - from, from);
    const memoryEnd = () => input + length;
    const first = start === 0 ? input + this.#markLength(length) : lines.findNewline(input, memoryEnd()) + 1;
    // A line of an earlier piece covers this one.
    if (first > memoryEnd()) return { first: input, end: input, tooLong: false };
    this.#base = from - input;
    const isWhole = () => length === 0 || lines.bytes(memoryEnd() - 1, memoryEnd())[0] === NEWLINE;
    const lastLine = isWhole() ? memoryEnd() : this.#lastLineStart(first, memoryEnd());
    for (let step = MORE; !isWhole(); step = Math.min(2 * step, MOST)) {
      const more = lines.read(this.#file, memoryEnd(), step, from + length);
      if (more === 0) break;
      const newline = lines.findNewline(memoryEnd(), memoryEnd() + more);
      const found = newline < memoryEnd() + more;
      length = found ? newline + 1 - input : length + more;
      if (found) break;
      if (memoryEnd() - lastLine > maxDocument + 1) return { first, end: lastLine, tooLong: true };
    }
    return { first, end: memoryEnd(), tooLong: false };
  }

  #markLength(length: number): number {
    const { lines } = this.#context;
    const [a, b, c] = lines.bytes(lines.input, lines.input + Math.min(3, length));
    return a === 0xef && b === 0xbb && c === 0xbf ? 3 : 0;
  }

  #lastLineStart(first: number, end: number): number {
    const newline = this.#context.lines.bytes(first, end).lastIndexOf(NEWLINE);
    return newline < 0 ? first : first + newline + 1;
  }

  /** Returns the number of lines. */
  #sketchByKernel(first: number, end: number): number {
    const { lines, options } = this.#context;
    const { exports } = lines;
    const { resolvedLsh, sketch } = options;
    // Without LSH there are no keys.
    const sink = resolvedLsh ? sinks[sketch.kind as 'minhash' | 'oph'] : sinks.none;
    const size = resolvedLsh ? sketch.size : 0;
    const recordSize = RECORD_HEADER + (resolvedLsh ? resolvedLsh.bands + lines.longestPrefix : 0) * 8;
    const out = aligned(end + SLACK);
    const outEnd = out + RECORDS * recordSize;
    const taken = new TakenDocuments(lines, aligned(outEnd), RECORDS, (recordSize - RECORD_HEADER) / 8);
    exports.ensureMemory(taken.end + (end - first) + RECORDS + SLACK);
    let passed = 0;
    for (let at = first; at < end; ) {
      exports.setSink(sink, outEnd);
      const count = exports.sketchLines(at, end, 1, out, outEnd, sink, size);
      this.#take(out, count, recordSize, at, passed, taken);
      at += exports.consumedBytes();
      passed += exports.consumedLines();
    }
    return passed;
  }

  /** The kernel takes documents up to the next one that is not plain. */
  #take(
    out: number,
    count: number,
    recordSize: number,
    base: number,
    lineBase: number,
    documents: TakenDocuments,
  ): void {
    const maxLength = Math.min(this.#context.maxDocument, 0xffffffff);
    for (let i = 0; i < count; i++) {
      const run = { record: out + i * recordSize, recordSize, count: count - i, base, origin: base + this.#base };
      i += documents.take(this.#columns, { ...run, line: lineBase, maxLength });
      if (i < count) this.#takeOne(out + i * recordSize, base, lineBase);
    }
  }

  #takeOne(address: number, base: number, lineBase: number): void {
    const { lines } = this.#context;
    const words = new Uint32Array(lines.buffer, address);
    const memory = new Uint8Array(lines.buffer);
    const reason = this.#reasonOf(words, 0, memory[base + words[record.START]!]!);
    if (reason !== undefined) this.#columns.addReject(lineBase + words[record.LINE]!, reason);
    else if (this.#isPlain(words, 0, base, memory)) this.#takePlain(words, 0, base, lineBase, memory);
    else this.#takeBySteps(base + words[record.START]!, words[record.LENGTH]!, lineBase + words[record.LINE]!);
  }

  /** Why JavaScript would reject the line, where the kernel can tell: without it a reject costs ten times a document. */
  #reasonOf(words: Uint32Array, at: number, firstByte: number): string | undefined {
    const [kind, textKind] = [words[at + record.KIND]!, words[at + record.TEXT_KIND]!];
    const isTold =
      kind === record.LINE_OK
        ? textKind !== record.STRING && textKind !== record.LITERAL
        : kind === record.LINE_NOT_JSON || kind === record.LINE_NOT_OBJECT;
    // Of a converted file the line itself says why; a mark at its start is not seen by JavaScript; null is as good as missing.
    if (
      !isTold ||
      this.#piece.isConverted ||
      firstByte === MARK ||
      words[at + record.LENGTH]! > this.#context.maxDocument
    )
      return undefined;
    if (kind !== record.LINE_OK) return kind === record.LINE_NOT_JSON ? 'not JSON' : 'not an object';
    return this.#textReasons[textKind === record.MISSING ? 'missing' : 'is not a string'];
  }

  /** A document that JavaScript would read the same way: text a string, id absent, a string, or a number that is written plainly. */
  #isPlain(words: Uint32Array, at: number, base: number, memory: Uint8Array): boolean {
    if (
      words[at + record.KIND] !== record.LINE_OK ||
      words[at + record.TEXT_KIND] !== record.STRING ||
      words[at + record.LENGTH]! > this.#context.maxDocument
    )
      return false;
    const idKind = words[at + record.ID_KIND]!;
    return (
      idKind <= record.STRING ||
      (idKind === record.NUMBER &&
        isDigits(memory.subarray(base + words[at + record.ID_START]!, base + words[at + record.ID_END]!)))
    );
  }

  #takePlain(words: Uint32Array, at: number, base: number, lineBase: number, memory: Uint8Array): void {
    const columns = this.#columns;
    const item = columns.count;
    columns.addDocument(
      base + words[at + record.START]! + this.#base,
      words[at + record.LENGTH]!,
      lineBase + words[at + record.LINE]!,
      words[at + record.TEXT_BYTES]!,
    );
    const isNamed =
      words[at + record.ID_KIND] !== record.MISSING && words[at + record.ID_START] !== words[at + record.ID_END];
    if (isNamed) {
      columns.keyedItems.ids.add(words[at + record.ID_HASH]!, words[at + record.ID_HASH + 1]!, item);
      this.#addId(memory, base + words[at + record.ID_START]!, base + words[at + record.ID_END]!);
    }
    columns.keyedItems.contents.addContent(words.subarray(at + record.CONTENT, at + record.CONTENT + 4), item);
    const keys = at + record.HEADER_WORDS;
    columns.keyedItems.keys.addWords(words, keys, keys + 2 * words[at + record.KEYS]!, item);
  }

  /** Plain ASCII is copied; an id with escapes or other letters is written anew, so that it is shown in one way. */
  #addId(memory: Uint8Array, start: number, end: number): void {
    const ids = this.#columns.idBytes;
    ids.reserve(end - start + 1);
    const { values } = ids;
    let at = ids.length;
    values[at++] = QUOTE;
    for (let i = start; i < end; i++) {
      const byte = memory[i]!;
      if (byte === BACKSLASH || byte >= 0x80) {
        ids.append(rewrittenId(memory.subarray(start, end)));
        return;
      }
      values[at++] = byte;
    }
    ids.length = at;
  }

  #sketchBySteps(first: number, end: number): number {
    let passed = 0;
    for (let at = first; at < end; passed++) {
      const lineEnd = this.#context.lines.findNewline(at, end);
      this.#takeBySteps(at, lineEnd - at, passed);
      at = lineEnd + 1;
    }
    return passed;
  }

  /** A line that JavaScript reads, as it reads every line of other formats. */
  #takeBySteps(start: number, length: number, line: number): void {
    const { lines, maxDocument, rules } = this.#context;
    if (length > maxDocument) {
      this.#columns.addReject(line, tooLarge(maxDocument));
      return;
    }
    const raw = lines.bytes(start, start + length).slice();
    if (this.#piece.isConverted && raw[0] === QUOTE) {
      this.#columns.addReject(line, JSON.parse(new TextDecoder().decode(raw)));
      return;
    }
    const source = { file: this.#piece.name, line: line + 1 };
    const item = readJsonLine(raw, source, this.#piece.isConverted ? rules.converted : rules.raw);
    if (item === undefined) return;
    if (isReject(item)) {
      this.#columns.addReject(line, item.reject.reason);
      return;
    }
    // A location is made of the line's number, which only the main thread knows.
    this.#takeDocument(item.document, !item.isUnnamed, start + this.#base, length, line);
  }

  #takeDocument(given: Document, isNamed: boolean, start: number, length: number, line: number): void {
    const { sketcher, analyser, options, plan } = this.#context;
    const columns = this.#columns;
    const { keyedItems } = columns;
    const item = columns.count;
    const document = plan.reading.setField === undefined ? given : withoutText(given);
    columns.addDocument(start, length, line, lengthOf(document));
    if (isNamed) {
      keyedItems.ids.addKeys(BigUint64Array.of(sketcher.kernel.elementSet([document.id])[0]!), item);
      columns.idBytes.append(Buffer.from(JSON.stringify(document.id).slice(0, -1)));
    }
    const mark = createGroupMark(options.by, document, sketcher.kernel);
    if (plan.exact) keyedItems.contents.addContent(mark.content(contentOf(document, sketcher.kernel)), item);
    else {
      const known = analyser.analyse(document);
      keyedItems.contents.addContent(mark.content(known.content), item);
      keyedItems.keys.addKeys(mark.keys(known.keys), item);
      keyedItems.elements.addKeys(mark.keys(known.elements), item);
      if (options.measure === 'containment') columns.sizes.push(known.set().length);
    }
    if ('field' in options.keep) columns.addKeepValue(options.keep, fieldOf(document, options.keep.field));
    for (const field of plan.fields) if (fieldOf(document, field) !== undefined) columns.fields.add(field);
  }
}

function isDigits(bytes: Uint8Array): boolean {
  return bytes.every(byte => byte >= 0x30 && byte <= 0x39) && (bytes.length === 1 || bytes[0] !== 0x30);
}

const BACKSLASH = 0x5c;
const QUOTE = 0x22;

function rewrittenId(raw: Uint8Array): Uint8Array {
  const id: unknown = JSON.parse(`"${new TextDecoder().decode(raw)}"`);
  return new TextEncoder().encode(JSON.stringify(id).slice(0, -1));
}
