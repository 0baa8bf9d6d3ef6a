/** A text and its shared passages → a column of HTML with the passages marked, long stretches folded. */
import { type Html, html } from './html.ts';
import { withCommas } from './with-commas.ts';

export type Side = 'a' | 'b';

/** A passage as one side has it. Numbers begin at 1 and are the same on both sides. */
export interface MarkedRange {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/** Characters shown at each end of a stretch too long to show, and the length from which it is. */
const unmatched = { ends: 500, fold: 1600 };
const matched = { ends: 1200, fold: 5000 };

/** Characters that may stand in folds, for a side: two texts of 64 MB must not make a page of 128 MB. */
const foldedCharacters = 500_000;

export const colourOf = (number: number) => `c${(number - 1) % 8}`;

export function columnText(text: string, ranges: readonly MarkedRange[], side: Side): Html {
  if (text.trim() === '') return html`<p class="empty">There is no text.</p>`;
  const budget = { left: foldedCharacters };
  const pieces: Html[] = [];
  let at = 0;
  for (const { start, end, numbers } of withoutOverlaps(ranges)) {
    pieces.push(
      unmatchedText(text.slice(at, start), budget),
      markedText(text.slice(start, end), numbers, side, budget),
    );
    at = end;
  }
  pieces.push(unmatchedText(text.slice(at), budget));
  return html`${pieces}`;
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

interface Budget {
  left: number;
}

function markedText(text: string, numbers: readonly number[], side: Side, budget: Budget): Html {
  const colour = colourOf(numbers[0]!);
  const mark = (part: string, chips?: Html[]) => html`<mark class="${colour}">${chips}${part}</mark>`;
  const chips = numbers.map(number => chip(number, side));
  if (text.length <= matched.fold) return mark(text, chips);
  const [head, middle, tail] = cutInThree(text, matched.ends);
  return html`${mark(head, chips)}${fold(middle, 'more shared characters', budget, part => mark(part))}${mark(tail)}`;
}

/** The number at the head of a passage: the place links go to, and the link to the other side. */
function chip(number: number, side: Side): Html {
  const other = side === 'a' ? 'b' : 'a';
  const label = `Passage ${number}: go to the same words in ${other.toUpperCase()}`;
  return html`<a class="chip ${colourOf(number)}" id="${side}${number}" href="#${other}${number}" aria-label="${label}" title="${label}">${number}</a>`;
}

function unmatchedText(text: string, budget: Budget): Html {
  if (text.length <= unmatched.fold) return html`${text}`;
  const [head, middle, tail] = cutInThree(text, unmatched.ends);
  return html`${head}${fold(middle, 'characters without a match', budget, part => html`${part}`)}${tail}`;
}

/** Folded text can be opened without a script; past the budget only its length is left. */
function fold(text: string, what: string, budget: Budget, show: (text: string) => Html): Html {
  const label = `${withCommas(text.length)} ${what}`;
  if (text.length > budget.left) return html`<p class="left-out">${label}, left out of this page</p>`;
  budget.left -= text.length;
  return html`<details class="fold"><summary>${label}</summary>${show(text)}</details>`;
}

function cutInThree(text: string, ends: number): [head: string, middle: string, tail: string] {
  const first = wordBreakBefore(text, ends);
  const second = wordBreakBefore(text, text.length - ends);
  return [text.slice(0, first), text.slice(first, second), text.slice(second)];
}

/** After the last space of the 40 characters before, if there is one; never within a surrogate pair. */
function wordBreakBefore(text: string, at: number): number {
  const space = text.slice(at - 40, at).search(/\s\S*$/);
  if (space >= 0) return at - 40 + space + 1;
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at;
}
