/** Postings that are in no run yet, in memory: one table that grows, and those on their way into a run. */
import { limitOf } from '../../keys.ts';
import { PostingTable } from '../../posting-table.ts';

export class Segment {
  /** The number of its first entry. */
  readonly from: number;
  readonly table: PostingTable;
  /** Removed while it grew. */
  readonly dead = new Set<number>();
  entries = 0;

  constructor(from: number, room?: number) {
    this.from = from;
    this.table = new PostingTable(room);
  }

  /** An empty one that begins where this one ends, and will be about as large. */
  next(from: number): Segment {
    return new Segment(from, 2 ** Math.ceil(Math.log2(this.table.count + 1024)));
  }

  add(halves: Uint32Array, number: number): void {
    this.table.add(halves, number);
    this.entries++;
  }

  find(halves: Uint32Array, lists: (number[] | undefined)[]): void {
    if (this.table.count === 0) return;
    for (let at = 0; at < lists.length; at++) {
      // What runs have of an element that very many share is enough, and its chain here is long.
      if ((lists[at]?.length ?? 0) >= limitOf(halves[2 * at]!)) continue;
      lists[at] = this.table.find(halves[2 * at + 1]!, halves[2 * at]!, lists[at]);
    }
  }
}
