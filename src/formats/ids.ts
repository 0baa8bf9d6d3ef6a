/** Documents as they are read → documents of which no two have the same id of their own: ids never cost a document. */
import type { DocumentItem, Source } from './item.ts';
import { type Format, isOneDocument } from './name.ts';

/** `file:line`, or the path alone where the file is one document. */
export function locationOf({ file, line }: Source, format: Format): string {
  return isOneDocument(format) ? file : `${file}:${line}`;
}

/** A JavaScript Set holds 16.7 million entries at most. */
const IDS_IN_A_SET = 2 ** 23;

export class SeenIds {
  #sets: Set<string>[] = [new Set()];

  /** False when the id was there before. */
  add(id: string): boolean {
    if (this.#sets.some(set => set.has(id))) return false;
    if (this.#sets.at(-1)!.size === IDS_IN_A_SET) this.#sets.push(new Set());
    this.#sets.at(-1)!.add(id);
    return true;
  }
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
