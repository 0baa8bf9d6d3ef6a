/** Text → its words, with where each one stands. The plain TypeScript reading of the word rule; the kernel has a fast one. */
import { kindOf, lowercaseOf, SEPARATOR, SOLO } from './unicode.ts';

export interface Word {
  /** Lowercased, unless case is kept. */
  readonly word: string;
  /** Half-open range of UTF-16 offsets in the text. */
  readonly start: number;
  readonly end: number;
}

/**
 * A text → its words, lowercased unless `keepCase`, with their places in the text.
 *
 * @example
 * ```ts
 * splitWords('Fish & chips').map(({ word }) => word); // → [ 'fish', 'chips' ]
 * ```
 */
export function splitWords(text: string, keepCase = false): Word[] {
  const words: Word[] = [];
  let letters = '';
  let start = 0;
  const close = (end: number) => {
    if (letters !== '') words.push({ word: letters, start, end });
    letters = '';
  };
  for (let at = 0; at < text.length; ) {
    const codePoint = text.codePointAt(at)!;
    const kind = kindOf(codePoint);
    const next = at + (codePoint > 0xffff ? 2 : 1);
    if (kind === SEPARATOR || kind === SOLO) close(at);
    if (kind !== SEPARATOR) {
      if (letters === '') start = at;
      letters += String.fromCodePoint(keepCase ? codePoint : lowercaseOf(codePoint));
    }
    if (kind === SOLO) close(next);
    at = next;
  }
  close(text.length);
  return words;
}
