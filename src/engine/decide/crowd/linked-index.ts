/** Prefixes of sets, one after another → links between those that are alike. */
import type { UnionFind } from '../../../cluster/union-find.ts';
import type { Look, Looks } from './looks.ts';
import { PrefixIndex } from './prefix-index.ts';

/** Lists of a group that are looked through for the one an item belongs to: where there are more, it begins another. */
const LOOKED_AT = 8;

/** The lists of a group are parts: items that are linked. An item is compared with the parts it is not linked to, until one member is alike. */
export class LinkedIndex {
  readonly #looks: readonly { readonly look: Look; readonly index: PrefixIndex }[];
  readonly #linked: UnionFind;
  readonly #threshold: number;
  readonly #areAlike: (a: number, b: number) => boolean;
  readonly #comparedWith: Int32Array;

  /** `comparedWith`: the last item each was compared with. Two may share many elements: if not alike once, they are not compared again. */
  constructor(
    looks: Looks,
    linked: UnionFind,
    threshold: number,
    areAlike: (a: number, b: number) => boolean,
    comparedWith: Int32Array,
  ) {
    this.#comparedWith = comparedWith;
    this.#looks = looks.map(look => ({ look, index: new PrefixIndex(look.bound) }));
    this.#linked = linked;
    this.#threshold = threshold;
    this.#areAlike = areAlike;
  }

  link(item: number): void {
    for (const { look, index } of this.#looks)
      index.visit(look.seek(item), { similarity: this.#threshold }, group => this.#linkWith(index, group, item));
  }

  add(item: number): void {
    for (const { look, index } of this.#looks)
      index.add(item, look.put(item), (group, added) => this.#put(index, group, added));
  }

  #linkWith(index: PrefixIndex, group: number, item: number): void {
    const { first } = index.groups;
    const { nextList, next, tail } = index.entries;
    let home = 0;
    let before = 0;
    for (let list = first.values[group]!; list !== 0; list = nextList.values[list]!) {
      if (!this.#isLinked(index, list, item) && !this.#hasAlike(index, list, item)) {
        before = list;
        continue;
      }
      this.#linked.union(itemOf(index, list), item);
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

  #hasAlike(index: PrefixIndex, list: number, item: number): boolean {
    const { next } = index.entries;
    for (let entry = list; entry !== 0; entry = next.values[entry]!) {
      const member = itemOf(index, entry);
      if (this.#comparedWith[member] === item) continue;
      this.#comparedWith[member] = item;
      if (this.#areAlike(member, item)) return true;
    }
    return false;
  }

  #put(index: PrefixIndex, group: number, item: number): void {
    const { nextList } = index.entries;
    let list = index.groups.first.values[group]!;
    for (let looked = 0; list !== 0 && !this.#isLinked(index, list, item); looked++)
      list = looked < LOOKED_AT ? nextList.values[list]! : 0;
    if (list === 0) index.addList(group, item);
    else index.appendTo(list, item);
  }

  #isLinked(index: PrefixIndex, list: number, item: number): boolean {
    return this.#linked.find(itemOf(index, list)) === this.#linked.find(item);
  }
}

function itemOf(index: PrefixIndex, entry: number): number {
  return index.entries.item.values[entry]!;
}
