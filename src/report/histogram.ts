/** Counts of a few kinds, by value → a picture of stacked bars, and the same as a table. */
import { type Html, html } from './html.ts';
import { shortCount } from './numbers.ts';
import { withCommas } from './with-commas.ts';

export interface Bar {
  /** Under the bar; an empty one leaves room for its neighbours'. */
  readonly tick: string;
  /** What it counts, in words. */
  readonly range: string;
  /** From the bottom up, in the order of the kinds. */
  readonly counts: readonly number[];
}

export interface Histogram {
  readonly title: string;
  /** Under the ticks. */
  readonly axis: string;
  /** Names of what is counted; each is also the class that gives its colour. */
  readonly kinds: readonly string[];
  readonly bars: readonly Bar[];
}

const width = 640;
const plot = { left: 8, right: 8, top: 24, bottom: 46 };
const height = 230;
/** Two bars alone are no walls. */
const widest = 90;
/** So that one document among millions can be seen. */
const thinnest = 2;

export function histogramPicture({ title, axis, kinds, bars }: Histogram): Html {
  const highest = Math.max(1, ...bars.map(({ counts }) => total(counts)));
  const slot = Math.min(widest, (width - plot.left - plot.right) / bars.length);
  const base = height - plot.bottom;
  const shown = kinds.filter((_, kind) => bars.some(({ counts }) => counts[kind]! > 0));
  return html`<figure><svg class="histogram" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
${bars.map((bar, at) => barPicture(bar, kinds, plot.left + at * slot, slot, (base - plot.top) / highest))}
<line x1="${plot.left}" x2="${width - plot.right}" y1="${base}" y2="${base}"/>
<text class="axis" x="${width / 2}" y="${height - 8}">${axis}</text>
</svg>
${shown.length > 1 && html`<figcaption class="legend">${shown.map(kind => html`<span class="${kind}">${kind}</span>`)}</figcaption>`}
<details><summary>As a table</summary><div class="wide"><table><thead><tr><th scope="col">${axis}</th>${shown.map(kind => html`<th scope="col" class="number">${kind}</th>`)}</tr></thead><tbody>${bars
    .filter(({ counts }) => total(counts) > 0)
    .map(
      ({ range, counts }) =>
        html`<tr><th scope="row">${range}</th>${kinds.map((kind, place) => shown.includes(kind) && html`<td class="number">${withCommas(counts[place]!)}</td>`)}</tr>`,
    )}</tbody></table></div></details></figure>`;
}

function barPicture({ tick, range, counts }: Bar, kinds: readonly string[], left: number, slot: number, scale: number) {
  const base = height - plot.bottom;
  const middle = point(left + slot / 2);
  const all = total(counts);
  let top = base;
  const parts = counts.map((count, kind) => {
    if (count === 0) return undefined;
    const tall = Math.max(thinnest, count * scale);
    top -= tall;
    return html`<rect class="${kinds[kind]!}" x="${point(left + slot * 0.1)}" y="${point(top)}" width="${point(slot * 0.8)}" height="${point(tall)}"/>`;
  });
  return html`<g><title>${range}: ${counts.map((count, kind) => `${withCommas(count)} ${kinds[kind]}`).join(', ')}</title>${parts}${all > 0 && html`<text class="count" x="${middle}" y="${point(Math.max(11, top - 5))}">${shortCount(all)}</text>`}<text class="tick" x="${middle}" y="${base + 16}">${tick}</text></g>
`;
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function point(value: number): number {
  return Math.round(value * 10) / 10;
}
