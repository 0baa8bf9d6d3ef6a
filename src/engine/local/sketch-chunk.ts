/** A chunk of a JSONL file → its columns: the first pass. No JavaScript object or string is made for a document. */

import { isReject, tooLarge } from '../../formats/item.ts';
import { readJsonLine } from '../../formats/json.ts';
import { RECORD_HEADER, SLACK, sinks } from '../../kernel/layout.ts';
import type { Document } from '../../model.ts';
import { type ChunkColumns, type ChunkReject, Column } from './columns.ts';
import { feedText, type LineKernel, withFile } from './line-kernel.ts';
import type { Chunk } from './plan.ts';

const RECORDS = 2048;
const SCRATCH = 1 << 20;
const encoder = new TextEncoder();
/** More of the file is read at a time when the last line goes past the chunk. */
const MORE = 1 << 16;
const NEWLINE = 0x0a;
// As in kernel/json.ts.
const STRING = 1;
const NUMBER = 2;

export function sketchChunk(kernel: LineKernel, chunk: Chunk): ChunkColumns {
  return withFile(chunk.path, file => new ChunkReader(kernel, chunk, file).read());
}

class ChunkReader {
  readonly #kernel: LineKernel;
  readonly #chunk: Chunk;
  readonly #file: number;
  readonly #starts = new Column(size => new Float64Array(size));
  readonly #lengths = new Column(size => new Uint32Array(size));
  readonly #lines = new Column(size => new Uint32Array(size));
  readonly #contents = new Column(size => new Uint32Array(size));
  readonly #idHashes = new Column(size => new Uint32Array(size));
  readonly #shingles = new Column(size => new Uint32Array(size));
  readonly #textBytes = new Column(size => new Float64Array(size));
  readonly #idStarts = new Column(size => new Uint32Array(size));
  readonly #idBytes = new Column(size => new Uint8Array(size));
  readonly #keys = new Column(size => new Uint32Array(size));
  readonly #rejects: ChunkReject[] = [];

  constructor(kernel: LineKernel, chunk: Chunk, file: number) {
    this.#kernel = kernel;
    this.#chunk = chunk;
    this.#file = file;
  }

  read(): ChunkColumns {
    const { first, end, tooLong } = this.#load();
    const lineCount = this.#sketch(first, end) + (tooLong ? 1 : 0);
    if (tooLong) this.#rejects.push({ line: lineCount - 1, reason: tooLarge(this.#kernel.plan.maxDocument) });
    this.#idStarts.push(this.#idBytes.length);
    const count = this.#starts.length;
    return {
      count,
      lineCount,
      starts: this.#starts.toShared(),
      lengths: this.#lengths.toShared(),
      lines: this.#lines.toShared(),
      contents: this.#contents.toShared(),
      idHashes: this.#idHashes.toShared(),
      shingles: this.#shingles.toShared(),
      textBytes: this.#textBytes.toShared(),
      idStarts: this.#idStarts.toShared(),
      idBytes: this.#idBytes.toShared(),
      keys: byBand(this.#keys.toShared(), count, this.#kernel.plan.bands),
      rejects: this.#rejects,
    };
  }

  /** Brings the lines that begin in the chunk into memory; tells where they start and end there. */
  #load(): { first: number; end: number; tooLong: boolean } {
    const { start, end } = this.#chunk;
    const { input, exports } = this.#kernel;
    // One byte more at the front tells whether a line begins right at the start.
    const from = Math.max(0, start - 1);
    let length = this.#kernel.read(this.#file, input, end - from, from);
    const memoryEnd = () => input + length;
    const first = start === 0 ? input + this.#markLength(length) : exports.findNewline(input, memoryEnd()) + 1;
    // A line of an earlier chunk covers this one.
    if (first > memoryEnd()) return { first: input, end: input, tooLong: false };
    this.#base = from - input;
    const isWhole = () => length === 0 || this.#kernel.bytes(memoryEnd() - 1, memoryEnd())[0] === NEWLINE;
    while (!isWhole()) {
      const more = this.#kernel.read(this.#file, memoryEnd(), MORE, from + length);
      if (more === 0) break;
      const newline = exports.findNewline(memoryEnd(), memoryEnd() + more);
      const found = newline < memoryEnd() + more;
      length = found ? newline + 1 - input : length + more;
      if (found) break;
      const lastLine = this.#lastLineStart(first, memoryEnd());
      if (memoryEnd() - lastLine > this.#kernel.plan.maxDocument + 1) {
        return { first, end: lastLine, tooLong: true };
      }
    }
    return { first, end: memoryEnd(), tooLong: false };
  }

  /** Position in the file minus address in memory. */
  #base = 0;
  /** Free memory behind the records. */
  #scratch = 0;

  #markLength(length: number): number {
    const [a, b, c] = this.#kernel.bytes(this.#kernel.input, this.#kernel.input + Math.min(3, length));
    return a === 0xef && b === 0xbb && c === 0xbf ? 3 : 0;
  }

  #lastLineStart(first: number, end: number): number {
    const newline = this.#kernel.bytes(first, end).lastIndexOf(NEWLINE);
    return newline < 0 ? first : first + newline + 1;
  }

  /** Returns the number of lines. */
  #sketch(first: number, end: number): number {
    const { exports, plan } = this.#kernel;
    const recordSize = RECORD_HEADER + plan.bands * 8;
    const out = Math.ceil((end + SLACK) / 16) * 16;
    const outEnd = out + RECORDS * recordSize;
    this.#scratch = Math.ceil((outEnd + SLACK) / 16) * 16;
    exports.ensureMemory(this.#scratch + SCRATCH);
    let lines = 0;
    for (let at = first; at < end; ) {
      exports.setSink(sinks[plan.sketch], outEnd);
      const count = exports.sketchLines(at, end, 1, out, outEnd, sinks[plan.sketch], plan.hashes);
      const bytes = exports.consumedBytes();
      const passed = exports.consumedLines();
      this.#take(out, count, recordSize, at, lines);
      at += bytes;
      lines += passed;
    }
    return lines;
  }

  #take(out: number, count: number, recordSize: number, base: number, lineBase: number): void {
    this.#reserve(count);
    const step = recordSize / 4;
    let words = new Uint32Array(this.#kernel.buffer, out, count * step);
    for (let i = 0; i < count; i++) {
      const at = i * step;
      if (this.#isPlain(words, at, base)) {
        this.#takePlain(words, at, step, base, lineBase);
      } else {
        this.#takeSlowly(base + words[at]!, words[at + 1]!, lineBase + words[at + 13]!);
        // The memory may have grown.
        words = new Uint32Array(this.#kernel.buffer, out, count * step);
      }
    }
  }

  /** A document that JavaScript would read the same way: text a string, id absent, a string, or a number that is written plainly. */
  #isPlain(words: Uint32Array, at: number, base: number): boolean {
    if (words[at + 2] !== 0 || words[at + 8] !== STRING || words[at + 1]! > this.#kernel.plan.maxDocument) return false;
    const idKind = words[at + 10]!;
    return (
      idKind <= STRING ||
      (idKind === NUMBER && isDigits(this.#kernel.bytes(base + words[at + 11]!, base + words[at + 12]!)))
    );
  }

  #takePlain(words: Uint32Array, at: number, step: number, base: number, lineBase: number): void {
    this.#addPlace(base + words[at]!, words[at + 1]!, lineBase + words[at + 13]!);
    const contents = this.#contents;
    for (let i = 4; i < 8; i++) contents.values[contents.length++] = words[at + i]!;
    this.#shingles.values[this.#shingles.length++] = words[at + 9]!;
    this.#textBytes.values[this.#textBytes.length++] = words[at + 16]! + words[at + 17]! * 2 ** 32;
    const hasId = words[at + 10] !== 0;
    this.#idHashes.values[this.#idHashes.length++] = hasId ? words[at + 14]! : 0;
    this.#idHashes.values[this.#idHashes.length++] = hasId ? words[at + 15]! : 0;
    if (hasId) this.#addId(base + words[at + 11]!, base + words[at + 12]!);
    const keys = this.#keys;
    for (let i = RECORD_HEADER / 4; i < step; i++) keys.values[keys.length++] = words[at + i]!;
  }

  #reserve(count: number): void {
    for (const column of [this.#starts, this.#lengths, this.#lines, this.#shingles, this.#textBytes, this.#idStarts]) {
      column.reserve(count);
    }
    this.#contents.reserve(count * 4);
    this.#idHashes.reserve(count * 2);
    this.#keys.reserve(count * 2 * this.#kernel.plan.bands);
  }

  /** Plain ASCII is copied; an id with escapes or other letters is written anew, so that it is shown in one way. */
  #addId(start: number, end: number): void {
    const bytes = this.#memory();
    const { values, length } = this.#reservedIds(end - start);
    let at = length;
    for (let i = start; i < end; i++) {
      const byte = bytes[i]!;
      if (byte === BACKSLASH || byte >= 0x80) {
        this.#idBytes.append(shownId(bytes.subarray(start, end)));
        return;
      }
      values[at++] = byte;
    }
    this.#idBytes.length = at;
  }

  #reservedIds(more: number): Column<Uint8Array> {
    this.#idBytes.reserve(more);
    return this.#idBytes;
  }

  #view = new Uint8Array(0);

  /** The whole memory, seen anew only when it has grown. */
  #memory(): Uint8Array {
    if (this.#view.buffer !== this.#kernel.buffer) this.#view = new Uint8Array(this.#kernel.buffer);
    return this.#view;
  }

  #addPlace(start: number, length: number, line: number): void {
    this.#starts.push(start + this.#base);
    this.#lengths.push(length);
    this.#lines.push(line);
    this.#idStarts.push(this.#idBytes.length);
  }

  /** A line that is not a plain document: JavaScript reads it, as it reads every line of other formats. */
  #takeSlowly(start: number, length: number, line: number): void {
    const { plan } = this.#kernel;
    if (length > plan.maxDocument) {
      this.#rejects.push({ line, reason: tooLarge(plan.maxDocument) });
      return;
    }
    const raw = this.#kernel.bytes(start, start + length).slice();
    const item = readJsonLine(raw, { file: this.#chunk.name, line: line + 1 }, plan);
    if (item === undefined) return;
    if (isReject(item)) this.#rejects.push({ line, reason: item.reject.reason });
    else this.#takeDocument(item.document, start, length, line);
  }

  #takeDocument({ id, text }: Document, start: number, length: number, line: number): void {
    const { exports, plan } = this.#kernel;
    const free = this.#scratch;
    feedText(this.#kernel, text!, free);
    exports.writeSketch(free, sinks[plan.sketch], plan.hashes);
    const content = BigUint64Array.of(exports.contentHashLow(), exports.contentHashHigh());
    const keys = new Uint32Array(this.#kernel.buffer, free, plan.bands * 2);
    this.#addPlace(start, length, line);
    this.#contents.append(new Uint32Array(content.buffer));
    this.#shingles.push(exports.shingles());
    this.#textBytes.push(encoder.encode(text!).length);
    this.#keys.append(keys);
    const idBytes = encoder.encode(id);
    this.#kernel.bytes(free, free + idBytes.length).set(idBytes);
    this.#idHashes.append(new Uint32Array(BigUint64Array.of(exports.hashElement(free, free + idBytes.length)).buffer));
    this.#idBytes.append(encoder.encode(JSON.stringify(id).slice(1, -1)));
  }
}

function isDigits(bytes: Uint8Array): boolean {
  return bytes.every(byte => byte >= 0x30 && byte <= 0x39) && (bytes.length === 1 || bytes[0] !== 0x30);
}

const BACKSLASH = 0x5c;

function shownId(raw: Uint8Array): Uint8Array {
  const id: unknown = JSON.parse(`"${new TextDecoder().decode(raw)}"`);
  return new TextEncoder().encode(JSON.stringify(id).slice(1, -1));
}

/** Keys of each document, band after band → keys of each band, document after document, halves apart. */
function byBand(keys: Uint32Array, count: number, bands: number): Uint32Array {
  const turned = new Uint32Array(new SharedArrayBuffer(keys.byteLength));
  for (let band = 0; band < bands; band++) {
    const low = band * 2 * count;
    const high = low + count;
    for (let item = 0; item < count; item++) {
      const from = (item * bands + band) * 2;
      turned[low + item] = keys[from]!;
      turned[high + item] = keys[from + 1]!;
    }
  }
  return turned;
}
