/** The options of a run → how texts of few shingles are found: by the smallest of these, of which two texts that reach the threshold share one. */
import { cannotReach } from '../../similarity/measures.ts';
import { prefixLength } from '../../similarity/prefix-bound.ts';
import type { RunOptions } from '../run-options.ts';

export interface ShortTexts {
  /** Texts of fewer distinct shingles are short; the kernel has room for 64. */
  readonly below: number;
  /** From so many shingles on a text may resemble one that is not short, and has keys of bands as well. */
  readonly bandsFrom: number;
  /** How many of its smallest shingles a short text is found by, for each number of shingles. */
  readonly prefixes: Uint8Array;
}

const SHORT = 40;
/** Single words, and pairs of them, are in too many texts to find one by. */
const FEWEST_WORDS = 3;

/** Undefined where shared shingles do not tell who may be alike, and where the kernel does not read the text as it is. */
export function shortTextsOf(options: RunOptions): ShortTexts | undefined {
  const { measure, verify, threshold, shingle, sketch, normalise, resolvedLsh } = options;
  const isKnown =
    measure === 'resemblance' && verify === 'exact' && threshold > 0 && resolvedLsh && sketch.kind === 'minhash';
  const isTelling = shingle.unit === 'word' && shingle.size >= FEWEST_WORDS;
  if (!isKnown || !isTelling || normalise.some(step => step !== 'keep-case')) return undefined;
  let bandsFrom = 0;
  while (cannotReach(bandsFrom, SHORT, threshold)) bandsFrom++;
  return {
    below: SHORT,
    bandsFrom,
    prefixes: Uint8Array.from({ length: SHORT }, (_, n) => prefixLength(n, threshold)),
  };
}
