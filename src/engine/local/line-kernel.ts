/** A kernel set up for lines of a run: reads parts of files straight into its memory. */
import { closeSync, openSync, readSync } from 'node:fs';
import { instantiateKernel, type KernelExports, type KernelInstance } from '../../kernel/exports.ts';
import { NAME_ROOM, SLACK, units } from '../../kernel/layout.ts';
import type { WorkerPlan } from './plan.ts';

export class LineKernel {
  readonly exports: KernelExports;
  readonly plan: WorkerPlan;
  readonly #instance: KernelInstance;
  /** The start of the free memory: file bytes come here. */
  readonly input: number;

  constructor(instance: KernelInstance, plan: WorkerPlan) {
    this.#instance = instance;
    this.exports = instance.exports;
    this.plan = plan;
    this.exports.setSketch(BigInt(plan.seed), plan.hashes);
    this.exports.setShingle(units[plan.shingle.unit], plan.shingle.size, plan.keepCase ? 1 : 0);
    this.exports.setBands(plan.bands, plan.positions.length / plan.bands);
    new Uint32Array(this.buffer, this.exports.bandPositions(), plan.positions.length).set(plan.positions);
    this.#setField(0, plan.textField);
    this.#setField(1, plan.idField);
    this.input = this.exports.heapStart();
  }

  /** Detached whenever the memory grows: ask again after each call that may. */
  get buffer(): ArrayBuffer {
    return this.#instance.memory.buffer;
  }

  bytes(start: number, end: number): Uint8Array {
    return new Uint8Array(this.buffer, start, end - start);
  }

  /** Reads `length` bytes of the file from `position` to the address; returns how many there were. */
  read(file: number, address: number, length: number, position: number): number {
    this.exports.ensureMemory(address + length + SLACK);
    let done = 0;
    while (done < length) {
      const count = readSync(file, this.bytes(address + done, address + length), 0, length - done, position + done);
      if (count === 0) break;
      done += count;
    }
    return done;
  }

  #setField(field: number, name: string): void {
    const bytes = new TextEncoder().encode(name);
    this.bytes(0, this.buffer.byteLength).set(bytes, this.exports.fieldNames() + NAME_ROOM * field);
    this.exports.setField(field, bytes.length);
  }
}

/** Reads a text as a document, by way of a window of memory at `address`. */
export function feedText(kernel: LineKernel, text: string, address: number): void {
  const { exports } = kernel;
  exports.beginDocument();
  for (let at = 0; at < text.length; ) {
    const window = kernel.bytes(address, address + WINDOW);
    const { read, written } = new TextEncoder().encodeInto(text.slice(at), window);
    exports.addText(address, address + written);
    at += read;
  }
  exports.finishDocument();
}

const WINDOW = 1 << 16;

export async function createLineKernel(plan: WorkerPlan): Promise<LineKernel> {
  return new LineKernel(await instantiateKernel(), plan);
}

export function withFile<Result>(path: string, use: (file: number) => Result): Result {
  const file = openSync(path, 'r');
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}
