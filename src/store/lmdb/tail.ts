/** Postings that are in no run yet, in memory: one table that grows, and those on their way into a run. */
import { halvesOf } from '../keys.ts';
import { PostingTable } from '../posting-table.ts';

export class Segment {
  /** The number of its first entry. */
  readonly from: number;
  readonly table = new PostingTable();
  readonly dead = new Set<number>();
  entries = 0;

  constructor(from: number) {
    this.from = from;
  }

  add(keys: BigUint64Array, number: number): void {
    this.table.add(keys, number);
    this.entries++;
  }

  find(keys: BigUint64Array, lists: (number[] | undefined)[]): void {
    if (this.table.count === 0) return;
    const halves = halvesOf(keys);
    for (let at = 0; at < keys.length; at++) {
      const list = lists[at] ?? [];
      this.table.find(halves[2 * at + 1]!, halves[2 * at]!, list);
      if (list.length > 0) lists[at] = list;
    }
  }
}
