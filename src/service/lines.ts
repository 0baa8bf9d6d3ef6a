/** Lines → a stream of NDJSON that waits for its reader, and gathers lines that come at once into one write. */
import { PassThrough } from 'node:stream';

/** Bytes not yet sent past which the writer waits. */
const HELD = 64 * 1024;

export class LineStream {
  readonly stream = new PassThrough({ highWaterMark: HELD });
  #text = '';
  #isScheduled = false;

  /** Whether somebody still reads. */
  get isOpen(): boolean {
    return !this.stream.destroyed;
  }

  /** Resolves when there is room for the next. */
  async write(...lines: readonly string[]): Promise<void> {
    for (const line of lines) this.#text += `${line}\n`;
    if (this.#text.length >= HELD) this.#flush();
    else this.#schedule();
    if (this.stream.writableNeedDrain && this.isOpen) await this.#drained();
  }

  end(): void {
    this.#flush();
    this.stream.end();
  }

  /** Or nobody reads any more. */
  #drained(): Promise<void> {
    return new Promise(resolve => {
      const done = () => {
        this.stream.off('drain', done).off('close', done);
        resolve();
      };
      this.stream.on('drain', done).on('close', done);
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#isScheduled = false;
    const text = this.#text;
    this.#text = '';
    if (text !== '' && this.isOpen && !this.stream.writableEnded) this.stream.write(text);
  }
}
