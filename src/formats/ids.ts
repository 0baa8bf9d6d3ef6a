/** Documents as they are read → documents of which no two have the same id of their own: ids never cost a document. */
import type { DocumentItem, Source } from './item.ts';
import { type Format, formats } from './registry.ts';
import { SeenIds } from './seen-ids.ts';

/** `file:line`, or the path alone where the file is one document. */
export function locationOf({ file, line }: Source, format: Format): string {
  return formats[format].isOneDocument ? file : `${file}:${line}`;
}

/** The first document with an id keeps it; later ones are named by their location. */
export class RepeatedIds {
  /** Documents whose id came before. */
  count = 0;
  readonly #seen = new SeenIds();

  rename<Item extends DocumentItem>(item: Item): Item {
    if (item.isUnnamed || this.#seen.add(item.document.id)) return item;
    this.count++;
    return { ...item, document: { ...item.document, id: locationOf(item.source, item.format) } };
  }
}
