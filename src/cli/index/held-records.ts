/** Records of WARC files that are no documents, and what becomes of the documents around them → the records that are passed on. */
import { createReadStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeOrAbort } from '../../files/close-or-abort.ts';
import { makeWorkFolder, removeWorkFolder } from '../../files/work-folder.ts';
import type { DocumentItem, OtherRecord } from '../../formats/item.ts';
import { openSink } from '../../formats/sink.ts';
import { Captures, type Links, linksOf } from '../../formats/warc/links.ts';

/** A record waits for the next document. One that names a document which was not read yet waits for this many. */
const DOCUMENTS_AWAITED = 16;
const MOST_HELD = 4096;
const MOST_BYTES = 64 * 2 ** 20;
/** Names of captures that are remembered: some 30 MB. Older ones are forgotten, and what belongs to them is passed on. */
const MOST_NAMES = 2 ** 20;

interface Held {
  readonly links: Links;
  readonly captures: Captures;
  /** Documents that were read before it. */
  readonly documentsBefore: number;
  readonly bytes: Uint8Array | Spooled;
}

interface Read {
  readonly item: DocumentItem;
  readonly captures: Captures;
}

type Write = (record: Pick<OtherRecord, 'bytes'>) => Promise<void>;

export class HeldRecords {
  written = 0;
  removed = 0;
  readonly #write: Write;
  /** Documents that are not decided yet, in input order. */
  readonly #undecided: Read[] = [];
  #decided = 0;
  /** In input order. */
  readonly #held: Held[] = [];
  #bytes = 0;
  #file: string | undefined;
  #captures = new Captures();

  constructor(write: Write) {
    this.#write = write;
  }

  readDocument(item: DocumentItem): void {
    this.#undecided.push({ item, captures: this.#capturesOf(item.source.file) });
  }

  async readOther({ source, head, bytes }: OtherRecord): Promise<void> {
    const captures = this.#capturesOf(source.file);
    const documentsBefore = this.#decided + this.#undecided.length;
    const stored = bytes instanceof Uint8Array ? bytes : await spool(bytes);
    this.#held.push({ links: linksOf(head), captures, documentsBefore, bytes: stored });
    this.#bytes += stored.length;
    if (this.#held.length > MOST_HELD || this.#bytes > MOST_BYTES) await this.#release(true);
  }

  /** Documents are decided in order, so those before it were not passed on, unless they were decided before. */
  async decide(item: DocumentItem, stays: boolean): Promise<void> {
    const at = this.#undecided.findIndex(read => read.item === item);
    if (at < 0) return;
    for (const read of this.#undecided.splice(0, at + 1))
      read.captures.note(linksOf(read.item.raw!), stays && read.item === item);
    this.#decided += at + 1;
    await this.#release(false);
  }

  /** No document comes any more. */
  async end(): Promise<void> {
    for (const { item, captures } of this.#undecided.splice(0)) captures.note(linksOf(item.raw!), false);
    await this.#release(true);
  }

  /** Those with a decided document behind them; or all. */
  async #release(all: boolean): Promise<void> {
    const waiting = all ? -1 : this.#held.findIndex(({ documentsBefore }) => documentsBefore >= this.#decided);
    const open: Held[] = [];
    for (const held of this.#held.splice(0, waiting < 0 ? this.#held.length : waiting)) {
      const fate = held.captures.fateOf(held.links);
      const isPatient = this.#decided - held.documentsBefore < DOCUMENTS_AWAITED;
      if (fate === 'open' && isPatient && !all) open.push(held);
      else await this.#settle(held, fate === 'goes');
    }
    this.#held.unshift(...open);
  }

  async #settle({ bytes }: Held, goes: boolean): Promise<void> {
    this.#bytes -= bytes.length;
    const isSpooled = !(bytes instanceof Uint8Array);
    if (!goes) await this.#write({ bytes: isSpooled ? bytes.chunks() : bytes });
    if (isSpooled) bytes.remove();
    if (goes) this.removed++;
    else this.written++;
  }

  #capturesOf(file: string): Captures {
    if (file !== this.#file || this.#captures.size > MOST_NAMES) this.#captures = new Captures();
    this.#file = file;
    return this.#captures;
  }
}

interface Spooled {
  readonly length: number;
  chunks(): AsyncIterable<Uint8Array>;
  remove(): void;
}

/** To a temporary file: that a large record is whole is known only at its end, and part of one must not be passed on. */
async function spool(chunks: AsyncIterable<Uint8Array>): Promise<Spooled> {
  const folder = makeWorkFolder(tmpdir(), 'neardup-record-');
  const path = join(folder, 'record');
  try {
    const sink = await openSink(path);
    let length = 0;
    await closeOrAbort(sink, async () => {
      for await (const chunk of chunks) {
        await sink.write(chunk);
        length += chunk.length;
      }
    });
    return { length, chunks: () => createReadStream(path), remove: () => removeWorkFolder(folder) };
  } catch (error) {
    removeWorkFolder(folder);
    throw error;
  }
}
