/** Options → whether giant components can be taken apart, and what is one. */
import type { RunOptions } from '../run-options.ts';

/** A component of more documents is giant. Tests set it to 0, so that every component is. */
const GIANT = Number(process.env.NEARDUP_GIANT ?? 10_000);

/** Elements of a set are about as many as its words. */
export const BYTES_PER_ELEMENT = 6;

export function giantSize(given?: number): number {
  return given ?? GIANT;
}

/** Whether the threshold is on the resemblance of sets: only then can their rare elements tell which of them may reach it. */
export function canDissolve({ measure, verify, threshold }: RunOptions): boolean {
  return measure === 'resemblance' && verify === 'exact' && threshold > 0;
}
