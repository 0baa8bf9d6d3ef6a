/** Blocks of Zstandard frames → their bytes and checksum, by the kernel, in an instance of its own. */
import { instantiateKernel, type KernelInstance } from './exports.ts';
import { SLACK } from './layout.ts';
import { lowerHalf } from './xxhash.ts';

/** No block is larger, compressed or not. */
export const MAX_BLOCK = 128 * 1024;
/** Descriptions of tables are read before it is known where they end. */
const ROOM = MAX_BLOCK + 1024;
/** Bytes that are decoded before the window is moved to the front again: a fourth of it, and this at least. */
const LEAST_STRIDE = 2 ** 20;

export interface ZstdDecoder {
  /** `windowSize`: how far back a block may refer. Memory grows with what is decoded, up to 1¼ times as much. */
  beginFrame(windowSize: number): void;
  /** A block as it is, behind the blocks of the frame before it. */
  raw(bytes: Uint8Array): Uint8Array;
  repeated(byte: number, count: number): Uint8Array;
  /** Undefined if it is damaged. */
  compressed(bytes: Uint8Array): Uint8Array | undefined;
  /** The lower half of XXH64 of all bytes of the frame. */
  checksum(): number;
}

export async function createZstdDecoder(): Promise<ZstdDecoder> {
  return new WasmZstdDecoder(await instantiateKernel());
}

/** Memory: [ kernel's own | input block | literals | window … ] */
class WasmZstdDecoder implements ZstdDecoder {
  readonly #instance: KernelInstance;
  readonly #input: number;
  readonly #literals: number;
  readonly #first: number;
  #window = 0;
  /** Where the next block goes. */
  #at = 0;

  constructor(instance: KernelInstance) {
    this.#instance = instance;
    this.#input = instance.exports.heapStart();
    this.#literals = this.#input + ROOM;
    this.#first = this.#literals + ROOM;
  }

  beginFrame(windowSize: number): void {
    this.#window = windowSize;
    this.#at = this.#first;
    this.#instance.exports.zstdBegin(windowSize, this.#literals);
    this.#instance.exports.xxhBegin();
  }

  raw(bytes: Uint8Array): Uint8Array {
    this.#makeRoom().set(bytes, this.#at);
    return this.#take(bytes.length);
  }

  repeated(byte: number, count: number): Uint8Array {
    this.#makeRoom().fill(byte, this.#at, this.#at + count);
    return this.#take(count);
  }

  compressed(bytes: Uint8Array): Uint8Array | undefined {
    this.#makeRoom().set(bytes, this.#input);
    const end = this.#input + bytes.length;
    const size = this.#instance.exports.zstdBlock(this.#input, end, this.#at, this.#first);
    return size < 0 ? undefined : this.#take(size);
  }

  checksum(): number {
    return lowerHalf(this.#instance.exports.xxhFinish());
  }

  /** All memory, with room for a block behind the window. */
  #makeRoom(): Uint8Array {
    const { exports, memory } = this.#instance;
    const stride = Math.max(LEAST_STRIDE, this.#window / 4);
    if (this.#at + MAX_BLOCK > this.#first + this.#window + stride) {
      new Uint8Array(memory.buffer).copyWithin(this.#first, this.#at - this.#window, this.#at);
      this.#at = this.#first + this.#window;
    }
    exports.ensureMemory(this.#at + MAX_BLOCK + SLACK);
    return new Uint8Array(memory.buffer);
  }

  /** The block that was decoded: its bytes are copied out, and count for what follows. */
  #take(size: number): Uint8Array {
    const { exports, memory } = this.#instance;
    const end = this.#at + size;
    exports.xxhAdd(this.#at, end);
    const block = new Uint8Array(memory.buffer).slice(this.#at, end);
    this.#at = end;
    return block;
  }
}
