/** Rows of a query → a file of lines on this machine, which can be gone through again and again without waiting for Spark. */
import { closeSync, openSync, readSync } from 'node:fs';
import { openSink } from '../../formats/sink.ts';

export interface Spool<Item> extends Iterable<Item> {
  readonly length: number;
}

/** Each item is kept as one line of JSON. */
export async function spool<Row, Item>(
  path: string,
  rows: AsyncIterable<Row>,
  lineOf: (row: Row) => string,
  itemOf: (line: string) => Item,
): Promise<Spool<Item>> {
  const sink = await openSink(path);
  let length = 0;
  for await (const row of rows) {
    length++;
    await sink.write(`${lineOf(row)}\n`);
  }
  await sink.close();
  return {
    length,
    *[Symbol.iterator]() {
      for (const line of linesOf(path)) yield itemOf(line);
    },
  };
}

const CHUNK = 1 << 16;

function* linesOf(path: string): Generator<string> {
  const file = openSync(path, 'r');
  try {
    const decoder = new TextDecoder();
    const buffer = new Uint8Array(CHUNK);
    let rest = '';
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
      const lines = (rest + decoder.decode(buffer.subarray(0, read), { stream: true })).split('\n');
      rest = lines.pop()!;
      yield* lines;
    }
  } finally {
    closeSync(file);
  }
}
