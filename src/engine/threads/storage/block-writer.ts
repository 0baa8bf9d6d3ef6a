/** Bytes → a file, in large blocks that go past the system's cache where it can be: its pages would take more time than the disk. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { failWriting } from '../../../files/system-errors.ts';

const BLOCK = 8 * 2 ** 20;
/** What goes past the cache must be a multiple of this, and start at one. */
const ALIGNMENT = 4096;
/** A disk that takes fewer bytes a second is left to the cache, once so many blocks have shown it. */
const SLOW = 400e6;
const TRIED = 8;

export class BlockWriter {
  readonly #path: string;
  #file: FileHandle;
  #isDirect: boolean;
  // Memory of WebAssembly starts at a page, as direct writing needs it; two blocks take turns.
  readonly #memory = new WebAssembly.Memory({ initial: (2 * BLOCK) >> 16 });
  #turn = 0;
  #used = 0;
  #blocks = 0;
  #writing: Promise<void> = Promise.resolve();
  #seconds = 0;

  private constructor(path: string, file: FileHandle, isDirect: boolean) {
    this.#path = path;
    this.#file = file;
    this.#isDirect = isDirect;
  }

  static async open(path: string): Promise<BlockWriter> {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC;
    // Not every system, and not every file system, has it.
    const direct = constants.O_DIRECT ? await open(path, flags | constants.O_DIRECT).catch(() => undefined) : undefined;
    const file = direct ?? (await open(path, flags).catch(error => failWriting(path, error)));
    return new BlockWriter(path, file, direct !== undefined);
  }

  async append(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + BLOCK - this.#used);
      this.#block().set(part, this.#used);
      this.#used += part.length;
      at += part.length;
      if (this.#used === BLOCK) await this.#send();
    }
  }

  async close(): Promise<void> {
    const length = this.#blocks * BLOCK + this.#used;
    // The last block is filled up, and the file then cut.
    this.#used = Math.ceil(this.#used / ALIGNMENT) * ALIGNMENT;
    if (this.#used > 0) await this.#send();
    await this.#writing;
    await this.#file.truncate(length).catch(error => failWriting(this.#path, error));
    await this.#file.close();
  }

  async abort(): Promise<void> {
    await this.#writing.catch(() => {});
    await this.#file.close();
  }

  #block(): Uint8Array {
    return new Uint8Array(this.#memory.buffer, this.#turn * BLOCK, BLOCK);
  }

  /** Waits for the block before, not for this one. */
  async #send(): Promise<void> {
    await this.#writing;
    await this.#leaveToCacheIfSlow();
    const block = this.#block().subarray(0, this.#used);
    this.#writing = this.#write(block, this.#blocks * BLOCK);
    // An error is thrown where it is waited for, not before.
    this.#writing.catch(() => {});
    this.#blocks++;
    this.#turn = 1 - this.#turn;
    this.#used = 0;
  }

  async #write(block: Uint8Array, position: number): Promise<void> {
    const start = performance.now();
    try {
      for (let done = 0; done < block.length; )
        done += (await this.#file.write(block, done, block.length - done, position + done)).bytesWritten;
    } catch (error) {
      failWriting(this.#path, error);
    }
    this.#seconds += (performance.now() - start) / 1000;
  }

  async #leaveToCacheIfSlow(): Promise<void> {
    if (!this.#isDirect || this.#blocks < TRIED || (this.#blocks * BLOCK) / this.#seconds >= SLOW) return;
    await this.#file.close();
    this.#file = await open(this.#path, 'r+').catch(error => failWriting(this.#path, error));
    this.#isDirect = false;
  }
}
