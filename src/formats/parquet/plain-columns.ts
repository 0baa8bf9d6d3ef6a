/** The columns whose doubles are written as JavaScript does, 1 and not 1.0 ↔ an entry in the metadata of a Parquet file. */
import { KEY, metadataOf, textAt, VALUE, withMetadata } from './footer.ts';
import type { Struct, Value } from './thrift.ts';

const PLAIN_NUMBERS = 'neardup.plain_numbers';

export function withPlainColumns(file: Struct, names: readonly string[]): Struct {
  const fields: Struct = new Map();
  for (const [field, text] of [
    [KEY, PLAIN_NUMBERS],
    [VALUE, JSON.stringify(names)],
  ] as const) {
    fields.set(field, { type: 'binary', value: Buffer.from(text) });
  }
  return withMetadata(file, [...metadataOf(file), { type: 'struct', fields }]);
}

/** None if the entry is not ours after all. */
export function plainColumnsOf(file: Struct): ReadonlySet<unknown> {
  const isOurs = (pair: Value) => pair.type === 'struct' && textAt(pair.fields, KEY) === PLAIN_NUMBERS;
  const pair = metadataOf(file).find(isOurs);
  try {
    return new Set(pair?.type === 'struct' ? JSON.parse(textAt(pair.fields, VALUE)) : []);
  } catch {
    return new Set();
  }
}
