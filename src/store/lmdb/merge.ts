/** Neighbouring runs → one run, a little at a time, so that nobody has to wait for it. */
import type { columnsOf } from './block.ts';
import type { Run, RunDescription } from './run.ts';
import { type PutPart, RunBuilder } from './run-builder.ts';

/** Runs merged at a time: fewer would be merged more often, more would have to be looked into for each key. */
const FAN_IN = 4;
/** Past this many, neighbours are merged whatever their sizes. */
const MOST_RUNS = 24;
/** How much larger than the average of its group a run may be. */
const UNEVEN = 1.5;

/**
 * The neighbours to merge next: the smallest group of about equals, so that a posting is moved about as often as its run
 * can be quadrupled.
 */
export function runsToMerge(runs: readonly RunDescription[]): readonly RunDescription[] {
  let best: readonly RunDescription[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (let first = 0; first + FAN_IN <= runs.length; first++) {
    const group = runs.slice(first, first + FAN_IN);
    const sizes = group.map(({ postings }) => postings);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (runs.length <= MOST_RUNS && Math.max(...sizes) * FAN_IN > total * UNEVEN) continue;
    if (total < least) [best, least] = [group, total];
  }
  return best;
}

export class Merge {
  readonly inputs: readonly Run[];
  /** The number of the run that is being made. */
  readonly output: number;
  readonly dead: ReadonlySet<number>;
  readonly #builder: RunBuilder;
  readonly #cursors: Cursor[];

  constructor(inputs: readonly Run[], output: RunDescription, dead: ReadonlySet<number>, put: PutPart) {
    this.inputs = inputs;
    this.#builder = new RunBuilder(output, put);
    this.output = output.id;
    this.dead = dead;
    this.#cursors = inputs.map(run => new Cursor(run)).filter(({ done }) => !done);
  }

  /** Moves about this many postings; returns what came out when there are no more. */
  step(postings: number): RunDescription | undefined {
    for (let moved = 0; moved < postings; moved++) {
      const cursor = this.#smallest();
      if (!cursor) return this.#builder.finish();
      if (!this.dead.has(cursor.number)) this.#builder.push(cursor.high, cursor.low, cursor.number);
      cursor.next();
      if (cursor.done) this.#cursors.splice(this.#cursors.indexOf(cursor), 1);
    }
    return undefined;
  }

  /** Numbers of earlier runs are smaller, so that of equal keys the first cursor goes first. */
  #smallest(): Cursor | undefined {
    let smallest = this.#cursors[0];
    for (let i = 1; i < this.#cursors.length; i++) {
      const cursor = this.#cursors[i]!;
      if (cursor.high < smallest!.high || (cursor.high === smallest!.high && cursor.low < smallest!.low))
        smallest = cursor;
    }
    return smallest;
  }
}

class Cursor {
  done = false;
  high = 0;
  low = 0;
  number = 0;
  readonly #run: Run;
  #block = -1;
  #at = 0;
  #columns: ReturnType<typeof columnsOf> | undefined;

  constructor(run: Run) {
    this.#run = run;
    this.next();
  }

  next(): void {
    while (!this.#columns || this.#at === this.#columns.count) {
      if (++this.#block >= this.#run.description.blocks) {
        this.done = true;
        return;
      }
      this.#columns = copied(this.#run.block(this.#block));
      this.#at = 0;
    }
    this.high = this.#columns.high[this.#at]!;
    this.low = this.#columns.low[this.#at]!;
    this.number = this.#columns.number[this.#at]!;
    this.#at++;
  }
}

/** What LMDB gives out is overwritten by the next read. */
function copied(columns: ReturnType<typeof columnsOf> | undefined): typeof columns {
  if (!columns) return undefined;
  const { count, high, low, number } = columns;
  return { count, high: high.slice(), low: low.slice(), number: number.slice() };
}
