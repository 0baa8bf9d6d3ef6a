/** A text and the ranges to mark in it → the pieces it is shown as, with long stretches folded. Loses and doubles no character. */
import type { Range, Side } from './types.ts';

/** Numbers begin at 1 and are the same on both sides. */
export interface MarkedRange {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

export interface Segment {
  readonly start: number;
  readonly end: number;
  /** Passages that begin here, the first one gives the colour; none for plain text. */
  readonly numbers: readonly number[];
  /** It continues a passage whose number was shown already. */
  readonly isContinued?: boolean;
  readonly isFolded?: boolean;
}

/** Characters shown at each end of a stretch too long to show, and the length from which it is. */
const unmatched = { ends: 500, fold: 1600 };
const matched = { ends: 1200, fold: 5000 };

export function segmentsOf(text: string, ranges: readonly MarkedRange[]): Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  for (const { start, end, numbers } of withoutOverlaps(ranges)) {
    addFolded(segments, text, { start: at, end: start, numbers: [] }, unmatched);
    addFolded(segments, text, { start, end, numbers }, matched);
    at = end;
  }
  addFolded(segments, text, { start: at, end: text.length, numbers: [] }, unmatched);
  return segments;
}

/** Where passages overlap (b, when a says twice what b says once), the first keeps the text and the second its number. */
function withoutOverlaps(ranges: readonly MarkedRange[]) {
  const found: { start: number; end: number; numbers: number[] }[] = [];
  for (const { number, start, end } of [...ranges].sort((x, y) => x.start - y.start || y.end - x.end)) {
    const last = found.at(-1);
    if (last && end <= last.end) last.numbers.push(number);
    else found.push({ start: Math.max(start, last?.end ?? 0), end, numbers: [number] });
  }
  return found;
}

function addFolded(
  segments: Segment[],
  text: string,
  { start, end, numbers }: Pick<Segment, 'start' | 'end' | 'numbers'>,
  { ends, fold }: { ends: number; fold: number },
): void {
  if (end <= start) return;
  if (end - start <= fold) {
    segments.push({ start, end, numbers });
    return;
  }
  const first = wordBreakBefore(text, start + ends);
  const second = wordBreakBefore(text, end - ends);
  segments.push(
    { start, end: first, numbers },
    { start: first, end: second, numbers, isContinued: true, isFolded: true },
    { start: second, end, numbers, isContinued: true },
  );
}

/** After the last space of the 40 characters before, if there is one; never within a surrogate pair. */
function wordBreakBefore(text: string, at: number): number {
  const space = text.slice(at - 40, at).search(/\s\S*$/);
  if (space >= 0) return at - 40 + space + 1;
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at;
}

export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly isMarked: boolean;
}

export interface NumberedStretch extends Stretch {
  /** Of the difference that is here. Where the other text has something that this one has not, the stretch is empty. */
  readonly number?: number;
}

/** Where each difference is in one of the texts, numbered from 1 on, in the order of that text. */
export function numberedDifferences(
  differences: readonly Readonly<Record<Side, Range>>[],
  side: Side,
): readonly MarkedRange[] {
  return differences
    .map(({ [side]: [start, end] }, at) => ({ number: at + 1, start, end }))
    .sort((x, y) => x.start - y.start || x.end - y.end);
}

/** The same with the number of what is marked. `isLast`: nothing of the text comes behind it. */
export function numberedStretches(
  start: number,
  end: number,
  ranges: readonly MarkedRange[],
  isLast: boolean,
): NumberedStretch[] {
  const stretches: NumberedStretch[] = [];
  let at = start;
  const plainUpTo = (to: number) => {
    if (to > at) stretches.push({ start: at, end: to, isMarked: false });
    at = Math.max(at, to);
  };
  for (let next = firstEndingAt(ranges, start); next < ranges.length && ranges[next]!.start <= end; next++) {
    const { number, start: from, end: to } = ranges[next]!;
    const isHere = from === to ? from >= start && (from < end || (isLast && from === end)) : to > at && from < end;
    if (!isHere) continue;
    plainUpTo(from);
    stretches.push({ start: at, end: Math.min(to, end), isMarked: to > from, number });
    at = Math.max(at, Math.min(to, end));
  }
  plainUpTo(end);
  return stretches;
}

/** The first range that ends there or behind: there may be thousands, and as many segments ask. */
function firstEndingAt(ranges: readonly MarkedRange[], place: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.end < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The part of a text from `start` to `end`, cut where marked ranges begin and end. Ranges are in order and do not overlap. */
export function stretchesOf(start: number, end: number, ranges: readonly Range[]): Stretch[] {
  const stretches: Stretch[] = [];
  let at = start;
  for (const [from, to] of ranges) {
    if (to <= at) continue;
    if (from >= end) break;
    if (from > at) stretches.push({ start: at, end: from, isMarked: false });
    stretches.push({ start: Math.max(from, at), end: Math.min(to, end), isMarked: true });
    at = Math.min(to, end);
  }
  if (at < end) stretches.push({ start: at, end, isMarked: false });
  return stretches;
}

/** Of very many passages the longest, numbered in the order of A. */
export function numberedPassages<P extends { readonly a: Range; readonly b: Range }>(
  passages: readonly P[],
  most = 2000,
) {
  const longest =
    passages.length <= most
      ? [...passages]
      : [...passages].sort((x, y) => y.a[1] - y.a[0] - (x.a[1] - x.a[0])).slice(0, most);
  return longest.sort((x, y) => x.a[0] - y.a[0]).map(({ a, b }, at) => ({ a, b, number: at + 1 }));
}

export type NumberedPassage = ReturnType<typeof numberedPassages>[number];

export function coveredShare(ranges: readonly Range[], length: number): number {
  let covered = 0;
  let upTo = 0;
  for (const [start, end] of [...ranges].sort((x, y) => x[0] - y[0])) {
    covered += Math.max(0, end - Math.max(start, upTo));
    upTo = Math.max(upTo, end);
  }
  return length === 0 ? 0 : covered / length;
}
