/** Lines of a component → kept in memory up to a limit, the rest in a file of the executor's scratch folder, which vanishes with the worker. */
import { closeSync, ftruncateSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = 1 << 22;
const PAGES_IN_MEMORY = 16;

interface Page {
  /** Undefined when it is in the file, at `offset`. */
  bytes: Buffer | undefined;
  offset: number;
}

/** Lines are numbered from 0, in the order in which they are added. */
export class LineStore {
  readonly #pages: Page[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #pageOf: number[] = [];
  #used = 0;
  #file: number | undefined;
  #size = 0;

  add(line: Uint8Array): void {
    const page = this.#pages.at(-1)?.bytes;
    if (!page || this.#used + line.length > page.length) this.#open(line.length);
    this.#pages.at(-1)!.bytes!.set(line, this.#used);
    this.#pageOf.push(this.#pages.length - 1);
    this.#starts.push(this.#used);
    this.#used += line.length;
    this.#ends.push(this.#used);
  }

  /** Good as long as the caller likes. */
  get(number: number): Uint8Array {
    const page = this.#pages[this.#pageOf[number]!]!;
    const [start, end] = [this.#starts[number]!, this.#ends[number]!];
    if (page.bytes) return page.bytes.subarray(start, end);
    const line = Buffer.allocUnsafe(end - start);
    for (let done = 0; done < line.length; ) {
      const read = readSync(this.#file!, line, done, line.length - done, page.offset + start + done);
      if (read === 0) throw new Error('the scratch file of a worker is shorter than what was written to it');
      done += read;
    }
    return line;
  }

  clear(): void {
    for (const list of [this.#pages, this.#starts, this.#ends, this.#pageOf]) list.length = 0;
    this.#used = 0;
    this.#size = 0;
    if (this.#file !== undefined) ftruncateSync(this.#file);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #open(least: number): void {
    const last = this.#pages.at(-1);
    if (last && this.#pages.length > PAGES_IN_MEMORY) this.#toFile(last);
    this.#pages.push({ bytes: Buffer.allocUnsafe(Math.max(PAGE, least)), offset: 0 });
    this.#used = 0;
  }

  #toFile(page: Page): void {
    this.#file ??= openScratch();
    page.offset = this.#size;
    const bytes = page.bytes!.subarray(0, this.#used);
    for (let done = 0; done < bytes.length; )
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#size + done);
    this.#size += bytes.length;
    page.bytes = undefined;
  }
}

/** Workers start in a folder of Spark's; the file has no name there, so that nothing is left of a worker that is killed. */
function openScratch(): number {
  const folder = mkdtempSync(join(process.cwd(), 'neardup-'));
  try {
    return openSync(join(folder, 'lines'), 'wx+', 0o600);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
