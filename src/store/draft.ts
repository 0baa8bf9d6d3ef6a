/** A store, and changes decided on but not yet made → what it will be: each operation of a batch sees those before it. */
import { halvesOf } from '../engine/analyse/key-arrays.ts';
import type { Addition, Change, Numbers, Rewrite, State, Store } from './contract.ts';
import { COMMONS_KEY, CommonElements, NEVER } from './crowds/common-elements.ts';
import { PostingTable } from './posting-table.ts';
import type { FoundBy, ReadEntries } from './read-entries.ts';
import { Entry, type EntryContent, encodeCommons, encodeEntry } from './record.ts';

const noNumbers: Numbers = [];

export class Draft {
  readonly #store: Pick<Store, 'membersOf'>;
  readonly #read: ReadEntries;
  #state: State;
  /** What was read, as it will be; undefined: not there. */
  readonly #entries = new Map<number, Entry | undefined>();
  readonly #members = new Map<number, Set<number>>();
  /** Of what was added; most drafts only check. */
  #postings: PostingTable | undefined;
  readonly #additions = new Map<number, Addition>();
  readonly #removals = new Map<number, number | undefined>();
  readonly #rewrites = new Map<number, Rewrite>();
  /** Named by entries that were added. */
  readonly commons = new CommonElements();

  constructor(store: Pick<Store, 'membersOf'>, state: State, read: ReadEntries) {
    this.#store = store;
    this.#state = state;
    this.#read = read;
  }

  /** What is decided on may only rest on entries that were loaded. */
  async load(numbers: Iterable<number>, by: FoundBy): Promise<void> {
    const missing = [...new Set(numbers)].filter(number => !this.#entries.has(number));
    if (missing.length === 0) return;
    const found = await this.#read(missing, by);
    for (let i = 0; i < missing.length; i++) this.#entries.set(missing[i]!, found[i]);
  }

  /** The entry, and all that are duplicates of it. */
  async loadWithMembers(number: number): Promise<void> {
    const members = await this.#store.membersOf(number);
    this.#members.set(number, new Set(members));
    await this.load([number, ...members], { of: number });
  }

  isLoaded(number: number): boolean {
    return this.#entries.has(number);
  }

  entry(number: number): Entry | undefined {
    return this.#entries.get(number);
  }

  /** Sees the entries that the store found by this key, then those added since: the earlier added first. */
  eachHaving(halves: Uint32Array, place: number, found: Numbers, see: (entry: Entry) => void): void {
    for (const number of found) {
      const entry = this.#entries.get(number);
      if (entry) see(entry);
    }
    for (const number of this.addedWith(halves, place)) {
      const entry = this.#entries.get(number);
      if (entry) see(entry);
    }
  }

  /** Those added since that have this key. */
  addedWith(halves: Uint32Array, place: number): Numbers {
    return this.#postings?.find(halves[2 * place + 1]!, halves[2 * place]!, undefined) ?? noNumbers;
  }

  add(content: EntryContent, keys: BigUint64Array): Entry {
    const number = this.#state.next;
    const bytes = encodeEntry(number, content);
    const entry = Entry.trusted(number, bytes);
    this.#additions.set(number, { number, keys, bytes, of: entry.ofNumber });
    this.#entries.set(number, entry);
    this.#postings ??= new PostingTable(2048);
    this.#postings.add(halvesOf(keys), number);
    if (entry.ofNumber !== undefined) this.#membersOf(entry.ofNumber).add(number);
    this.#count(entry, 1);
    this.#state = { ...this.#state, next: number + 1 };
    return entry;
  }

  get hasCommons(): boolean {
    return this.commons.first !== NEVER;
  }

  /** From now on these are common. */
  addCommons(elements: BigUint64Array): void {
    const number = this.#state.next;
    this.#additions.set(number, { number, keys: COMMONS_KEY, bytes: encodeCommons(number, elements) });
    this.commons.add(elements, number);
    this.#state = { ...this.#state, next: number + 1, commons: this.#state.commons + 1 };
  }

  /** With the verdicts that rest on it; documents that are stored by themselves stay, and stand for themselves. */
  remove(entry: Entry): void {
    for (const number of [...this.#membersOf(entry.number)]) {
      const member = this.#entries.get(number)!;
      if (member.isStored) this.#makeNew(member);
      else this.#removeAlone(member);
    }
    this.#removeAlone(entry);
  }

  /** Other fields of a document whose content is the same. */
  rewrite(entry: Entry, content: EntryContent, noLongerOf?: number): void {
    const { number } = entry;
    const bytes = encodeEntry(number, content);
    const rewritten = Entry.trusted(number, bytes);
    this.#count(entry, -1);
    this.#count(rewritten, 1);
    this.#entries.set(number, rewritten);
    if (noLongerOf !== undefined) this.#membersOf(noLongerOf).delete(number);
    const addition = this.#additions.get(number);
    if (addition) {
      this.#additions.set(number, { ...addition, bytes, of: rewritten.ofNumber });
      return;
    }
    const before = this.#rewrites.get(number)?.noLongerOf;
    this.#rewrites.set(number, { number, bytes, noLongerOf: noLongerOf ?? before });
  }

  /** Undefined when nothing is to be changed. */
  change(): Change | undefined {
    if (this.#additions.size + this.#removals.size + this.#rewrites.size === 0) return undefined;
    return {
      additions: [...this.#additions.values()],
      removals: [...this.#removals].map(([number, of]) => ({ number, of })),
      rewrites: [...this.#rewrites.values()],
      state: this.#state,
    };
  }

  #makeNew(member: Entry): void {
    const { id, content, encoded, ofNumber, commonBits } = member;
    this.rewrite(member, { verdict: { id, status: 'new' }, content, document: encoded, commonBits }, ofNumber);
  }

  #removeAlone(entry: Entry): void {
    const { number, ofNumber } = entry;
    this.#count(entry, -1);
    this.#entries.set(number, undefined);
    this.#members.delete(number);
    if (ofNumber !== undefined) this.#membersOf(ofNumber).delete(number);
    if (this.#additions.delete(number)) return;
    this.#removals.set(number, this.#rewrites.get(number)?.noLongerOf ?? ofNumber);
    this.#rewrites.delete(number);
  }

  #membersOf(number: number): Set<number> {
    const members = this.#members.get(number) ?? new Set();
    this.#members.set(number, members);
    return members;
  }

  #count({ status, isStored }: Entry, by: 1 | -1): void {
    const state = this.#state;
    this.#state = { ...state, [status]: state[status] + by, documents: state.documents + (isStored ? by : 0) };
  }
}
