/** Decisions about ids → the same about items of a run: those that hold here, who is kept before whom, and what was left out. */
import type { Decision } from '../../decisions/decision.ts';
import { DecisionBook } from '../../decisions/decision-book.ts';
import { wordsColumn } from './columns.ts';
import type { DecidedPairs } from './verdicts.ts';

/** Lines of a log in their order, or a book that has read one. */
export type GivenDecisions = Iterable<Decision> | DecisionBook;

/** What became of the decisions that a run was given. */
export interface DecisionCounts {
  /** Pairs called same or different that the run went by. */
  readonly applied: number;
  /** Lines that were ignored because a text is another now. */
  readonly stale: number;
  /** Pairs that were ignored because the run has no document of one of the ids. */
  readonly unknown: number;
  /** Pairs that were ignored because this run does not compare the two: `by` has them in different groups, or one is a set. */
  readonly apart: number;
}

export interface SettledDecisions extends DecidedPairs {
  /** Of pairs called same: who stays, and who goes; two entries a pair. */
  readonly preferred: Uint32Array;
  readonly counts: DecisionCounts;
}

/** What a run knows of the documents that decisions name. */
export interface NamedDocuments {
  readonly itemOf: ReadonlyMap<string, number>;
  /** As a log has it. */
  contentOf(item: number): string;
  /** Whether the run compares the two at all. */
  areComparable(a: number, b: number): boolean;
}

export function bookOf(given: GivenDecisions): DecisionBook {
  return given instanceof DecisionBook ? given : DecisionBook.of(given);
}

/** An id is that of a document of the inputs; where they have none, of the reference set, whose items come first. */
export function itemsNamed(book: DecisionBook, names: Iterable<string>): Map<string, number> {
  const wanted = new Set(book.ids());
  const itemOf = new Map<string, number>();
  let item = 0;
  for (const name of names) {
    if (wanted.has(name)) itemOf.set(name, item);
    item++;
  }
  return itemOf;
}

export function settleDecisions(
  book: DecisionBook,
  { itemOf, contentOf, areComparable }: NamedDocuments,
): SettledDecisions {
  const columns = { same: wordsColumn(), different: wordsColumn() };
  const preferred = wordsColumn();
  const { decisions, stale } = book.settle(id => {
    const item = itemOf.get(id);
    return item === undefined ? undefined : contentOf(item);
  });
  let [applied, unknown, apart] = [0, 0, 0];
  for (const { a: idA, b: idB, verdict, keep } of decisions) {
    const [a, b] = [itemOf.get(idA), itemOf.get(idB)];
    if (a === undefined || b === undefined) unknown++;
    else if (!areComparable(a, b)) apart++;
    else {
      applied++;
      columns[verdict as 'same' | 'different'].append([a, b]);
      if (keep !== undefined) preferred.append(keep === idA ? [a, b] : [b, a]);
    }
  }
  return {
    same: columns.same.used(),
    different: columns.different.used(),
    preferred: preferred.used(),
    counts: { applied, stale, unknown, apart },
  };
}
