/** Ids and values of documents → as the page of a run writes them. */
import { type Html, html } from './html.ts';
import { withCommas } from './with-commas.ts';

const mostLetters = 160;

/** Isolated, so that an id of right-to-left letters turns nothing around it; cut, since an id may be as long as a book. */
export function idText(id: string): Html {
  if (id === '') return html`<i class="empty">empty</i>`;
  if (id.length <= mostLetters) return html`<bdi>${onOneLine(id)}</bdi>`;
  return html`<bdi>${onOneLine(id.slice(0, mostLetters))}</bdi>… <i class="empty">${withCommas(id.length)} characters</i>`;
}

/** Tabs and line ends as \t, \n, \r; what would turn the order of letters around, as �. */
function onOneLine(id: string): string {
  return id.replace(/[\t\n\r]/g, letter => JSON.stringify(letter).slice(1, -1)).replace(/\p{Bidi_Control}/gu, '\ufffd');
}

/** Never 1 or 0 by rounding. */
export function rounded(value: number): string {
  if (value === 0 || value === 1) return String(value);
  return Math.min(0.9999, Math.max(0.0001, value)).toFixed(4);
}
