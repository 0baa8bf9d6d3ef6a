/** Values of a column → the one type that holds them all, for Parquet. */

export type ColumnType =
  | { readonly kind: 'null' | 'boolean' | 'integer' | 'number' | 'text' | 'json' }
  | { readonly kind: 'list'; readonly of: ColumnType }
  | { readonly kind: 'struct'; readonly fields: ReadonlyMap<string, ColumnType> };

export function typeOf(value: unknown): ColumnType {
  if (value === null || value === undefined) return { kind: 'null' };
  if (typeof value === 'boolean') return { kind: 'boolean' };
  if (typeof value === 'bigint') return fits64Bits(value) ? { kind: 'integer' } : { kind: 'json' };
  if (typeof value === 'number') return { kind: Number.isSafeInteger(value) ? 'integer' : 'number' };
  if (typeof value !== 'object' || 'toJSON' in value) return { kind: 'text' };
  if (Array.isArray(value)) return { kind: 'list', of: value.map(typeOf).reduce(unite, { kind: 'null' }) };
  return { kind: 'struct', fields: new Map(Object.entries(value).map(([name, field]) => [name, typeOf(field)])) };
}

/** Types that do not go together become JSON text, which holds anything. */
export function unite(a: ColumnType, b: ColumnType): ColumnType {
  if (a.kind === 'null') return b;
  if (b.kind === 'null') return a;
  if (a.kind === 'list' && b.kind === 'list') return { kind: 'list', of: unite(a.of, b.of) };
  if (a.kind === 'struct' && b.kind === 'struct') {
    const fields = new Map(a.fields);
    for (const [name, type] of b.fields) fields.set(name, unite(fields.get(name) ?? { kind: 'null' }, type));
    return { kind: 'struct', fields };
  }
  if (a.kind === b.kind) return a;
  const areNumbers = [a, b].every(({ kind }) => kind === 'integer' || kind === 'number');
  return { kind: areNumbers ? 'number' : 'json' };
}

function fits64Bits(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}
