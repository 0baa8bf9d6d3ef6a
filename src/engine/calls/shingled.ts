/** A document → its words, shingles and their hashes, side by side: the steps before the sketch, for people to see. */

import { fail } from '../../errors.ts';
import { elementText } from '../../kernel/element-text.ts';
import type { GivenDocument } from '../../model.ts';
import { shingleHashesOf, shingleTexts } from '../../shingle/shingles.ts';
import { elementsOf } from '../analyse/elements.ts';
import type { Sketcher } from '../sketcher.ts';

export interface Shingled {
  /** Empty for sets. */
  readonly words: readonly string[];
  /** Distinct, in order of first appearance; of a set, its elements. */
  readonly shingles: readonly string[];
  /** Of the shingle with the same number. */
  readonly hashes: BigUint64Array;
}

export interface ShingleChoice {
  /** Each word (or code point) in one shingle only. */
  readonly nonOverlapping?: boolean;
  /** Only shingles whose hash is 0 modulo this. */
  readonly keepMod?: number;
}

/**
 * A document → its words, its distinct shingles and their hashes.
 *
 * @example
 * ```ts
 * const sketcher = await createSketcher({ shingle: 'word:2' });
 * shinglesOf(sketcher, { text: 'A rose is a rose' }).shingles; // → [ 'a rose', 'rose is', 'is a' ]
 * ```
 */
export function shinglesOf(
  sketcher: Sketcher,
  document: Pick<GivenDocument, 'text' | 'set'>,
  { nonOverlapping = false, keepMod = 1 }: ShingleChoice = {},
): Shingled {
  const { words, shingles, hashes } =
    typeof document.text === 'string'
      ? ofText(sketcher, document.text, !nonOverlapping)
      : ofSet(sketcher, elementsOf(document.set) ?? []);
  const isKept = (_: unknown, at: number) => hashes[at]! % BigInt(keepMod) === 0n;
  return { words, shingles: shingles.filter(isKept), hashes: hashes.filter(isKept) };
}

function ofText({ options, kernel, normalise, words: split }: Sketcher, text: string, overlapping: boolean): Shingled {
  const words = split(text);
  const shingles = shingleTexts(words, options.shingle, overlapping);
  const hashes = shingleHashesOf(kernel.shingleHashes(normalise(text)), options.shingle, overlapping);
  if (shingles.length !== hashes.length)
    fail('BAD_DOCUMENT', { reason: `two of its ${shingles.length} shingles have the same 64-bit hash` });
  return { words, shingles, hashes };
}

function ofSet({ kernel }: Sketcher, set: readonly (string | number)[]): Shingled {
  const shingles = [...new Set(set.map(elementText))];
  return { words: [], shingles, hashes: BigUint64Array.from(shingles, element => kernel.elementSet([element])[0]!) };
}
