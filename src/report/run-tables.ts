/** Clusters, removals, rejects, files → lists and tables of them that say how many are left out. */
import { type Html, html } from './html.ts';
import { idText, rounded } from './ids.ts';
import { firstOf } from './printable.ts';
import type { PairList } from './run-pairs.ts';
import type { ShownCluster } from './run-selection.ts';
import { withCommas } from './with-commas.ts';

const most = { rejects: 50, files: 20, open: 3 };

export function clusterList(
  clusters: readonly ShownCluster[],
  all: number,
  isEstimated: boolean,
  pairList: PairList,
): Html {
  const how = clusters.length === all ? 'All of them' : `${clusters.length} of ${withCommas(all)}`;
  return html`<p class="note">${how}, largest first. <i>Least</i>: the lowest ${isEstimated && 'estimated '}resemblance of a member to the document kept for it.</p>
<div class="clusters">${clusters.map((cluster, at) => clusterItem(cluster, at < most.open, pairList))}</div>`;
}

function clusterItem({ id, size, least, members }: ShownCluster, isOpen: boolean, pairList: PairList): Html {
  const more = size - 1 - members.length;
  return html`<details class="cluster"${isOpen && html` open`}><summary><span class="size">${withCommas(size)}</span><span class="least">least ${rounded(least)}</span>${idText(id)}</summary>
${pairList(members, { isKeptKnown: true })}${more > 0 && html`<p class="note">… and ${withCommas(more)} more, not on this page</p>`}</details>
`;
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

export function fileList(files: readonly string[]): Html {
  const more = files.length - most.files;
  return html`${files.slice(0, most.files).map(file => html`<div>${idText(file)}</div>`)}${more > 0 && html`<div class="note">… and ${withCommas(more)} more</div>`}`;
}
