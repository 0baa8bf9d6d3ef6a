/** Records whose columns are known only at the end → a temporary file of JSON lines, and the columns there were. */
import { createReadStream } from 'node:fs';
import { type Temporary, temporaryFor } from '../../files/temporary.ts';
import { LineSplitter } from '../json/lines.ts';
import { fieldTexts, objectText } from '../json/raw-json.ts';
import { openSink } from '../sink.ts';
import { type ColumnType, typeOf, typeOfCell, unite } from './column-types.ts';

/** Each field as JSON text. */
export type JsonFields = ReadonlyMap<string, string>;

export interface Spool {
  readonly path: string;
  readonly columns: ReadonlyMap<string, ColumnType>;
  /** Bytes of the longest record. */
  readonly longest: number;
  /** `cells`: names of those that are cells of CSV, whose type is that of their text. */
  add(fields: JsonFields, cells?: ReadonlySet<string>): Promise<void>;
  finish(): Promise<void>;
  /** Once it is finished: each record becomes another. */
  rewrite(change: (fields: JsonFields) => JsonFields): Promise<void>;
  records(): AsyncGenerator<JsonFields>;
  discard(): Promise<void>;
}

/** `beside`: the file that is being written; the spool needs as much room as it. */
export async function openSpool(beside: string): Promise<Spool> {
  let file = await openLines(`${beside}.spool`);
  const columns = new Map<string, ColumnType>();
  return {
    get path() {
      return file.path;
    },
    columns,
    get longest() {
      return file.longest;
    },
    add: (fields, cells) => {
      for (const [name, text] of fields) {
        const known = columns.get(name) ?? { kind: 'null' };
        if (known.kind === 'text' && text[0] === '"') continue;
        columns.set(name, unite(known, cells?.has(name) ? typeOfCell(JSON.parse(text)) : typeOf(text)));
      }
      return file.add(fields);
    },
    finish: () => file.finish(),
    rewrite: async change => {
      const rewritten = await openLines(`${beside}.rewritten`);
      const before = file;
      file = rewritten;
      try {
        for await (const fields of recordsOf(before.path)) await rewritten.add(change(fields));
        await rewritten.finish();
      } finally {
        await before.discard();
      }
    },
    records: () => recordsOf(file.path),
    discard: () => file.discard(),
  };
}

async function openLines(path: string) {
  const temporary: Temporary = await temporaryFor(path);
  const sink = await openSink(temporary.path);
  let longest = 0;
  return {
    path: temporary.path,
    get longest() {
      return longest;
    },
    add: async (fields: JsonFields) => {
      const line = Buffer.from(`${onOneLine(objectText(fields))}\n`);
      longest = Math.max(longest, line.length);
      await sink.write(line);
    },
    finish: () => sink.close(),
    discard: async () => {
      await sink.abort().catch(() => {}); // it may be closed already
      await temporary.discard();
    },
  };
}

async function* recordsOf(path: string): AsyncGenerator<JsonFields> {
  const lines = new LineSplitter(Number.POSITIVE_INFINITY);
  for await (const chunk of createReadStream(path)) {
    for (const { bytes } of lines.push(chunk as Uint8Array)) yield fieldTexts(Buffer.from(bytes!).toString());
  }
}

/** In JSON text a newline is never part of a string. */
function onOneLine(json: string): string {
  return json.includes('\n') ? json.replaceAll('\n', ' ') : json;
}
