/** Files of documents → all their documents with distinct ids, and afterwards the files without those that go. */

import { Zip, ZipDeflate } from 'fflate';
import { type Item, readInMemory } from 'neardup/browser';
import type { Problem } from './types.ts';
import { joined, type ReadFile } from './unpack.ts';

export interface Entry {
  readonly id: string;
  readonly text: string;
  /** Which of the files it is from. */
  readonly file: number;
  /** Its bytes there, without the newline at their end. */
  readonly raw: Uint8Array;
  readonly header?: Uint8Array | undefined;
}

/** Shown on the page; the count tells of the others. */
const MOST_REJECTS = 200;

export class Collection {
  readonly entries: Entry[] = [];
  readonly rejects: Problem[] = [];
  readonly damages: Problem[] = [];
  rejected = 0;
  repeatedIds = 0;
  readonly files: readonly ReadFile[];
  readonly #ids = new Set<string>();

  constructor(files: readonly ReadFile[]) {
    this.files = files;
  }

  /** Yields after each batch, with the bytes of its documents. */
  *read(fields: { textField: string; idField: string }): Generator<number> {
    for (const [file, { path, bytes }] of this.files.entries()) {
      for (const batch of readInMemory(path, bytes, fields)) {
        let read = 0;
        for (const item of batch) read += this.#add(item, file);
        yield read;
      }
    }
  }

  #add(item: Item, file: number): number {
    if ('reject' in item) {
      this.rejected++;
      if (this.rejects.length < MOST_REJECTS) this.rejects.push(item.reject);
      return 0;
    }
    if ('damage' in item) {
      this.damages.push(item.damage);
      return 0;
    }
    const { document, source, isUnnamed, raw = new Uint8Array(0), header } = item;
    const isRepeated = !isUnnamed && this.#ids.has(document.id);
    if (isRepeated) this.repeatedIds++;
    else if (!isUnnamed) this.#ids.add(document.id);
    const id = isRepeated ? `${source.file}:${source.line}` : document.id;
    this.entries.push({ id, text: document.text ?? '', file, raw, header });
    return raw.length;
  }

  /** One file comes back as it was, without what goes; several come back in an archive. Bytes are those that came. */
  withoutItems(removed: ReadonlySet<number>): { blob: Blob; name: string } {
    const parts = this.files.map(() => [] as Uint8Array[]);
    for (const [item, { file, raw, header }] of this.entries.entries()) {
      if (removed.has(item)) continue;
      const list = parts[file]!;
      if (header && list.length === 0) list.push(header, newline);
      list.push(raw, newline);
    }
    const written = this.files.flatMap(({ path }, file) => {
      const bytes = written1(path, parts[file]!);
      return bytes ? [{ path, bytes }] : [];
    });
    if (this.files.length === 1 && written.length <= 1) {
      const [only] = this.files;
      return { blob: new Blob(written.map(({ bytes }) => bytes)), name: keptName(only!.path) };
    }
    return { blob: zipped(written), name: 'kept.zip' };
  }
}

const newline = new Uint8Array([10]);

function written1(path: string, parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> | undefined {
  if (/\.json$/i.test(path)) {
    const elements = parts.filter(part => part !== newline);
    const between = elements.flatMap((element, at) =>
      at === 0 ? [element] : [new TextEncoder().encode(',\n'), element],
    );
    return joined([new TextEncoder().encode('[\n'), ...between, new TextEncoder().encode('\n]\n')]);
  }
  // A file that is one document stays as it is, or goes.
  if (/\.(txt|md|html?)$/i.test(path)) return parts.length > 0 ? joined(parts.slice(0, -1)) : undefined;
  return joined(parts);
}

/** `crawl.jsonl` → `crawl.kept.jsonl` */
function keptName(path: string): string {
  return path.replace(/^.*\//, '').replace(/(\.[^.]*)?$/, ending => `.kept${ending}`);
}

function zipped(files: readonly { path: string; bytes: Uint8Array }[]): Blob {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk as Uint8Array<ArrayBuffer>);
  });
  for (const { path, bytes } of files) {
    const entry = new ZipDeflate(path, { level: 1 });
    zip.add(entry);
    entry.push(bytes, true);
  }
  zip.end();
  return new Blob(chunks, { type: 'application/zip' });
}
