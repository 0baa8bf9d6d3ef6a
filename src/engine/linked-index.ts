/** Prefixes of sets, one after another → links between those that are alike. */
import type { UnionFind } from '../cluster/union-find.ts';
import { PrefixIndex } from './prefix-index.ts';
import type { Prefix } from './rare-first.ts';

/** Lists of a group that are looked through for the one an item belongs to: where there are more, it begins another. */
const LOOKED_AT = 8;

/** The lists of a group are parts: items that are linked. An item is compared with the parts it is not linked to, until one member is alike. */
export class LinkedIndex {
  readonly #index = new PrefixIndex();
  readonly #linked: UnionFind;

  constructor(linked: UnionFind) {
    this.#linked = linked;
  }

  add(item: number, prefix: Prefix, threshold: number, areAlike: (a: number, b: number) => boolean): void {
    this.#index.visit(prefix, { similarity: threshold }, group => this.#linkWith(group, item, areAlike));
    this.#index.add(item, prefix, (group, added) => this.#put(group, added));
  }

  #linkWith(group: number, item: number, areAlike: (a: number, b: number) => boolean): void {
    const { first } = this.#index.groups;
    const { nextList, next, tail } = this.#index.entries;
    let home = 0;
    let before = 0;
    for (let list = first.values[group]!; list !== 0; list = nextList.values[list]!) {
      if (!this.#isLinked(list, item) && !this.#hasAlike(list, item, areAlike)) {
        before = list;
        continue;
      }
      this.#linked.union(this.#itemOf(list), item);
      if (home === 0) {
        home = list;
        before = list;
        continue;
      }
      // All of this list goes to the end of the first one that is linked.
      next.values[tail.values[home]!] = list;
      tail.values[home] = tail.values[list]!;
      nextList.values[before] = nextList.values[list]!;
    }
  }

  #hasAlike(list: number, item: number, areAlike: (a: number, b: number) => boolean): boolean {
    const { next } = this.#index.entries;
    for (let entry = list; entry !== 0; entry = next.values[entry]!)
      if (areAlike(this.#itemOf(entry), item)) return true;
    return false;
  }

  #put(group: number, item: number): void {
    const { nextList } = this.#index.entries;
    let list = this.#index.groups.first.values[group]!;
    for (let looked = 0; list !== 0 && !this.#isLinked(list, item); looked++)
      list = looked < LOOKED_AT ? nextList.values[list]! : 0;
    if (list === 0) this.#index.addList(group, item);
    else this.#index.appendTo(list, item);
  }

  #isLinked(list: number, item: number): boolean {
    return this.#linked.find(this.#itemOf(list)) === this.#linked.find(item);
  }

  #itemOf(entry: number): number {
    return this.#index.entries.item.values[entry]!;
  }
}
