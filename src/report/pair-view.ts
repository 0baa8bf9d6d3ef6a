/** What two documents say → HTML that shows where they differ, or both side by side; bounded by whoever cut the texts. */
import type { TextRange } from '../similarity/differences.ts';
import { columnText, type Side } from './compare-columns.ts';
import { type Html, html } from './html.ts';
import { withCommas } from './with-commas.ts';

/** A place where two texts differ, and what stands around it in both. */
export interface Hunk {
  readonly before: string;
  /** What the removed document has there, cut when it is long. */
  readonly removed: string;
  /** What the kept one has. */
  readonly kept: string;
  readonly after: string;
}

export interface ColumnView {
  readonly text: string;
  readonly passages: readonly { readonly number: number; readonly start: number; readonly end: number }[];
  readonly differences: readonly TextRange[];
  /** Characters of the document behind the text. */
  readonly more: number;
}

export interface ElementsView {
  /** The first of them. */
  readonly shown: readonly string[];
  readonly count: number;
}

/** Documents of a pair, as a page shows them: `a` is the removed one. */
export type PairView =
  /** Equal texts: how they begin. */
  | { readonly kind: 'equal'; readonly text: string; readonly length: number }
  | {
      readonly kind: 'hunks';
      readonly hunks: readonly Hunk[];
      /** Further differences follow. */
      readonly more: boolean;
      /** As far as the texts were compared, if not to their ends. */
      readonly upTo?: number | undefined;
    }
  | { readonly kind: 'columns'; readonly a: ColumnView; readonly b: ColumnView }
  | { readonly kind: 'sets'; readonly shared: ElementsView; readonly a: ElementsView; readonly b: ElementsView };

/** `prefix` makes the ids of passages unique on the page. */
export function pairHtml(view: PairView, prefix: string): Html {
  if (view.kind === 'equal')
    return html`<p class="excerpt" dir="auto" lang="">${shown(view.text)}${view.length > view.text.length && more(view.length - view.text.length)}</p>`;
  if (view.kind === 'hunks') return hunkList(view);
  if (view.kind === 'columns')
    return html`<div class="columns">${columnHtml(view.a, 'a', prefix)}${columnHtml(view.b, 'b', prefix)}</div>`;
  return html`<dl class="elements">${elements('only removed', view.a)}${elements('only kept', view.b)}${elements('shared', view.shared)}</dl>`;
}

function hunkList({ hunks, more, upTo }: PairView & { kind: 'hunks' }): Html {
  const whole = upTo === undefined ? 'texts' : `first ${withCommas(upTo)} characters`;
  if (hunks.length === 0) return html`<p class="note">The ${whole} are equal.</p>`;
  return html`${hunks.map(
    ({ before, removed, kept, after }) =>
      html`<p class="excerpt" dir="auto" lang="">${shown(before)}${removed !== '' && html`<del>${spaces(removed)}</del>`}${kept !== '' && html`<ins>${spaces(kept)}</ins>`}${shown(after)}</p>`,
  )}${more && html`<p class="note">… and more differences, not on this page</p>`}`;
}

function columnHtml({ text, passages, differences, more: rest }: ColumnView, side: Side, prefix: string): Html {
  const name = side === 'a' ? 'removed' : 'kept';
  return html`<section class="column"><h4>${name}</h4><div class="text" dir="auto" lang="" tabindex="0" role="region" aria-label="Text of the ${name} document">${columnText(shown(text), passages, { side, differences, prefix, isTight: true, foldedCharacters: 0 })}${rest > 0 && more(rest)}</div></section>`;
}

function elements(name: string, { shown: list, count }: ElementsView): Html {
  return html`<dt>${name}: ${withCommas(count)}</dt><dd>${list.map(element => html`<code dir="auto">${shown(element)}</code> `)}${count > list.length && html`<i class="empty">… and ${withCommas(count - list.length)} more</i>`}</dd>`;
}

function more(characters: number): Html {
  return html`<i class="empty"> … ${withCommas(characters)} more characters</i>`;
}

/** What turns letters around is shown as �, so that no text changes the look of its neighbours. One unit each, so offsets stay. */
function shown(text: string): string {
  return text.replace(/\p{Bidi_Control}/gu, '\ufffd');
}

/** Where nothing but white space differs, it must be seen. */
function spaces(text: string): string {
  if (/\S/.test(text)) return shown(text);
  return text.replace(/ /g, '␣').replace(/\t/g, '⇥').replace(/\r?\n/g, '↵\n').replace(/\r/g, '␍');
}
