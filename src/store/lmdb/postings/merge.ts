/** Neighbouring runs → one run, page by page, so that nobody has to wait for it. */
import { BLOCKS_PER_PAGE } from './block.ts';
import { halvesBetween } from './key-parts.ts';
import type { MadePages, PagesToMake } from './make-pages.ts';
import { pagesOf, type Run, type RunDescription } from './run.ts';

/**
 * Runs merged at a time. Fewer are merged more often, which a thread does; more have to be looked into for each key, which
 * deciding waits for. The filter of a large run is in no cache, so that looking into it takes longest.
 */
const FAN_IN = 4;
const FAN_IN_OF_LARGE = 2;
const LARGE = 1_000_000;
/** How much larger than the average of its group a run may be. */
const UNEVEN = 1.5;
/** Past this many, neighbours are merged whatever their sizes. */
const MANY_RUNS = 24;

/**
 * The neighbours to merge next: the smallest group of about equals, so that a posting is moved about as often as its run
 * can become a few times as large. Those that are being merged are left alone.
 */
export function runsToMerge(
  runs: readonly RunDescription[],
  isBusy: (run: RunDescription) => boolean = () => false,
): readonly RunDescription[] {
  let best: readonly RunDescription[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (let first = 0; first < runs.length; first++) {
    const size = runs[first]!.postings >= LARGE ? FAN_IN_OF_LARGE : FAN_IN;
    const group = runs.slice(first, first + size);
    if (group.length < size || group.some(isBusy)) continue;
    const sizes = group.map(({ postings }) => postings);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (runs.length <= MANY_RUNS && Math.max(...sizes) * size > total * UNEVEN) continue;
    if (total < least) [best, least] = [group, total];
  }
  return best;
}

export class Merge {
  readonly inputs: readonly Run[];
  /** Whose postings are dropped. */
  readonly dead: readonly number[];
  readonly #output: RunDescription;
  #page = 0;
  #postings = 0;

  constructor(inputs: readonly Run[], output: RunDescription, dead: readonly number[]) {
    this.inputs = inputs;
    this.dead = dead;
    this.#output = output;
  }

  /** What has come out, once it is done. */
  get output(): RunDescription {
    return { ...this.#output, postings: this.#postings };
  }

  get isDone(): boolean {
    return this.#page === pagesOf(this.#output);
  }

  /** Postings that are still to be moved, about. */
  get left(): number {
    return this.#output.postings * (1 - this.#page / pagesOf(this.#output));
  }

  has({ id }: RunDescription): boolean {
    return this.inputs.some(({ description }) => description.id === id);
  }

  /** Inputs are in order of their entries, so that the numbers of a key stay in order. */
  nextPage(): PagesToMake {
    const page = this.#page;
    const { blocks } = this.#output;
    const { lowest, highest } = halvesBetween(page * BLOCKS_PER_PAGE, (page + 1) * BLOCKS_PER_PAGE, blocks);
    return {
      run: this.#output,
      firstPage: page,
      endPage: page + 1,
      from: this.inputs.flatMap(run => run.storedBlocks(lowest, highest)),
      dead: this.dead,
    };
  }

  pageMade({ postings }: MadePages): void {
    this.#page++;
    this.#postings += postings;
  }
}
