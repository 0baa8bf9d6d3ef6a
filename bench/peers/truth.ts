/** Exact pairs as neardup found them → what a second program, which shares no code with it, says of them. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { linesOf } from './results.ts';
import { runners, THRESHOLD } from './tools.ts';

export interface TruePair {
  readonly a: string;
  readonly b: string;
  readonly resemblance: number;
}

export interface Agreement {
  /** How many documents, from the start of the corpus, the second program compared. */
  readonly documents: number;
  /** How many pairs it found among them. */
  readonly pairs: number;
  /** Pairs that only one of the two has, or that have another resemblance in it. */
  readonly differences: number;
}

export function readTruth(out: string): TruePair[] {
  return linesOf(join(out, 'pairs.jsonl')).map(line => JSON.parse(line));
}

export function checkTruth(
  truth: readonly TruePair[],
  corpus: string,
  documents: number,
  python: string,
  folder: string,
): Agreement {
  const out = join(folder, 'check.tsv');
  const script = join(runners, 'exact_pairs.py');
  execFileSync(python, ['-B', script, corpus, String(THRESHOLD), String(documents), out]);
  const isCompared = (id: string) => Number(id.slice('d'.length)) < documents;
  const ours = truth
    .filter(({ a, b }) => isCompared(a) && isCompared(b))
    .map(({ a, b, resemblance }) => [a, b, resemblance].join());
  const theirs = linesOf(out).map(line => {
    const [a, b, resemblance] = line.split('\t');
    return [a, b, Number(resemblance)].join();
  });
  return { documents, pairs: theirs.length, differences: countMissing(ours, theirs) + countMissing(theirs, ours) };
}

/** How many of the one list are not in the other. */
function countMissing(items: readonly string[], others: readonly string[]): number {
  const known = new Set(others);
  return items.filter(item => !known.has(item)).length;
}
