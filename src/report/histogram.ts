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

/** If the highest bar is this many times as high as the median one, the others can hardly be seen. */
const flattens = 10;

export function histogramPicture(histogram: Histogram): Html {
  const { axis, kinds, bars } = histogram;
  const totals = bars.map(({ counts }) => total(counts)).filter(count => count > 0);
  const middle = totals.sort((x, y) => x - y)[Math.floor((totals.length - 1) / 2)] ?? 0;
  const shown = kinds.filter((_, kind) => bars.some(({ counts }) => counts[kind]! > 0));
  const isFlat = totals.at(-1)! >= flattens * middle && totals.length > 1;
  return html`<figure>${isFlat ? bothScales(histogram) : barsPicture(histogram, 'linear')}
${shown.length > 1 && html`<figcaption class="legend">${shown.map(kind => html`<span class="${kind}">${kind}</span>`)}</figcaption>`}
<details><summary>As a table</summary><div class="wide"><table><thead><tr><th scope="col">${axis}</th>${shown.map(kind => html`<th scope="col" class="number">${kind}</th>`)}</tr></thead><tbody>${bars
    .filter(({ counts }) => total(counts) > 0)
    .map(
      ({ range, counts }) =>
        html`<tr><th scope="row">${range}</th>${kinds.map((kind, at) => shown.includes(kind) && html`<td class="number">${withCommas(counts[at]!)}</td>`)}</tr>`,
    )}</tbody></table></div></details></figure>`;
}

type Scale = 'linear' | 'log';

/** The logarithmic one first, since the other shows one bar; which of them is seen is a matter of style alone. */
function bothScales(histogram: Histogram): Html {
  const name = `scale-${histogram.kinds[0]!}`;
  const choice = (scale: Scale, label: string) =>
    html`<label><input type="radio" class="${scale}" name="${name}"${scale === 'log' && html` checked`}> ${label}</label>`;
  return html`<div class="scaled"><fieldset class="switch scale"><legend>Heights</legend>${choice('log', 'logarithmic')}${choice('linear', 'linear')}</fieldset>
<div class="log-bars">${barsPicture(histogram, 'log')}</div><div class="linear-bars">${barsPicture(histogram, 'linear')}</div></div>`;
}

function barsPicture({ title, axis, kinds, bars }: Histogram, scale: Scale): Html {
  const highest = Math.max(1, ...bars.map(({ counts }) => total(counts)));
  const slot = Math.min(widest, (width - plot.left - plot.right) / bars.length);
  const base = height - plot.bottom;
  // Of a bar of one document something must be seen, so the logarithm is of one more.
  const heightOf = (count: number) =>
    (base - plot.top) * (scale === 'log' ? Math.log1p(count) / Math.log1p(highest) : count / highest);
  return html`<svg class="histogram" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}${scale === 'log' && ', logarithmic'}">
${bars.map((bar, at) => barPicture(bar, kinds, plot.left + at * slot, slot, heightOf))}
<line x1="${plot.left}" x2="${width - plot.right}" y1="${base}" y2="${base}"/>
<text class="axis" x="${width / 2}" y="${height - 8}">${axis}</text>
</svg>`;
}

/** The parts of a bar stand to its height as their counts to the whole. */
function barPicture(
  { tick, range, counts }: Bar,
  kinds: readonly string[],
  left: number,
  slot: number,
  heightOf: (count: number) => number,
): Html {
  const base = height - plot.bottom;
  const middle = point(left + slot / 2);
  const all = total(counts);
  let top = base;
  const parts = counts.map((count, kind) => {
    if (count === 0) return undefined;
    const tall = Math.max(thinnest, (heightOf(all) * count) / all);
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
