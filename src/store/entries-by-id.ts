/** An id → the entry that an index has for it, and the document in it. */
import { fail } from '../errors.ts';
import type { Document } from '../model.ts';
import type { Store } from './contract.ts';
import type { Preparer } from './prepare.ts';
import type { ReadEntries } from './read-entries.ts';
import type { Entry } from './record.ts';
import type { SearchQuery } from './search.ts';

export class EntriesById {
  readonly #store: Pick<Store, 'find'>;
  readonly #preparer: Pick<Preparer, 'idKey'>;
  readonly #readEntries: ReadEntries;

  constructor(store: Pick<Store, 'find'>, preparer: Pick<Preparer, 'idKey'>, readEntries: ReadEntries) {
    this.#store = store;
    this.#preparer = preparer;
    this.#readEntries = readEntries;
  }

  async find(given: string | number): Promise<Entry | undefined> {
    const id = String(given);
    const key = this.#preparer.idKey(id);
    const [numbers] = await this.#store.find(key);
    const entries = await this.#readEntries(numbers!, { keys: [key] });
    return entries.find(entry => entry?.id === id);
  }

  /** Fails with `UNKNOWN_ID`, or with `NOT_STORED` where only a verdict is kept. */
  async stored(id: string | number): Promise<Entry> {
    const entry = await this.find(id);
    if (!entry) return fail('UNKNOWN_ID', { id: String(id) });
    const { status, of } = entry.verdict;
    // With the policy `none` a new document is not stored either, and duplicates nothing.
    if (!entry.isStored) fail('NOT_STORED', { id: entry.id, status, ...(of !== undefined && { of }) });
    return entry;
  }

  /** What is to be compared: given as it is, or by the id of a stored document. */
  async contentOf({ id, text, set }: SearchQuery): Promise<Pick<Document, 'text' | 'set'>> {
    if (text !== undefined) return { text };
    if (set !== undefined) return { set: [...set] };
    if (id === undefined) return fail('BAD_DOCUMENT', { reason: 'it has a text, a set or the id of a document' });
    return (await this.stored(id)).document!;
  }
}
