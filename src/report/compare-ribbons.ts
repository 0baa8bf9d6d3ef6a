/** Shared passages → a picture: both texts as bars, a ribbon from each passage of A to the same words in B. */
import type { Passage } from '../model.ts';
import { colourOf } from './compare-columns.ts';
import { type Html, html } from './html.ts';

export interface NumberedPassage extends Passage {
  readonly number: number;
}

const width = 1000;
const height = 132;
const bar = 14;
/** More would be a blur; the longest are drawn. */
const mostRibbons = 400;

/** Hidden from screen readers and the tab key: the list of passages says the same in words. */
export function ribbonPicture(lengthA: number, lengthB: number, passages: readonly NumberedPassage[]): Html {
  const drawn = [...passages].sort((x, y) => y.a[1] - y.a[0] - (x.a[1] - x.a[0])).slice(0, mostRibbons);
  // The longest first, so that short moved passages lie on top of them.
  return html`<svg class="ribbons" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">
<rect class="track" width="${width}" height="${bar}" rx="3"/>
<rect class="track" y="${height - bar}" width="${width}" height="${bar}" rx="3"/>
${drawn.map(passage => ribbon(passage, width / Math.max(1, lengthA), width / Math.max(1, lengthB)))}</svg>`;
}

function ribbon({ number, a, b }: NumberedPassage, scaleA: number, scaleB: number): Html {
  const [fromA, toA] = [point(a[0] * scaleA), point(Math.max(a[1] * scaleA, a[0] * scaleA + thinnest))];
  const [fromB, toB] = [point(b[0] * scaleB), point(Math.max(b[1] * scaleB, b[0] * scaleB + thinnest))];
  const lower = height - bar;
  const middle = height / 2;
  const band =
    `M${fromA} ${bar}C${fromA} ${middle} ${fromB} ${middle} ${fromB} ${lower}` +
    `L${toB} ${lower}C${toB} ${middle} ${toA} ${middle} ${toA} ${bar}Z`;
  const ends = `M${fromA} 0H${toA}V${bar}H${fromA}ZM${fromB} ${lower}H${toB}V${height}H${fromB}Z`;
  return html`<a class="${colourOf(number)}" href="#a${number}" tabindex="-1"><title>Passage ${number}</title><path class="band" d="${band}"/><path class="end" d="${ends}"/></a>
`;
}

/** A word in a long book would be invisible. */
const thinnest = 1.5;

function point(value: number): number {
  return Math.round(Math.min(value, width) * 10) / 10;
}
