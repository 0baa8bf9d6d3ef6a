/** Base64 → a running instance of the kernel, its functions typed, its Unicode tables filled. */
import { KERNEL_BASE64 } from './generated/wasm.ts';
import { SOLO, unicodeRuns } from './unicode.ts';

export interface KernelExports {
  setSketch(seed: bigint, size: number): void;
  setShingle(unit: number, size: number, keepCase: number): void;
  setSink(sink: number, keepAt: number): void;
  beginDocument(): void;
  addText(start: number, end: number): void;
  addHashes(hashes: number, count: number): void;
  finishDocument(): void;
  words(): number;
  contentHashLow(): bigint;
  contentHashHigh(): bigint;
  minima(): number;
  bins(): number;
  binsFilled(): number;
  keptCount(): number;
  hashElement(start: number, end: number): bigint;
  bandKeys(sketch: number, positions: number, bands: number, rows: number, out: number): void;
  sortUnique(hashes: number, count: number): number;
  intersectionSize(a: number, countA: number, b: number, countB: number, least: number): number;
  selectMod(hashes: number, count: number, modulus: bigint, to: number): number;
  simhash(hashes: number, count: number): bigint;
  fieldNames(): number;
  setField(field: number, length: number): void;
  sketchLines(
    start: number,
    end: number,
    last: number,
    out: number,
    outEnd: number,
    sink: number,
    sketchSize: number,
  ): number;
  setBands(bands: number, rows: number): void;
  setFew(limit: number, minima: number): void;
  few(): number;
  countOfFew(): number;
  setPrefixes(longest: number): void;
  prefixLengths(): number;
  bandPositions(): number;
  shingleLine(start: number, end: number): number;
  shingleLines(lines: number, count: number, to: number, limit: number): number;
  findNewline(start: number, end: number): number;
  consumedBytes(): number;
  consumedLines(): number;
  editDistance(
    a: number,
    countA: number,
    b: number,
    countB: number,
    masks: number,
    deltas: number,
    bounds: number,
    limit: number,
    slack: number,
  ): number;
  editWork(): number;
  countGrams(text: number, count: number, length: number, starts: number, bits: number): number;
  placeGrams(text: number, count: number, length: number, starts: number, bits: number, positions: number): void;
  countBlockEdits(
    rows: number,
    countRows: number,
    columns: number,
    countColumns: number,
    lead: number,
    columnsStart: number,
    starts: number,
    bits: number,
    positions: number,
    length: number,
    cursors: number,
    bins: number,
    shift: number,
    masks: number,
    bounds: number,
    limit: number,
    work: number,
  ): number;
  xxhBegin(): void;
  xxhAdd(start: number, end: number): void;
  xxhFinish(): bigint;
  zstdBegin(windowSize: number, literals: number): void;
  zstdBlock(start: number, end: number, out: number, first: number): number;
  decideBytes(count: number, buckets: number, values: number): number;
  decideDirect(
    base: number,
    count: number,
    buckets: number,
    values: number,
    ordered: number,
    protectedCount: number,
    threshold: number,
  ): number;
  placeTaken(to: number, count: number): number;
  takeRecords(
    record: number,
    size: number,
    count: number,
    origin: number,
    base: number,
    item: number,
    line: number,
    idStart: number,
    idBytes: number,
    maxLength: number,
  ): number;
  takenIds(): number;
  takenKeys(): number;
  takenIdBytes(): number;
  sortInParts(from: number, count: number, words: number, to: number, starts: number): void;
  placeKeyed(
    from: number,
    count: number,
    words: number,
    base: number,
    to: number,
    active: number,
    pass: number,
    passes: number,
  ): number;
  beginRows(starts: number, items: number): void;
  groupKeyed(keyed: number, count: number, words: number, passes: number, work: number): void;
  rowStartsEnd(): number;
  rowItemsEnd(): number;
  ensureMemory(end: number): void;
  heapStart(): number;
  blockTable(): number;
  foldTable(): number;
  shiftTable(): number;
  finishTables(): void;
}

export interface KernelInstance {
  readonly memory: WebAssembly.Memory;
  readonly exports: KernelExports;
}

let compiled: Promise<WebAssembly.Module> | undefined;

export async function instantiateKernel(): Promise<KernelInstance> {
  compiled ??= WebAssembly.compile(Uint8Array.from(atob(KERNEL_BASE64), letter => letter.charCodeAt(0)));
  // 1 MB to start with: tables and buffers take less than half.
  const memory = new WebAssembly.Memory({ initial: 16 });
  const instance = await WebAssembly.instantiate(await compiled, { env: { memory } });
  const exports = instance.exports as unknown as KernelExports;
  fillTables(memory, exports);
  return { memory, exports };
}

const BLOCK = 128;
const MAX_BLOCKS = 512;
interface UnicodeTables {
  readonly blockOf: Uint16Array;
  readonly folds: Uint8Array;
  readonly shifts: Int32Array;
}

let tables: UnicodeTables | undefined;

function fillTables(memory: WebAssembly.Memory, exports: KernelExports): void {
  tables ??= makeTables();
  const { blockOf, folds, shifts } = tables;
  new Uint16Array(memory.buffer, exports.blockTable(), blockOf.length).set(blockOf);
  new Uint8Array(memory.buffer, exports.foldTable(), folds.length).set(folds);
  new Int32Array(memory.buffer, exports.shiftTable(), shifts.length).set(shifts);
  exports.finishTables();
}

/** The two-step table of kernel/utf8.ts: equal blocks of 128 entries are kept once. */
function makeTables(): UnicodeTables {
  const { entries, shifts } = makeEntries();
  // Nearly all blocks are of one kind: those in which no run begins or ends. The others are compared as text.
  const mixed = new Set(unicodeRuns.flatMap(({ start, length }) => [start, start + length]).map(blockAt));
  const blockOf = new Uint16Array(entries.length / BLOCK);
  const places = new Map<string | number, number>();
  const folds = new Uint8Array(MAX_BLOCKS * BLOCK);
  for (let block = 0; block < blockOf.length; block++) {
    const content = entries.subarray(block * BLOCK, (block + 1) * BLOCK);
    const key = mixed.has(block) ? String.fromCharCode(...content) : content[0]!;
    let place = places.get(key);
    if (place === undefined) {
      place = places.size;
      if (place === MAX_BLOCKS || shifts.length > 256) throw new Error('the Unicode tables are full');
      places.set(key, place);
      folds.set(content, place * BLOCK);
    }
    blockOf[block] = place;
  }
  return { blockOf, folds: folds.subarray(0, places.size * BLOCK), shifts: Int32Array.from(shifts) };
}

function blockAt(codePoint: number): number {
  return Math.floor(codePoint / BLOCK);
}

/** For each code point its kind, or, of a letter that is lowercased, the place of its shift. */
function makeEntries(): { entries: Uint8Array; shifts: number[] } {
  const entries = new Uint8Array(0x110000);
  const shifts = [0, 0, 0];
  for (const run of unicodeRuns) {
    let entry: number = run.kind;
    if (run.shift !== 0) {
      entry = shifts.indexOf(run.shift, SOLO + 1);
      if (entry < 0) entry = shifts.push(run.shift) - 1;
    }
    entries.fill(entry, run.start, run.start + run.length);
  }
  return { entries, shifts };
}
