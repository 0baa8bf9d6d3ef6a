/** Base64 → a running instance of the kernel, its functions typed, its Unicode tables filled. */
import { KERNEL_BASE64 } from './generated/wasm.ts';
import { unicodeRuns } from './unicode.ts';

export interface KernelExports {
  setSketch(seed: bigint, size: number): void;
  setShingle(unit: number, size: number, keepCase: number): void;
  setSink(sink: number, keepAt: number): void;
  beginDocument(): void;
  addText(start: number, end: number): void;
  addHashes(hashes: number, count: number): void;
  finishDocument(): void;
  words(): number;
  shingles(): number;
  contentHashLow(): bigint;
  contentHashHigh(): bigint;
  minima(): number;
  bins(): number;
  binsFilled(): number;
  densify(): void;
  keptCount(): number;
  hashElement(start: number, end: number): bigint;
  bandKeys(sketch: number, positions: number, bands: number, rows: number, out: number): void;
  sortUnique(hashes: number, count: number): number;
  intersectionSize(a: number, countA: number, b: number, countB: number): number;
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
  consumedBytes(): number;
  consumedLines(): number;
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
const STAYS = 1;
const SOLO = 2;

/** The two-step table of kernel/utf8.ts: equal blocks of 128 entries are kept once. */
function fillTables(memory: WebAssembly.Memory, exports: KernelExports): void {
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
  if (shifts.length > 256 || shifts[STAYS] !== 0) throw new Error('the table of case shifts is full');
  new Int32Array(memory.buffer, exports.shiftTable(), shifts.length).set(shifts);

  const blockOf = new Uint16Array(memory.buffer, exports.blockTable(), entries.length / BLOCK);
  const folds = new Uint8Array(memory.buffer, exports.foldTable(), MAX_BLOCKS * BLOCK);
  const known = new Map<string, number>();
  for (let block = 0; block < blockOf.length; block++) {
    const content = entries.subarray(block * BLOCK, (block + 1) * BLOCK);
    const key = String.fromCharCode(...content);
    let place = known.get(key);
    if (place === undefined) {
      place = known.size;
      if (place === MAX_BLOCKS) throw new Error('the table of folds is full');
      folds.set(content, place * BLOCK);
      known.set(key, place);
    }
    blockOf[block] = place;
  }
  exports.finishTables();
}
