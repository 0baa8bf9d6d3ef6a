/** Removals → one item each that opens on what both documents say, with what a script needs to export a decision about them. */
import type { Removal } from '../model.ts';
import { type Html, html } from './html.ts';
import { idText, rounded } from './ids.ts';
import { type PairView, pairHtml } from './pair-view.ts';
import { resemblanceOf } from './run-selection.ts';

/** What is known of the two documents of a removal. */
interface ShownPair {
  readonly view: PairView;
  /** Content hashes of the removed and of the kept document, as a log of decisions has them. */
  readonly contents: readonly [removed: string, kept: string];
}

/** `whole`: both side by side, where there is room. Undefined where the texts are not known. */
export type PairReader = (removal: Removal, whole: boolean) => ShownPair | undefined;

/** Bytes of markup of all texts together: the page stays under 5 MB whatever the documents hold. */
const MOST_BYTES = 2_500_000;
/** An id that is longer is not offered for a decision: it would stand in the page whole. */
const LONGEST_ID = 1000;

interface PairSettings {
  /** Both texts side by side. */
  readonly whole?: boolean;
  /** The kept document is named by what stands around the item. */
  readonly isKeptKnown?: boolean;
}

export type PairList = (removals: readonly Removal[], settings?: PairSettings) => Html;

/** Lists share one budget: what is made first has its texts for sure. */
export function createPairLists(read: PairReader | undefined, isEstimated: boolean): PairList {
  let left = MOST_BYTES;
  let made = 0;
  const within = (markup: Html | undefined): Html | undefined => {
    const size = markup ? Buffer.byteLength(markup.markup) : 0;
    if (size > left) return undefined;
    left -= size;
    return markup;
  };
  const item = (removal: Removal, { whole = false, isKeptKnown = false }: PairSettings): Html => {
    const shown = read?.(removal, whole);
    const prefix = `p${++made}`;
    const texts = shown && (within(pairHtml(shown.view, prefix)) ?? (whole ? shortly(removal) : undefined));
    const data = shown && within(decisionData(removal, shown.contents));
    return html`<details class="pair"${data}><summary><span class="relation ${removal.relation}">${removal.relation}</span><span class="number" title="${String(resemblanceOf(removal))}">${rounded(resemblanceOf(removal))}</span><span class="ids">${idText(removal.id)}${!isKeptKnown && html`<span class="kept">kept ${idText(removal.keptId)}</span>`}</span></summary>
<div class="open">${values(removal, isEstimated)}${sameShingles(removal)}${texts ?? (read && html`<p class="note">The texts are left out: the page has as much as it may.</p>`)}</div></details>
`;
  };
  /** The first differences take less room than both texts. */
  const shortly = (removal: Removal) => {
    const shown = read?.(removal, false);
    return shown && within(pairHtml(shown.view, `p${++made}`));
  };
  return (removals, settings = {}) =>
    html`<div class="pairs">${removals.map(removal => item(removal, settings))}</div>`;
}

function values(removal: Removal, isEstimated: boolean): Html {
  const { containment, editSimilarity, reference } = removal;
  const list: [name: string, value: number | undefined][] = [
    [isEstimated ? 'estimated resemblance' : 'resemblance', resemblanceOf(removal)],
    ['containment', isEstimated ? undefined : containment],
    ['edit similarity', editSimilarity],
  ];
  const known = list.filter(([, value]) => value !== undefined);
  return html`<p class="values">${known.map(([name, value], at) => html`${at > 0 && ' · '}${name} <b title="${String(value)}">${rounded(value!)}</b>`)}${reference && ' · kept in the reference set'}</p>`;
}

/** "near" and 1 look like a contradiction. */
function sameShingles({ relation, resemblance }: Removal): Html | undefined {
  if (relation !== 'near' || resemblance !== 1) return undefined;
  return html`<p class="note">Same shingles, another text: letter case, punctuation or spaces differ, or passages come in another order or more often.</p>`;
}

/** In ASCII, so that the ids come back exactly as they are. A document of the reference set may have the id of the removed one. */
function decisionData({ id, keptId }: Removal, contents: ShownPair['contents']): Html | undefined {
  if (id === keptId || id === '' || keptId === '' || Math.max(id.length, keptId.length) > LONGEST_ID) return undefined;
  const json = JSON.stringify([id, keptId, contents]).replace(
    /[^\x20-\x7e]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return html` data-pair="${json}"`;
}
