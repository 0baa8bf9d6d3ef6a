/** Chunks of bytes → lines and blocks of a given size, as a WARC file is made of both. */

const NEWLINE = 10;

export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);
  #at = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** With its newline, or what is left before the end; cut at `limit`; undefined at the end. */
  async line(limit: number): Promise<Uint8Array | undefined> {
    const parts: Uint8Array[] = [];
    let size = 0;
    while (size < limit && (await this.#fill())) {
      const newline = this.#chunk.indexOf(NEWLINE, this.#at);
      const part = this.#take(Math.min(newline === -1 ? Infinity : newline + 1 - this.#at, limit - size));
      parts.push(part);
      size += part.length;
      if (part.at(-1) === NEWLINE) break;
    }
    if (size === 0) return undefined;
    return parts.length === 1 ? parts[0] : Buffer.concat(parts, size);
  }

  /** Fewer bytes only at the end. */
  async block(size: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    let left = size;
    while (left > 0 && (await this.#fill())) {
      const part = this.#take(left);
      parts.push(part);
      left -= part.length;
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }

  /** What is there at once, `limit` bytes at most; undefined at the end. */
  async some(limit: number): Promise<Uint8Array | undefined> {
    return (await this.#fill()) ? this.#take(limit) : undefined;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #fill(): Promise<boolean> {
    while (this.#at === this.#chunk.length) {
      const { done, value } = await this.#chunks.next();
      if (done) return false;
      this.#chunk = value;
      this.#at = 0;
    }
    return true;
  }

  #take(size: number): Uint8Array {
    const part = this.#chunk.subarray(this.#at, this.#at + size);
    this.#at += part.length;
    return part;
  }
}
