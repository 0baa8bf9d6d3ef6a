/**
 * A Parquet file ↔ its footer: the schema, where the parts of each column are, and the key-value metadata. DuckDB
 * changes some of it from one file to the next; what is put back here is put back byte for byte.
 *
 *   PAR1 | pages … | footer (a Thrift struct) | its length, 4 bytes | PAR1
 */
import { type FileHandle, open } from 'node:fs/promises';
import { decodeThrift, encodeThrift, type Struct, type Value } from './thrift.ts';

const MAGIC = Buffer.from('PAR1');
const TAIL = 8;

/** Numbers of the fields we use. */
const FILE = { schema: 2, rowGroups: 4, metadata: 5 } as const;
export const ELEMENT = {
  type: 1,
  length: 2,
  repetition: 3,
  name: 4,
  children: 5,
  converted: 6,
  scale: 7,
  precision: 8,
  fieldId: 9,
  logical: 10,
} as const;
/** A value of `ELEMENT.repetition`. */
export const REPEATED = 2;
const GROUP = { columns: 1 } as const;
const CHUNK = { metadata: 3 } as const;
const COLUMN = { path: 3, compressedSize: 7, dataAt: 9, dictionaryAt: 11, statistics: 12 } as const;

/** Of an entry of the metadata. */
export const [KEY, VALUE] = [1, 2] as const;

/** An element of the schema, with those inside it. */
export interface SchemaNode {
  readonly element: Struct;
  readonly children: readonly SchemaNode[];
}

/** The pages of one leaf in one row group. */
interface Pages {
  readonly leaf: number;
  readonly start: number;
  readonly length: number;
}

export interface Footer {
  readonly file: Struct;
  readonly columns: readonly SchemaNode[];
  /** Where the footer begins. */
  readonly start: number;
  /** Bytes of the whole file. */
  readonly size: number;
}

export async function readFooter(path: string): Promise<Footer> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const tail = await readAt(handle, Math.max(size - TAIL, 0), TAIL);
    const start = size - TAIL - tail.readUInt32LE(0);
    if (!tail.subarray(4).equals(MAGIC) || start < MAGIC.length) throw new Error(`${path} has no Parquet footer`);
    const file = decodeThrift(await readAt(handle, start, size - TAIL - start));
    return { file, columns: columnsOf(file), start, size };
  } finally {
    await handle.close();
  }
}

/** In the place of the one the file has. */
export async function writeFooter(path: string, file: Struct, start: number): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    const bytes = footerBytes(file);
    await handle.write(bytes, 0, bytes.length, start);
    await handle.truncate(start + bytes.length);
  } finally {
    await handle.close();
  }
}

/** A file of the same size and layout, with no more in it than the pages of some leaves; the rest is a hole. */
export async function copyPages(from: string, to: string, footer: Footer, leaves: ReadonlySet<number>, file: Struct) {
  const [source, target] = [await open(from), await open(to, 'w', 0o600)];
  try {
    await target.write(MAGIC, 0, MAGIC.length, 0);
    for (const { leaf, start, length } of pagesOf(footer)) {
      if (leaves.has(leaf)) await copyRange(source, target, start, start + length);
    }
    const bytes = footerBytes(file);
    await target.write(bytes, 0, bytes.length, footer.start);
  } finally {
    await source.close();
    await target.close();
  }
}

export function withColumns({ file }: Footer, columns: readonly SchemaNode[]): Struct {
  const schema = file.get(FILE.schema);
  if (schema?.type !== 'list') throw new Error('the footer has no schema');
  const elements = [schema.values[0]!, ...columns.flatMap(flat)];
  return new Map(file).set(FILE.schema, { ...schema, values: elements });
}

/** The names of the schema in each part of a column; `without`: leaves whose statistics are those of another type. */
export function withPaths(file: Struct, columns: readonly SchemaNode[], without: ReadonlySet<number>): Struct {
  const paths = columns.flatMap(column => leafPaths(column));
  return changed(file, FILE.rowGroups, group =>
    changed(group, GROUP.columns, (chunk, leaf) => {
      const column = new Map(structAt(chunk, CHUNK.metadata));
      const values = paths[leaf]!.map(value => ({ type: 'binary', value }) as const);
      column.set(COLUMN.path, { type: 'list', of: 8, values });
      if (without.has(leaf)) column.delete(COLUMN.statistics);
      return new Map(chunk).set(CHUNK.metadata, { type: 'struct', fields: column });
    }),
  );
}

/** Each key and value as bytes; a key may come twice. */
export function metadataOf(file: Struct): Value[] {
  const metadata = file.get(FILE.metadata);
  return metadata?.type === 'list' ? metadata.values : [];
}

export function withMetadata(file: Struct, pairs: Value[]): Struct {
  const result = new Map(file);
  if (pairs.length === 0) result.delete(FILE.metadata);
  else result.set(FILE.metadata, { type: 'list', of: 12, values: pairs });
  return result;
}

export function textAt(struct: Struct, field: number): string {
  const value = struct.get(field);
  return value?.type === 'binary' ? Buffer.from(value.value).toString() : '';
}

export function numberAt(struct: Struct, field: number): number | undefined {
  const value = struct.get(field);
  return typeof (value as { value?: unknown })?.value === 'bigint'
    ? Number((value as { value: bigint }).value)
    : undefined;
}

export function structAt(struct: Struct, field: number): Struct {
  const value = struct.get(field);
  return value?.type === 'struct' ? value.fields : new Map();
}

export function nameOf({ element }: SchemaNode): string {
  return textAt(element, ELEMENT.name);
}

export function leavesOf(node: SchemaNode): SchemaNode[] {
  return node.children.length === 0 ? [node] : node.children.flatMap(leavesOf);
}

function columnsOf(file: Struct): readonly SchemaNode[] {
  const schema = file.get(FILE.schema);
  const elements = schema?.type === 'list' ? schema.values : [];
  let at = 0;
  const next = (): SchemaNode => {
    const value = elements[at++];
    if (value?.type !== 'struct') throw new Error('the schema of the footer ends early');
    const children = Array.from({ length: numberAt(value.fields, ELEMENT.children) ?? 0 }, next);
    return { element: value.fields, children };
  };
  return next().children;
}

function flat({ element, children }: SchemaNode): Value[] {
  return [{ type: 'struct', fields: element }, ...children.flatMap(flat)];
}

function leafPaths({ element, children }: SchemaNode): Uint8Array[][] {
  const name = Buffer.from(textAt(element, ELEMENT.name));
  if (children.length === 0) return [[name]];
  return children.flatMap(leafPaths).map(path => [name, ...path]);
}

function changed(struct: Struct, field: number, change: (element: Struct, at: number) => Struct): Struct {
  const list = struct.get(field);
  if (list?.type !== 'list') return struct;
  const values = list.values.map(
    (value, at): Value => (value.type === 'struct' ? { type: 'struct', fields: change(value.fields, at) } : value),
  );
  return new Map(struct).set(field, { ...list, values });
}

function* pagesOf({ file, start: end }: Footer): Generator<Pages> {
  const groups = file.get(FILE.rowGroups);
  for (const group of groups?.type === 'list' ? groups.values : []) {
    const chunks = group.type === 'struct' ? group.fields.get(GROUP.columns) : undefined;
    for (const [leaf, chunk] of (chunks?.type === 'list' ? chunks.values : []).entries()) {
      if (chunk.type !== 'struct') continue;
      const column = structAt(chunk.fields, CHUNK.metadata);
      const start = numberAt(column, COLUMN.dictionaryAt) || numberAt(column, COLUMN.dataAt) || 0;
      // Some writers forget the head of the dictionary page in the size; readers add 100 bytes for it.
      const length = Math.min((numberAt(column, COLUMN.compressedSize) ?? 0) + 100, end - start);
      yield { leaf, start, length };
    }
  }
}

function footerBytes(file: Struct): Buffer {
  const footer = encodeThrift(file);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([footer, length, MAGIC]);
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, position);
  if (bytesRead < length) throw new Error('it ends early');
  return buffer;
}

async function copyRange(source: FileHandle, target: FileHandle, start: number, end: number): Promise<void> {
  const buffer = Buffer.alloc(2 ** 20);
  for (let at = start; at < end; ) {
    const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, end - at), at);
    if (bytesRead === 0) throw new Error('it ends early');
    await target.write(buffer, 0, bytesRead, at);
    at += bytesRead;
  }
}
