/** A text with its shared passages and differences → a column of HTML with both marked, long stretches folded. */
import type { Difference, TextRange } from '../similarity/differences.ts';
import { type Html, html } from './html.ts';
import { withCommas } from './with-commas.ts';

export type Side = 'a' | 'b';

/** A passage as one side has it. Numbers begin at 1 and are the same on both sides. */
export interface MarkedRange {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

interface ColumnSettings {
  readonly side: Side;
  /** What only this side has, in order and apart from each other. */
  readonly differences?: readonly TextRange[] | undefined;
  /** Before the ids of passages, where a page has several pairs of columns. */
  readonly prefix?: string;
  /** Characters that may stand in folds: two texts of 64 MB must not make a page of 128 MB. */
  readonly foldedCharacters?: number;
  /** One of many on the page: less is shown of long stretches. */
  readonly isTight?: boolean;
}

/** Characters shown at each end of a stretch too long to show, and the length from which it is. */
const wide = { unmatched: { ends: 500, fold: 1600 }, matched: { ends: 1200, fold: 5000 } };
const tight = { unmatched: { ends: 300, fold: 900 }, matched: { ends: 120, fold: 400 } };

export const colourOf = (number: number) => `c${(number - 1) % 8}`;

export function columnText(text: string, ranges: readonly MarkedRange[], settings: ColumnSettings): Html {
  if (text.trim() === '') return html`<p class="empty">There is no text.</p>`;
  const column = createColumn(text, settings);
  const pieces: Html[] = [];
  let at = 0;
  for (const { start, end, numbers } of withoutOverlaps(ranges)) {
    pieces.push(column.unmatched(at, start), column.matched(start, end, numbers));
    at = end;
  }
  pieces.push(column.unmatched(at, text.length));
  return html`${pieces}`;
}

/** What one side has of the differences, in order; empty ranges are left out. */
export function rangesOf(differences: readonly Difference[], side: Side): TextRange[] {
  const ranges = differences.map(({ [side]: range }) => range).filter(([start, end]) => end > start);
  return ranges.sort((x, y) => x[0] - y[0]);
}

interface Segment {
  readonly start: number;
  readonly end: number;
  readonly numbers: number[];
}

/** Where passages overlap (b, when a says twice what b says once), the first keeps the text and the second its number. */
function withoutOverlaps(ranges: readonly MarkedRange[]): Segment[] {
  const segments: Segment[] = [];
  for (const { number, start, end } of [...ranges].sort((x, y) => x.start - y.start || y.end - x.end)) {
    const last = segments.at(-1);
    if (last && end <= last.end) last.numbers.push(number);
    else segments.push({ start: Math.max(start, last?.end ?? 0), end, numbers: [number] });
  }
  return segments;
}

type Show = (start: number, end: number) => Html;

/** Pieces are asked for from left to right, so that each difference is looked at once. */
function createColumn(
  text: string,
  { side, differences = [], prefix = '', foldedCharacters = 500_000, isTight = false }: ColumnSettings,
) {
  const { unmatched, matched } = isTight ? tight : wide;
  let left = foldedCharacters;
  let next = 0;

  const plain: Show = (start, end) => {
    const parts: Html[] = [];
    let at = start;
    while (next < differences.length && differences[next]![1] <= start) next++;
    for (let other = next; other < differences.length && differences[other]![0] < end; other++) {
      const [from, to] = differences[other]!;
      const marked = text.slice(Math.max(from, at), Math.min(to, end));
      parts.push(html`${text.slice(at, Math.max(from, at))}<b class="other">${marked}</b>`);
      at = Math.min(to, end);
    }
    return html`${parts}${text.slice(at, end)}`;
  };

  /** Folded text can be opened without a script; past the budget only its length is left. */
  const fold = (start: number, end: number, what: string, show: Show): Html => {
    const label = `${withCommas(end - start)} ${what}`;
    if (end - start > left) return html`<p class="left-out">${label}, left out of this page</p>`;
    left -= end - start;
    return html`<details class="fold"><summary>${label}</summary>${show(start, end)}</details>`;
  };

  const inThree = (start: number, end: number, ends: number, what: string, show: Show): Html => {
    const first = wordBreakBefore(text, start + ends);
    const second = wordBreakBefore(text, end - ends);
    return html`${show(start, first)}${fold(first, second, what, show)}${show(second, end)}`;
  };

  return {
    unmatched(start: number, end: number): Html {
      if (end - start <= unmatched.fold) return plain(start, end);
      return inThree(start, end, unmatched.ends, 'characters without a match', plain);
    },
    matched(start: number, end: number, numbers: readonly number[]): Html {
      let chips: Html[] | undefined = numbers.map(number => chip(number, side, prefix));
      const mark: Show = (from, to) => {
        const marked = html`<mark class="${colourOf(numbers[0]!)}">${chips}${plain(from, to)}</mark>`;
        chips = undefined;
        return marked;
      };
      if (end - start <= matched.fold) return mark(start, end);
      return inThree(start, end, matched.ends, 'more shared characters', mark);
    },
  };
}

/** The number at the head of a passage: what links go to, and the link to the other side. */
function chip(number: number, side: Side, prefix: string): Html {
  const other = side === 'a' ? 'b' : 'a';
  const label = `Passage ${number}: go to the same words in ${other.toUpperCase()}`;
  return html`<a class="chip ${colourOf(number)}" id="${prefix}${side}${number}" href="#${prefix}${other}${number}" aria-label="${label}" title="${label}">${number}</a>`;
}

/** After the last space of the 40 characters before, if there is one; never within a surrogate pair. */
function wordBreakBefore(text: string, at: number): number {
  const space = text.slice(at - 40, at).search(/\s\S*$/);
  if (space >= 0) return at - 40 + space + 1;
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at;
}
