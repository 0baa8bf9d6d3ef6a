/** Values → JSON text; JSON text of an object and more fields → the text with them in it. */
import type { Fields } from './item.ts';

/** As JSON.stringify, but a whole number that JavaScript holds as a bigint keeps its digits. */
export function encodeJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(encodeJson).join(',')}]`;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${encodeJson(field)}`).join(',')}}`;
}

/** Adds at the end without parsing, so that everything else stays as it was written. */
export function addFields(object: Uint8Array, added: Fields): Uint8Array {
  const bytes = Buffer.from(object.buffer, object.byteOffset, object.length);
  const end = bytes.lastIndexOf('}');
  const isEmpty = /\{\s*$/.test(bytes.toString('latin1', 0, end));
  const inner = `${isEmpty ? '' : ','}${encodeJson(added).slice(1, -1)}`;
  return Buffer.concat([bytes.subarray(0, end), Buffer.from(inner), bytes.subarray(end)]);
}
