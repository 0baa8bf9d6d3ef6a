/** The fields that --by and --keep name → those that no document has, which is a mistake in the name. */
import { fieldOf } from '../formats/fields.ts';
import type { Document } from '../model.ts';
import { readOptions } from '../options.ts';
import type { GivenRunOptions } from './run-options.ts';

export function fieldsOf(given: GivenRunOptions): string[] {
  const { by, keep } = readOptions(['by', 'keep'], { by: given.by, keep: given.keep });
  return [...(by === undefined ? [] : [by]), ...('field' in keep ? [keep.field] : [])];
}

export class UnknownFields {
  readonly names: Set<string>;

  constructor(given: GivenRunOptions) {
    this.names = new Set(fieldsOf(given));
  }

  see(document: Document): void {
    for (const name of this.names) if (fieldOf(document, name) !== undefined) this.names.delete(name);
  }
}
