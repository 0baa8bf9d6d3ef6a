/** Two texts, their measures and shared passages → one HTML page to read side by side, with nothing to load or run. */
import type { Passage } from '../model.ts';
import type { Measures } from '../similarity/measures.ts';
import { colourOf, columnText, type MarkedRange, rangesOf, type Side } from './compare-columns.ts';
import { estimateGauge, measuresTable } from './compare-measures.ts';
import { type NumberedPassage, ribbonPicture } from './compare-ribbons.ts';
import { compareStyle } from './compare-style.ts';
import { type Html, html } from './html.ts';
import { markedFirst, marksSwitch } from './marks-switch.ts';
import { optionsText, percent } from './numbers.ts';
import { htmlPage } from './page.ts';
import { withCommas } from './with-commas.ts';

export interface ComparedText {
  readonly id: string;
  readonly text: string;
}

/** Two texts and what is known of them. */
export interface ComparedPair {
  readonly a: ComparedText;
  readonly b: ComparedText;
  readonly measures: Measures & { readonly editSimilarity?: number };
  /** What the sketches said, for the table to set against the exact value. */
  readonly estimated?: { readonly resemblance: number; readonly standardError: number };
  readonly passages: readonly Passage[];
  /** What differs, as `differences` gives it. Without it the page has no switch between shared and different. */
  readonly differences?: readonly Passage[];
  /** Shown at the foot as `name value`, so that the page can be made again. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Of more passages the longest are marked: a page with more links than this is of no use to a reader. */
const mostPassages = 2000;

/**
 * Two compared texts → an HTML page that shows them side by side and loads nothing.
 *
 * @example
 * ```ts
 * const [a, b] = [{ id: 'old', text: 'x a b c' }, { id: 'new', text: 'a b c y' }];
 * const passages = sharedPassages(a.text, b.text, { shingle: { unit: 'word', size: 2 } });
 * const page = comparePage({ a, b, passages, measures: compareSets(['a', 'b'], ['b']), options: { shingle: 'word:2' } });
 * page.startsWith('<!doctype html>'); // → true
 * ```
 */
export function comparePage(comparison: ComparedPair): string {
  const { a, b, measures, estimated, options } = comparison;
  const passages = longestInOrder(comparison.passages);
  const [nameA, nameB] = shortNames(a.id, b.id);
  const body = html`<h1><bdi>${nameA}</bdi> <span class="and">and</span> <bdi>${nameB}</bdi></h1>
${lead(measures)}
<div class="overview">
<section aria-labelledby="measures"><h2 id="measures">Measures</h2>${measuresTable(measures, estimated && estimateGauge(estimated, measures.resemblance))}</section>
<section aria-labelledby="passages"><h2 id="passages">Shared passages</h2>${overview(comparison, passages)}</section>
</div>
${comparison.differences && marksSwitch(markedFirst(measures.resemblance))}
<div class="columns">
${column(a, 'a', nameA, passages, comparison.differences)}
${column(b, 'b', nameB, passages, comparison.differences)}
</div>
<footer>Made by neardup. Measures are of the whole shingle sets, not estimated, unless they say so. ${optionsText(options)}</footer>`;
  return htmlPage({ title: `${nameA} and ${nameB} compared`, style: compareStyle, body });
}

/** The last parts of two paths, as many as it takes to tell them apart: a heading is no place for a whole path. */
function shortNames(a: string, b: string): [a: string, b: string] {
  const [partsA, partsB] = [a.split('/'), b.split('/')];
  for (let parts = 1; parts < Math.max(partsA.length, partsB.length); parts++) {
    const [nameA, nameB] = [partsA.slice(-parts).join('/'), partsB.slice(-parts).join('/')];
    if (nameA !== nameB && nameA.trim() !== '' && nameB.trim() !== '') return [shortened(nameA), shortened(nameB)];
  }
  return [shortened(a), shortened(b)];
}

function shortened(name: string): string {
  return name.length <= mostLetters ? name : `${name.slice(0, mostLetters - 20)}…${name.slice(-19)}`;
}

const mostLetters = 80;

function lead({ resemblance, containmentAB, containmentBA }: Measures): Html {
  if (resemblance === 0) return html`<p class="lead">They have <strong>no shingle in common</strong>.</p>`;
  return html`<p class="lead">Resemblance: <strong>${percent(resemblance)}</strong>. B has ${percent(containmentAB)} of the shingles of A; A has ${percent(containmentBA)} of those of B.</p>`;
}

function longestInOrder(passages: readonly Passage[]): NumberedPassage[] {
  const longest = [...passages].sort((x, y) => y.a[1] - y.a[0] - (x.a[1] - x.a[0])).slice(0, mostPassages);
  return longest.sort((x, y) => x.a[0] - y.a[0]).map(({ a, b }, at) => ({ a, b, number: at + 1 }));
}

function overview({ a, b, passages: all }: ComparedPair, passages: readonly NumberedPassage[]): Html {
  const leftOut = all.length - passages.length;
  return html`<div class="ends"><span title="${a.id}">A <bdi>${a.id}</bdi></span><span>${withCommas(a.text.length)} characters</span></div>
${ribbonPicture(a.text.length, b.text.length, passages)}
<div class="ends"><span title="${b.id}">B <bdi>${b.id}</bdi></span><span>${withCommas(b.text.length)} characters</span></div>
${passages.length === 0 ? html`<p class="note">No run of words as long as a shingle is in both.</p>` : passageList(a.text, passages)}
${leftOut > 0 && html`<p class="note">The ${withCommas(passages.length)} longest passages are marked; ${withCommas(leftOut)} shorter ones are not.</p>`}`;
}

function passageList(textA: string, passages: readonly NumberedPassage[]): Html {
  const many = passages.length === 1 ? '1 passage' : `${withCommas(passages.length)} passages`;
  return html`<details class="passages" open><summary>${many}, in the order of A</summary><ol>${passages.map(
    ({ number, a }) =>
      html`<li><a class="chip ${colourOf(number)}" href="#a${number}" aria-label="Passage ${number} in A">${number}</a><q>${textA.slice(a[0], Math.min(a[1], a[0] + 160))}</q><span>${withCommas(a[1] - a[0])} characters</span> <a href="#b${number}" aria-label="Passage ${number} in B">in B</a></li>`,
  )}</ol></details>`;
}

function column(
  { id, text }: ComparedText,
  side: Side,
  shortName: string,
  passages: readonly NumberedPassage[],
  differences: readonly Passage[] | undefined,
): Html {
  const ranges = passages.map(passage => ({ number: passage.number, start: passage[side][0], end: passage[side][1] }));
  const name = side.toUpperCase();
  const settings = { side, differences: differences && rangesOf(differences, side) };
  return html`<section class="column" aria-labelledby="text-${side}"><header><h2 id="text-${side}" title="${id}">${name} <bdi>${shortName}</bdi></h2><p>${percent(coveredShare(ranges, text.length))} in shared passages</p></header>
<div class="text" id="${side}" dir="auto" lang="" tabindex="0" role="region" aria-label="Text of ${name}">${columnText(text, ranges, settings)}</div></section>`;
}

function coveredShare(ranges: readonly MarkedRange[], length: number): number {
  let covered = 0;
  let upTo = 0;
  for (const { start, end } of [...ranges].sort((x, y) => x.start - y.start)) {
    covered += Math.max(0, end - Math.max(start, upTo));
    upTo = Math.max(upTo, end);
  }
  return length === 0 ? 0 : covered / length;
}
