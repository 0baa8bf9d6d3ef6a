/** The WebAssembly kernel behind the contract: owns its memory, feeds texts to it, copies results out. */
import type {
  Kernel,
  KernelOptions,
  LineBatch,
  LineFields,
  LineRecord,
  LineSketch,
  OnePermutationSketch,
  Text,
  TextFacts,
} from './contract.ts';
import { elementText } from './element-text.ts';
import { instantiateKernel, type KernelInstance } from './exports.ts';
import { lineKinds, NAME_ROOM, RECORD_HEADER, SLACK, sinks, units, valueKinds } from './layout.ts';
import * as record from './record.ts';

// Texts go in through a window of this size, whatever their length.
const WINDOW = 1 << 16;
const encoder = new TextEncoder();

/** One kernel serves one thread; between two calls it keeps nothing but its options. */
export async function createKernel(options: KernelOptions): Promise<Kernel> {
  return new WasmKernel(await instantiateKernel(), options);
}

class WasmKernel implements Kernel {
  readonly options: KernelOptions;
  readonly #instance: KernelInstance;
  /** Memory: [ kernel's own | window | slack | free … ] */
  readonly #window: number;
  readonly #free: number;
  #views: MemoryViews;

  constructor(instance: KernelInstance, options: KernelOptions) {
    this.options = Object.freeze({ ...options });
    this.#instance = instance;
    const { exports } = instance;
    exports.setSketch(BigInt.asUintN(64, BigInt(options.seed)), options.hashes);
    exports.setShingle(units[options.shingle.unit], options.shingle.size, options.keepCase ? 1 : 0);
    this.#window = exports.heapStart();
    this.#free = this.#window + WINDOW + SLACK;
    exports.ensureMemory(this.#free + WINDOW);
    this.#views = viewsOf(instance.memory.buffer);
  }

  get #exports() {
    return this.#instance.exports;
  }

  /** Making views takes longer than what is done with them to a short text. */
  get #memory(): MemoryViews {
    const { buffer } = this.#instance.memory;
    if (this.#views.buffer !== buffer) this.#views = viewsOf(buffer);
    return this.#views;
  }

  read(text: Text): TextFacts {
    this.#feed(text, sinks.none);
    return this.#facts();
  }

  shingleHashes(text: Text): BigUint64Array {
    this.#feed(text, sinks.keep);
    return this.#copyHashes(this.#exports.keptCount());
  }

  shingleSet(text: Text): BigUint64Array {
    this.#feed(text, sinks.keep);
    return this.#copyHashes(this.#exports.sortUnique(this.#free, this.#exports.keptCount()));
  }

  elementSet(elements: Iterable<string | number>): BigUint64Array {
    let hashes = new BigUint64Array(16);
    let count = 0;
    for (const element of elements) {
      if (count === hashes.length) hashes = grown(hashes);
      hashes[count++] = this.#elementHash(elementText(element));
    }
    this.#place(hashes.subarray(0, count), this.#free);
    return this.#copyHashes(this.#exports.sortUnique(this.#free, count));
  }

  minhash(text: Text): Uint32Array {
    this.#feed(text, sinks.minhash);
    return this.#minima();
  }

  readMinhash(text: Text, below = 0): ReturnType<Kernel['readMinhash']> {
    this.#exports.setFew(below, 0);
    this.#feed(text, sinks.minhash);
    const facts = { ...this.#facts(), minhash: this.#minima(), few: this.#few() };
    this.#exports.setFew(0, 0);
    return facts;
  }

  minhashOf(set: BigUint64Array): Uint32Array {
    this.#feedHashes(set, sinks.minhash);
    return this.#minima();
  }

  onePermutation(text: Text): OnePermutationSketch {
    this.#feed(text, sinks.oph);
    return this.#bins();
  }

  onePermutationOf(set: BigUint64Array): OnePermutationSketch {
    this.#feedHashes(set, sinks.oph);
    return this.#bins();
  }

  simhashOf(set: BigUint64Array): bigint {
    this.#place(set, this.#free);
    return BigInt.asUintN(64, this.#exports.simhash(this.#free, set.length));
  }

  modOf(set: BigUint64Array, modulus: number): BigUint64Array {
    this.#place(set, this.#free);
    return this.#copyHashes(this.#exports.selectMod(this.#free, set.length, BigInt(modulus), this.#free));
  }

  bandKeys(sketch: Uint32Array, positions: Uint32Array, bands: number): BigUint64Array {
    const positionsAt = this.#window + sketch.length * 4;
    const out = align(positionsAt + positions.length * 4);
    this.#exports.ensureMemory(out + bands * 8 + SLACK);
    const { words, keys } = this.#memory;
    words.set(sketch, this.#window / 4);
    words.set(positions, positionsAt / 4);
    this.#exports.bandKeys(this.#window, positionsAt, bands, positions.length / bands, out);
    return keys.slice(out / 8, out / 8 + bands);
  }

  intersectionSize(a: BigUint64Array, b: BigUint64Array, least = 0): number {
    const second = this.#place(a, this.#free);
    this.#place(b, second);
    return this.#exports.intersectionSize(this.#free, a.length, second, b.length, least);
  }

  readLines(bytes: Uint8Array, last: boolean, fields: LineFields, sketch: LineSketch): LineBatch {
    this.#setField(0, fields.text);
    this.#setField(1, fields.id);
    this.#exports.setSink(sinks[sketch], this.#free);
    const input = this.#free;
    const size = sketch === 'none' ? 0 : this.options.hashes;
    const recordSize = RECORD_HEADER + size * 4;
    const out = align(input + bytes.length + SLACK);
    const outEnd = out + Math.max(recordSize * 256, WINDOW);
    this.#exports.ensureMemory(outEnd + SLACK);
    this.#memory.bytes.set(bytes, input);
    const records: LineRecord[] = [];
    let at = 0;
    let lines = 0;
    for (let full = true; full; ) {
      const end = input + bytes.length;
      const count = this.#exports.sketchLines(input + at, end, last ? 1 : 0, out, outEnd, sinks[sketch], size);
      for (let i = 0; i < count; i++) records.push(this.#record(out + i * recordSize, size, at, lines));
      at += this.#exports.consumedBytes();
      lines += this.#exports.consumedLines();
      full = out + (count + 1) * recordSize > outEnd;
    }
    return { records, bytes: at, lines };
  }

  #record(address: number, sketchSize: number, base: number, lineBase: number): LineRecord {
    const view = new DataView(this.#instance.memory.buffer, address, RECORD_HEADER + sketchSize * 4);
    const word = (place: number) => view.getUint32(4 * place, true);
    const half = (place: number) => view.getBigUint64(4 * place, true);
    const start = base + word(record.START);
    const idKind = valueKinds[word(record.ID_KIND)]!;
    const isDocument = word(record.KIND) === record.LINE_OK;
    const hasText = isDocument && word(record.TEXT_KIND) === record.STRING;
    return {
      start,
      end: start + word(record.LENGTH),
      line: lineBase + word(record.LINE),
      kind: lineKinds[word(record.KIND)]!,
      text: isDocument ? valueKinds[word(record.TEXT_KIND)]! : 'missing',
      id: isDocument ? idKind : 'missing',
      idStart: isDocument && idKind !== 'missing' ? base + word(record.ID_START) : 0,
      idEnd: isDocument && idKind !== 'missing' ? base + word(record.ID_END) : 0,
      words: hasText ? word(record.WORDS) : 0,
      contentHash: hasText ? (half(record.CONTENT + 2) << 64n) | half(record.CONTENT) : 0n,
      sketch: hasText
        ? new Uint32Array(this.#instance.memory.buffer, address + RECORD_HEADER, sketchSize).slice()
        : new Uint32Array(0),
    };
  }

  #setField(field: number, name: string): void {
    const bytes = encoder.encode(name);
    if (bytes.length >= NAME_ROOM) throw new RangeError(`a field name has at most ${NAME_ROOM - 1} bytes`);
    this.#memory.bytes.set(bytes, this.#exports.fieldNames() + NAME_ROOM * field);
    this.#exports.setField(field, bytes.length);
  }

  #feed(text: Text, sink: number): void {
    this.#exports.setSink(sink, this.#free);
    this.#exports.beginDocument();
    if (typeof text === 'string') this.#feedString(text);
    else this.#feedBytes(text);
    this.#exports.finishDocument();
  }

  #feedString(text: string): void {
    for (let at = 0; at < text.length; ) {
      const { read, written } = encoder.encodeInto(at === 0 ? text : text.slice(at), this.#windowBytes());
      this.#exports.addText(this.#window, this.#window + written);
      at += read;
    }
  }

  #feedBytes(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += WINDOW) {
      const part = bytes.subarray(at, at + WINDOW);
      this.#memory.bytes.set(part, this.#window);
      this.#exports.addText(this.#window, this.#window + part.length);
    }
  }

  #feedHashes(hashes: BigUint64Array, sink: number): void {
    this.#exports.setSink(sink, this.#free);
    this.#exports.beginDocument();
    this.#place(hashes, this.#free);
    this.#exports.addHashes(this.#free, hashes.length);
    this.#exports.finishDocument();
  }

  #windowBytes(): Uint8Array {
    return new Uint8Array(this.#instance.memory.buffer, this.#window, WINDOW);
  }

  /** Copies hashes into memory and returns the address behind them. */
  #place(hashes: BigUint64Array, address: number): number {
    const end = address + hashes.length * 8;
    this.#exports.ensureMemory(end + SLACK);
    this.#memory.keys.set(hashes, address / 8);
    return end;
  }

  #copyHashes(count: number): BigUint64Array {
    return this.#memory.keys.slice(this.#free / 8, this.#free / 8 + count);
  }

  #elementHash(element: string): bigint {
    const room = element.length * 3;
    const at = room <= WINDOW ? this.#window : this.#free;
    this.#exports.ensureMemory(at + room + SLACK);
    const { written } = encoder.encodeInto(element, new Uint8Array(this.#instance.memory.buffer, at, room));
    return this.#exports.hashElement(at, at + written);
  }

  #few(): BigUint64Array | undefined {
    const count = this.#exports.countOfFew();
    const start = this.#exports.few() / 8;
    return count === 0 ? undefined : this.#memory.keys.slice(start, start + count);
  }

  #minima(): Uint32Array {
    return this.#hashesAt(this.#exports.minima());
  }

  #bins(): OnePermutationSketch {
    const values = this.#hashesAt(this.#exports.bins());
    return { values, filled: this.#exports.binsFilled() };
  }

  #hashesAt(address: number): Uint32Array {
    return this.#memory.words.slice(address / 4, address / 4 + this.options.hashes);
  }

  #facts(): TextFacts {
    const low = BigInt.asUintN(64, this.#exports.contentHashLow());
    const high = BigInt.asUintN(64, this.#exports.contentHashHigh());
    return { words: this.#exports.words(), contentHash: (high << 64n) | low };
  }
}

interface MemoryViews {
  readonly buffer: ArrayBuffer;
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
  readonly keys: BigUint64Array;
}

function viewsOf(buffer: ArrayBuffer): MemoryViews {
  return { buffer, bytes: new Uint8Array(buffer), words: new Uint32Array(buffer), keys: new BigUint64Array(buffer) };
}

function align(address: number): number {
  return Math.ceil(address / 16) * 16;
}

function grown(hashes: BigUint64Array): BigUint64Array<ArrayBuffer> {
  const larger = new BigUint64Array(hashes.length * 2);
  larger.set(hashes);
  return larger;
}
