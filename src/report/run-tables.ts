/** Clusters, removals, rejects, files → lists and tables of them that say how many are left out. */
import type { Removal } from '../model.ts';
import { type Html, html } from './html.ts';
import { resemblanceOf, type ShownCluster } from './run-selection.ts';
import { withCommas } from './with-commas.ts';

const most = { rejects: 50, files: 20, letters: 300, open: 3 };

export function clusterList(clusters: readonly ShownCluster[], all: number, isEstimated: boolean): Html {
  const how = clusters.length === all ? 'All of them' : `${clusters.length} of ${withCommas(all)}`;
  return html`<p class="note">${how}, largest first. <i>Least</i>: the lowest ${isEstimated && 'estimated '}resemblance of a member to the document kept for it.</p>
<div class="clusters">${clusters.map((cluster, at) => clusterItem(cluster, isEstimated, at < most.open))}</div>`;
}

function clusterItem({ id, size, least, members }: ShownCluster, isEstimated: boolean, isOpen: boolean): Html {
  const more = size - 1 - members.length;
  return html`<details${isOpen && html` open`}><summary><span class="size">${withCommas(size)}</span><span class="least">least ${rounded(least)}</span>${idText(id)}</summary>
<div class="wide"><table><thead><tr><th scope="col">removed</th>${valueHeads(isEstimated, members)}</tr></thead><tbody>${members.map(
    member => html`<tr><td class="id">${idText(member.id)}</td>${valueCells(member, isEstimated, members)}</tr>`,
  )}</tbody></table></div>${more > 0 && html`<p class="note">… and ${withCommas(more)} more, not on this page</p>`}</details>
`;
}

export function removalTable(removals: readonly Removal[], isEstimated: boolean): Html {
  return html`<div class="wide"><table><thead><tr><th scope="col">removed</th><th scope="col">kept for it</th>${valueHeads(isEstimated, removals)}</tr></thead><tbody>${removals.map(
    removal =>
      html`<tr><td class="id">${idText(removal.id)}</td><td class="id">${idText(removal.keptId)}</td>${valueCells(removal, isEstimated, removals)}</tr>
`,
  )}</tbody></table></div>`;
}

function valueHeads(isEstimated: boolean, removals: readonly Removal[]): Html {
  return html`<th scope="col">relation</th><th scope="col" class="number">${isEstimated ? 'estimated resemblance' : 'resemblance'}</th>${!isEstimated && html`<th scope="col" class="number" title="of the removed document in the kept one">containment</th>`}${hasEdits(removals) && html`<th scope="col" class="number">edit similarity</th>`}`;
}

function valueCells(removal: Removal, isEstimated: boolean, removals: readonly Removal[]): Html {
  const { relation, containment, editSimilarity } = removal;
  return html`<td><span class="relation ${relation}">${relation}</span></td>${valueCell(resemblanceOf(removal))}${!isEstimated && valueCell(containment)}${hasEdits(removals) && valueCell(editSimilarity)}`;
}

function hasEdits(removals: readonly Removal[]): boolean {
  return removals.some(({ editSimilarity }) => editSimilarity !== undefined);
}

/** The whole number is there for those who point at it. */
function valueCell(value: number | undefined): Html {
  return value === undefined
    ? html`<td class="number"></td>`
    : html`<td class="number" title="${String(value)}">${rounded(value)}</td>`;
}

export type Rejects = Iterable<{ readonly file: string; readonly line: number; readonly reason: string }> & {
  readonly length: number;
};

export interface ShownDamage {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
  readonly readable: number;
}

/** A file each: what is behind the damage is lost, and nobody knows how much. */
export function damageTable(damages: readonly ShownDamage[]): Html {
  if (damages.length === 0) return html``;
  const more = damages.length - most.files;
  return html`<div class="wide"><table><thead><tr><th scope="col">damaged file</th><th scope="col" class="number">line</th><th scope="col">reason</th><th scope="col" class="number">documents read before it</th></tr></thead><tbody>${damages
    .slice(0, most.files)
    .map(
      ({ file, line, reason, readable }) =>
        html`<tr><td class="id">${idText(file)}</td><td class="number">${withCommas(line)}</td><td class="id">${idText(reason)}</td><td class="number">${withCommas(readable)}</td></tr>
`,
    )}</tbody></table></div>${more > 0 && html`<p class="note">… and ${withCommas(more)} more, not on this page</p>`}`;
}

export function rejectTable(rejects: Rejects): Html {
  if (rejects.length === 0) return html`<p class="empty">Everything could be read.</p>`;
  const more = rejects.length - most.rejects;
  return html`<div class="wide"><table><thead><tr><th scope="col">file</th><th scope="col" class="number">line</th><th scope="col">reason</th></tr></thead><tbody>${firstOf(
    rejects,
    most.rejects,
  ).map(
    ({ file, line, reason }) =>
      html`<tr><td class="id">${idText(file)}</td><td class="number">${withCommas(line)}</td><td class="id">${idText(reason)}</td></tr>
`,
  )}</tbody></table></div>${more > 0 && html`<p class="note">… and ${withCommas(more)} more, not on this page</p>`}`;
}

function firstOf<Item>(items: Iterable<Item>, count: number): Item[] {
  const first: Item[] = [];
  for (const item of items) {
    if (first.length === count) break;
    first.push(item);
  }
  return first;
}

export function fileList(files: readonly string[]): Html {
  const more = files.length - most.files;
  return html`${files.slice(0, most.files).map(file => html`<div>${idText(file)}</div>`)}${more > 0 && html`<div class="note">… and ${withCommas(more)} more</div>`}`;
}

/** Isolated, so that an id of right-to-left letters turns nothing around it; cut, since an id may be as long as a book. */
function idText(id: string): Html {
  if (id === '') return html`<i class="empty">empty</i>`;
  if (id.length <= most.letters) return html`<bdi>${onOneLine(id)}</bdi>`;
  return html`<bdi>${onOneLine(id.slice(0, most.letters))}</bdi>… <i class="empty">${withCommas(id.length)} characters</i>`;
}

/** Tabs and line ends as \t, \n, \r; what would turn the order of letters around, as �. */
function onOneLine(id: string): string {
  return id.replace(/[\t\n\r]/g, letter => JSON.stringify(letter).slice(1, -1)).replace(/\p{Bidi_Control}/gu, '\ufffd');
}

/** Never 1 or 0 by rounding. */
function rounded(value: number): string {
  if (value === 0 || value === 1) return String(value);
  return Math.min(0.9999, Math.max(0.0001, value)).toFixed(4);
}
