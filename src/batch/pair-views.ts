/** A removal and the texts of its two documents → what a page shows of them: how they begin, where they differ, or both side by side. */
import type { RunOptions } from '../engine/run-options.ts';
import type { Removal } from '../model.ts';
import { rangesOf } from '../report/compare-columns.ts';
import type { ColumnView, ElementsView, Hunk, PairView } from '../report/pair-view.ts';
import { differences, type TextRange } from '../similarity/differences.ts';
import { sharedPassages } from '../similarity/passages.ts';
import { diffTokens } from '../similarity/token-diff.ts';
import type { ShownDocument } from './report-texts.ts';

/** How texts are compared. */
type ViewOptions = Pick<RunOptions, 'shingle' | 'normalise'>;

/** Characters: of equal texts, of both sides together where texts differ, around a difference, of a difference. */
const EQUAL = 300;
const COMPARED = 6000;
const AROUND = 70;
const DIFFERENCE = 240;
const HUNKS = 4;
/** Tokens taken out or put in. */
const EDITS = 400;
/** Characters of each text that stand side by side, before long stretches are left out. */
const COLUMN = 2 ** 16;
const PASSAGES = 200;
const ELEMENTS = 40;

/** `whole`: both documents side by side. */
export function pairView(
  { relation }: Removal,
  a: ShownDocument,
  b: ShownDocument,
  options: ViewOptions,
  whole: boolean,
): PairView | undefined {
  if (a.elements && b.elements) return setView(a.elements, b.elements);
  if (a.text === undefined || b.text === undefined) return undefined;
  if (relation === 'exact' || (a.text === b.text && a.length === b.length))
    return { kind: 'equal', text: cutBefore(a.text, EQUAL), length: a.length };
  return whole ? columnsView(a, b, options) : hunksView(a, b);
}

function setView(a: readonly string[], b: readonly string[]): PairView {
  const [inA, inB] = [new Set(a), new Set(b)];
  return {
    kind: 'sets',
    shared: elementsView(a.filter(element => inB.has(element))),
    a: elementsView(a.filter(element => !inB.has(element))),
    b: elementsView(b.filter(element => !inA.has(element))),
  };
}

function elementsView(list: readonly string[]): ElementsView {
  return { shown: list.slice(0, ELEMENTS).map(element => cutBefore(element, 80)), count: list.length };
}

/** The first differences: what is equal before them costs a walk, what comes behind is not looked at. */
function hunksView(a: ShownDocument, b: ShownDocument): PairView {
  const [textA, textB] = [a.text!, b.text!];
  const upTo = textA.length < a.length || textB.length < b.length ? Math.min(textA.length, textB.length) : undefined;
  const equal = equalStart(textA, textB);
  if (equal === textA.length && equal === textB.length) return { kind: 'hunks', hunks: [], more: false, upTo };
  const start = wordStart(textA, Math.max(0, equal - 2 * AROUND));
  const [partA, partB] = [cutBefore(textA.slice(start), COMPARED), cutBefore(textB.slice(start), COMPARED)];
  const isWhole = start + partA.length === textA.length && start + partB.length === textB.length;
  const all = diffTokens(partA, partB, EDITS)?.changes ?? [
    { a: [equal - start, partA.length] as const, b: [equal - start, partB.length] as const },
  ];
  // Where a part was cut, its end differs from the other's because of the cut.
  const changes = isWhole ? all : all.slice(0, Math.max(1, all.length - 1));
  const hunks = changes.slice(0, HUNKS).map(change => hunkOf(partA, partB, start, change));
  return { kind: 'hunks', hunks, more: changes.length > HUNKS || !isWhole || upTo !== undefined };
}

function hunkOf(a: string, b: string, start: number, change: { a: TextRange; b: TextRange }): Hunk {
  const from = wordStart(a, Math.max(0, change.a[0] - AROUND));
  const after = a.slice(change.a[1], change.a[1] + AROUND);
  return {
    before: `${start + from > 0 ? '… ' : ''}${a.slice(from, change.a[0])}`,
    removed: inShort(a.slice(...change.a)),
    kept: inShort(b.slice(...change.b)),
    after: `${after.replace(/\S*$/, rest => (change.a[1] + AROUND < a.length ? '' : rest))}${change.a[1] + AROUND < a.length ? '…' : ''}`,
  };
}

/** Both ends of what is long. */
function inShort(text: string): string {
  if (text.length <= DIFFERENCE) return text;
  const half = DIFFERENCE / 2;
  return `${cutBefore(text, half)} [… ${text.length - DIFFERENCE} characters …] ${text.slice(wordStart(text, text.length - half))}`;
}

function columnsView(a: ShownDocument, b: ShownDocument, { shingle, normalise }: ViewOptions): PairView {
  const [textA, textB] = [cutBefore(a.text!, COLUMN), cutBefore(b.text!, COLUMN)];
  const keepCase = normalise.includes('keep-case');
  const passages = sharedPassages(textA, textB, { shingle, keepCase }).slice(0, PASSAGES);
  const differing = differences(textA, textB, passages);
  const column = (side: 'a' | 'b', text: string, length: number): ColumnView => ({
    text,
    passages: passages.map(({ [side]: [start, end] }, at) => ({ number: at + 1, start, end })),
    differences: rangesOf(differing, side),
    more: length - text.length,
  });
  return { kind: 'columns', a: column('a', textA, a.length), b: column('b', textB, b.length) };
}

function equalStart(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

/** Never within a surrogate pair. */
function cutBefore(text: string, at: number): string {
  if (text.length <= at) return text;
  return text.slice(0, isLowSurrogate(text, at) ? at - 1 : at);
}

/** The start of the word that begins at or after this position, if it is near. */
function wordStart(text: string, at: number): number {
  if (at === 0) return 0;
  const space = text.slice(at, at + 30).search(/\s\S/);
  if (space >= 0) return at + space + 1;
  return isLowSurrogate(text, at) ? at + 1 : at;
}

function isLowSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}
