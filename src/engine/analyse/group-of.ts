/** A document and --by → its group, as a text that is equal for equal values. */

import { fieldOf } from '../../formats/fields.ts';
import { encodeJson } from '../../formats/json/encode-json.ts';
import type { Document } from '../../model.ts';

/** Undefined for documents without the field and for those where it is null: they are one group. */
export function groupOf(document: Document, by: string | undefined): string | undefined {
  const value = by === undefined ? undefined : fieldOf(document, by);
  return value === undefined || value === null ? undefined : encodeJson(sorted(value));
}

/** Objects are equal when they have the same members, in any order. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
