/** Bytes → the lower half of their XXH64, the checksum of a Zstandard frame; by the kernel, in an instance of its own. */
import { instantiateKernel } from './exports.ts';

/** Bytes that are copied into the kernel's memory at a time. */
const PIECE = 128 * 1024;

export async function createChecksum(): Promise<(bytes: Uint8Array) => number> {
  const { exports, memory } = await instantiateKernel();
  const start = exports.heapStart();
  exports.ensureMemory(start + PIECE);
  const room = new Uint8Array(memory.buffer, start, PIECE);
  return bytes => {
    exports.xxhBegin();
    for (let at = 0; at < bytes.length; at += PIECE) {
      const piece = bytes.subarray(at, at + PIECE);
      room.set(piece);
      exports.xxhAdd(start, start + piece.length);
    }
    return lowerHalf(exports.xxhFinish());
  };
}

export function lowerHalf(hash: bigint): number {
  return Number(BigInt.asUintN(32, hash));
}
