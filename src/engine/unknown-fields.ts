/** The fields that --by and --keep name → those that no document has, which are misspelt. */
import { fieldOf } from '../formats/fields.ts';
import type { Document } from '../model.ts';
import type { RunOptions } from './run-options.ts';

export function fieldsOf({ by, keep }: Pick<RunOptions, 'by' | 'keep'>): string[] {
  return [...(by === undefined ? [] : [by]), ...('field' in keep ? [keep.field] : [])];
}

export class UnknownFields {
  readonly names: Set<string>;

  constructor(fields: Iterable<string>) {
    this.names = new Set(fields);
  }

  see(document: Document): void {
    for (const name of this.names) if (fieldOf(document, name) !== undefined) this.names.delete(name);
  }
}
