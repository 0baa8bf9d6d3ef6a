/** An element of a Parquet schema → what its values are, in words: `timestamp[ns, UTC]`. Two ways to write one type give the same. */
import { ELEMENT, leavesOf, numberAt, type SchemaNode, structAt } from './footer.ts';
import type { Struct } from './thrift.ts';

const physical = ['boolean', 'int32', 'int64', 'int96', 'float', 'double', 'binary', 'fixed'] as const;
const [INT96, FIXED] = [3, 7];

/** By the number in the union of logical types; those with parameters are below. */
const logical: Readonly<Record<number, string>> = {
  1: 'string',
  2: 'map',
  3: 'list',
  4: 'enum',
  6: 'date',
  11: 'null',
  12: 'json',
  13: 'bson',
  14: 'uuid',
  15: 'float16',
  16: 'variant',
  17: 'geometry',
  18: 'geography',
};
const [DECIMAL, TIME, TIMESTAMP, INTEGER, UUID] = [5, 7, 8, 10, 14];

/** What came before logical types. Its times are in UTC. */
const converted = (
  'string map map-entry list enum decimal date time[ms,UTC] time[us,UTC] timestamp[ms,UTC] timestamp[us,UTC] ' +
  'uint8 uint16 uint32 uint64 int8 int16 int32 int64 json bson interval'
)
  .split(' ')
  .map(name => name.replace(',', ', '));

export function kindOf(element: Struct): string {
  const type = element.has(ELEMENT.type) ? physical[numberAt(element, ELEMENT.type)!] : 'group';
  if (type === undefined) return 'unknown';
  return (
    logicalKind(structAt(element, ELEMENT.logical)) ??
    convertedKind(element) ??
    (type === 'fixed' ? `fixed(${numberAt(element, ELEMENT.length)})` : type)
  );
}

/** Of all its leaves, in order: a list is a list whatever its inner groups are called. */
export function kindsOf(column: SchemaNode): string {
  const kinds = leavesOf(column).map(({ element }) => kindOf(element));
  return column.children.length === 0 ? kinds[0]! : `${kindOf(column.element)} of ${kinds.join(', ')}`;
}

/** Whether DuckDB reads values in another unit or type than they are stored in. Decimals have at most 38 digits there. */
export function isChangedByDuckDb({ element }: SchemaNode): boolean {
  const kind = kindOf(element);
  return /^(timestamp\[(ms|ns, UTC)|time\[(ms|us, UTC|ns)|fixed\(16\)$|json$)/.test(kind) || digitsOf(kind) > 38;
}

function digitsOf(kind: string): number {
  return Number(/^decimal\((\d+)/.exec(kind)?.[1] ?? 0);
}

/** Whether DuckDB, when it reads such values, loses digits or fails on some: then they are read as they are stored. */
export function isCutByDuckDb(kind: string): boolean {
  return /^(timestamp\[(ms|ns, UTC)|time\[ns|int96$|json$)/.test(kind) || digitsOf(kind) > 38;
}

/** As numbers and bytes. DuckDB knows no other meaning of an INT96 than a timestamp, so those become 12 bytes. */
export function asPlain({ element }: SchemaNode): SchemaNode {
  const plain = new Map(element);
  for (const field of [ELEMENT.converted, ELEMENT.scale, ELEMENT.precision, ELEMENT.logical]) plain.delete(field);
  if (numberAt(element, ELEMENT.type) === INT96) {
    plain.set(ELEMENT.type, { type: 'i32', value: BigInt(FIXED) }).set(ELEMENT.length, { type: 'i32', value: 12n });
  }
  return { element: plain, children: [] };
}

/** As DuckDB writes them back in the same layout: numbers, bytes, and 16 bytes as a UUID. */
export function asStored({ element }: SchemaNode): SchemaNode {
  const plain = new Map(asPlain({ element, children: [] }).element);
  const isUuid = numberAt(element, ELEMENT.type) === FIXED && numberAt(element, ELEMENT.length) === 16;
  if (isUuid) {
    const uuid = new Map([[UUID, { type: 'struct', fields: new Map() } as const]]);
    plain.set(ELEMENT.logical, { type: 'struct', fields: uuid });
  }
  return { element: plain, children: [] };
}

function logicalKind(union: Struct): string | undefined {
  const [id] = union.keys();
  if (id === undefined) return undefined;
  const type = structAt(union, id);
  if (id === DECIMAL) return `decimal(${numberAt(type, 2)}, ${numberAt(type, 1)})`;
  if (id === INTEGER) return `${isTrue(type, 2) ? 'int' : 'uint'}${numberAt(type, 1)}`;
  if (id !== TIME && id !== TIMESTAMP) return logical[id] ?? `logical type ${id}`;
  const [unit] = structAt(type, 2).keys();
  return `${id === TIME ? 'time' : 'timestamp'}[${['ms', 'us', 'ns'][unit! - 1]}${isTrue(type, 1) ? ', UTC' : ''}]`;
}

function convertedKind(element: Struct): string | undefined {
  const id = numberAt(element, ELEMENT.converted);
  if (id === undefined) return undefined;
  const name = converted[id];
  if (name !== 'decimal') return name;
  return `decimal(${numberAt(element, ELEMENT.precision)}, ${numberAt(element, ELEMENT.scale) ?? 0})`;
}

function isTrue(struct: Struct, field: number): boolean {
  const value = struct.get(field);
  return value?.type === 'boolean' && value.value;
}
