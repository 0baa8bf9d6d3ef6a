/** Prefixes of sets → those sets among them that may be similar to another one, without a look at the rest. */
import { type PlaceBound, resemblanceBound } from '../../../similarity/prefix-bound.ts';
import { wordsColumn } from '../columns.ts';
import type { Prefix } from './rare-first.ts';

/**
 * Under each element stand the sets that have it in their prefix, in groups of one size and one place of the element: what
 * they can share with another set is the same, so a group is passed over as one. Where the bound does not depend on these,
 * there is one group for each element.
 */
export class PrefixIndex {
  /** Element and the number of its first group, side by side; 0 for none. */
  #table = new Uint32Array(2 * 2 ** 12);
  #elements = 0;
  /** Counted from 1. `first`: an entry. */
  readonly groups = { size: column(), left: column(), next: column(), first: column() };
  /** Counted from 1. A group has one list of entries, or several: `tail` and `nextList` are of the first entry of a list. */
  readonly entries = { item: column(), next: column(), tail: column(), nextList: column() };

  readonly #bound: PlaceBound;

  constructor(bound = resemblanceBound) {
    this.#bound = bound;
  }

  /** Behind the other entries of its groups, unless `put` does it another way. */
  add(item: number, { size, elements, left }: Prefix, put = this.append): void {
    const { isOfBoth } = this.#bound;
    for (let i = 0; i < elements.length; i++)
      put(isOfBoth ? this.groupOf(elements[i]!, size, left - i) : this.groupOf(elements[i]!, 0, 0), item);
  }

  readonly append = (group: number, item: number): void => {
    const first = this.groups.first.values[group]!;
    if (first === 0) this.addList(group, item);
    else this.appendTo(first, item);
  };

  /** Puts a list of one entry before the others of the group. */
  addList(group: number, item: number): void {
    const { first } = this.groups;
    const entry = this.#newEntry(item);
    this.entries.nextList.values[entry] = first.values[group]!;
    first.values[group] = entry;
  }

  appendTo(list: number, item: number): void {
    const entry = this.#newEntry(item);
    const { next, tail } = this.entries;
    next.values[tail.values[list]!] = entry;
    tail.values[list] = entry;
  }

  /** Calls `see` with each group whose sets may reach `bound.similarity`, which may rise meanwhile, and the most they can reach. */
  visit(
    { size, elements, left }: Prefix,
    bound: { readonly similarity: number },
    see: (group: number, most: number) => void,
  ): void {
    for (let i = 0; i < elements.length; i++) this.visitElement(elements[i]!, size, left - i, bound, see);
  }

  /** The same for one element, with which so many are left. */
  visitElement(
    element: number,
    size: number,
    left: number,
    bound: { readonly similarity: number },
    see: (group: number, most: number) => void,
  ): void {
    const { groups } = this;
    let group = this.#table[2 * this.#slotOf(element) + 1]!;
    for (; group !== 0; group = groups.next.values[group]!) {
      const most = this.#bound.most(size, left, groups.size.values[group]!, groups.left.values[group]!);
      if (most >= bound.similarity) see(group, most);
    }
  }

  /** The items of a group that has one list, in the order in which they were added. */
  each(group: number, see: (item: number) => void): void {
    const { item, next } = this.entries;
    for (let entry = this.groups.first.values[group]!; entry !== 0; entry = next.values[entry]!)
      see(item.values[entry]!);
  }

  #newEntry(item: number): number {
    const { item: items, next, tail, nextList } = this.entries;
    const entry = items.length;
    items.push(item);
    next.push(0);
    tail.push(entry);
    nextList.push(0);
    return entry;
  }

  /** The group of sets of this size that have the element with so many left; made when there is none. */
  groupOf(element: number, size: number, left: number): number {
    const { groups } = this;
    const at = 2 * this.#slotOf(element) + 1;
    const first = this.#table[at]!;
    for (let group = first; group !== 0; group = groups.next.values[group]!)
      if (groups.size.values[group] === size && groups.left.values[group] === left) return group;
    const group = groups.size.length;
    groups.size.push(size);
    groups.left.push(left);
    groups.next.push(first);
    groups.first.push(0);
    this.#table[at - 1] = element;
    this.#table[at] = group;
    if (first === 0 && ++this.#elements * 4 > this.#table.length) this.#grow();
    return group;
  }

  /** Where the element stands, or would. */
  #slotOf(element: number): number {
    const mask = this.#table.length / 2 - 1;
    // Elements are hashes, but of those of one slot of the counts table the lower bits are alike.
    let slot = (Math.imul(element, 0x9e3779b1) >>> 8) & mask;
    while (this.#table[2 * slot + 1] !== 0 && this.#table[2 * slot] !== element) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const old = this.#table;
    this.#table = new Uint32Array(2 * old.length);
    for (let at = 0; at < old.length; at += 2) {
      if (old[at + 1] === 0) continue;
      const slot = this.#slotOf(old[at]!);
      this.#table[2 * slot] = old[at]!;
      this.#table[2 * slot + 1] = old[at + 1]!;
    }
  }
}

/** Nothing has the number 0. */
function column() {
  const numbers = wordsColumn();
  numbers.push(0);
  return numbers;
}
