/** Records whose columns are known only at the end → a temporary file of JSON lines, and the columns there were. */
import { createReadStream } from 'node:fs';
import { type ColumnType, typeOf, unite } from './column-types.ts';
import { encodeJson } from './encode-json.ts';
import type { Fields } from './item.ts';
import { LineSplitter } from './lines.ts';
import { openSink } from './sink.ts';
import { type Temporary, temporaryFor } from './temporary.ts';

export interface Spool {
  readonly path: string;
  readonly columns: ReadonlyMap<string, ColumnType>;
  /** Bytes of the longest record. */
  readonly longest: number;
  add(record: Fields): Promise<void>;
  finish(): Promise<void>;
  records(): AsyncGenerator<Fields>;
  discard(): Promise<void>;
}

/** `beside`: the file that is being written; the spool needs as much room as it. */
export async function openSpool(beside: string): Promise<Spool> {
  const temporary: Temporary = await temporaryFor(`${beside}.spool`);
  const sink = await openSink(temporary.path);
  const columns = new Map<string, ColumnType>();
  let longest = 0;
  return {
    path: temporary.path,
    columns,
    get longest() {
      return longest;
    },
    add: async record => {
      for (const [name, value] of Object.entries(record)) {
        columns.set(name, unite(columns.get(name) ?? { kind: 'null' }, typeOf(value)));
      }
      const line = Buffer.from(`${encodeJson(record)}\n`);
      longest = Math.max(longest, line.length);
      await sink.write(line);
    },
    finish: () => sink.close(),
    records: () => recordsOf(temporary.path),
    discard: async () => {
      await sink.abort().catch(() => {}); // it may be closed already
      await temporary.discard();
    },
  };
}

async function* recordsOf(path: string): AsyncGenerator<Fields> {
  const lines = new LineSplitter(Number.POSITIVE_INFINITY);
  for await (const chunk of createReadStream(path)) {
    for (const { bytes } of lines.push(chunk as Uint8Array)) yield JSON.parse(Buffer.from(bytes!).toString());
  }
}
