/** What a run did → one HTML page about it, of bounded size, with nothing to load; its one script filters and exports decisions. */

import type { CurvePicture } from './curve-svg.ts';
import { drawAsSvg } from './curve-svg.ts';
import { histogramPicture } from './histogram.ts';
import { Html, html } from './html.ts';
import { marksSwitch } from './marks-switch.ts';
import { optionsText, percent } from './numbers.ts';
import { htmlPage } from './page.ts';
import { many } from './printable.ts';
import { resemblanceHistogram, sizeHistogram } from './run-histograms.ts';
import { createPairLists, type PairList, type PairReader } from './run-pairs.ts';
import { runScript, runScriptSource } from './run-script.ts';
import type { RunSelection } from './run-selection.ts';
import { runStyle } from './run-style.ts';
import { clusterList, damageTable, fileList, type Rejects, rejectTable, type ShownDamage } from './run-tables.ts';
import { withCommas } from './with-commas.ts';

export interface RunFigures {
  readonly documents: number;
  readonly kept: number;
  readonly removed: number;
  readonly exact: number;
  readonly near: number;
  readonly contained: number;
  /** Of pairs that somebody called the same; only where decisions were given. */
  readonly decided?: number;
  readonly clusters: number;
  readonly rejected: number;
  readonly seconds: number;
  /** As they are stored. */
  readonly bytes: number;
  /** Where inputs are compressed: what they hold; of Parquet, its texts. */
  readonly contentBytes?: number;
}

export interface RunReport {
  readonly figures: RunFigures;
  readonly threshold: number;
  /** Values are of sketches, not of the whole sets. */
  readonly isEstimated: boolean;
  /** Documents were marked, and all of them written. */
  readonly isMarked: boolean;
  /** As a user writes them, so that the run can be made again. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Files, folders, patterns, or `-`, as they were named. */
  readonly inputs: readonly string[];
  /** Those of the reference set. */
  readonly reference: readonly string[];
  readonly version: string;
  readonly date: Date;
  readonly selection: RunSelection;
  /** Undefined where the texts are not at hand. */
  readonly readPair?: PairReader | undefined;
  /** None for sketches that are not cut into bands. */
  readonly curve?: CurvePicture | undefined;
  /** What is known of the share of pairs that were found: a sentence each. */
  readonly recall: readonly string[];
  /** The first of them are shown. */
  readonly rejects: Rejects;
  /** Files that were read up to their damage. */
  readonly damages: readonly ShownDamage[];
  /** Documents whose id came before. */
  readonly repeatedIds: number;
}

export function runPage(report: RunReport): string {
  const { figures, inputs, version, date } = report;
  const [first = 'no input'] = inputs;
  const others = inputs.length > 1 ? ` and ${withCommas(inputs.length - 1)} more` : '';
  const hasPairs = figures.removed > 0;
  const script = { code: runScript, source: runScriptSource };
  const body = html`<h1>Near-duplicates in <bdi>${shortName(first)}</bdi>${others}</h1>
${lead(report)}
${report.repeatedIds > 0 && html`<p class="note">${many(report.repeatedIds, 'document')} with an id that came before: named by file and line.</p>`}
${figureList(figures)}
${figures.removed > 0 && histograms(report)}
${section('found', 'How much is found', found(report))}
${figures.removed > 0 && evidence(report)}
${section('rejects', 'What could not be used', html`${damageTable(report.damages)}${(report.rejects.length > 0 || report.damages.length === 0) && rejectTable(report.rejects)}`)}
${section('run', 'What was run', whatWasRun(report))}
<footer>Made by neardup ${version} on <time datetime="${date.toISOString()}">${date.toISOString().slice(0, 16).replace('T', ' ')} UTC</time>. ${exactness(report)}</footer>`;
  return htmlPage({
    title: `Near-duplicates in ${shortName(first)}${others}`,
    style: runStyle,
    body,
    ...(hasPairs && { script }),
  });
}

function section(id: string, heading: string, content: Html): Html {
  return html`<section class="block" aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
${content}</section>`;
}

function lead({ figures, isMarked }: RunReport): Html {
  const { documents, kept, removed } = figures;
  if (documents === 0) return html`<p class="lead">There was <strong>no document</strong> to look at.</p>`;
  if (removed === 0)
    return html`<p class="lead"><strong>None</strong> of ${many(documents, 'document')} is a near-duplicate of another.</p>`;
  const share = html`<strong>${withCommas(removed)}</strong> of ${many(documents, 'document')} (${percent(removed / documents)})`;
  return isMarked
    ? html`<p class="lead">${share} are near-duplicates of one of the other ${withCommas(kept)}. All were written, each marked with its cluster.</p>`
    : html`<p class="lead">${share} were removed; ${withCommas(kept)} stay.</p>`;
}

function figureList(figures: RunFigures): Html {
  const { documents, kept, removed, exact, near, contained, clusters, rejected, seconds, bytes } = figures;
  const { contentBytes, decided } = figures;
  const megabytes = (contentBytes ?? bytes) / 1e6;
  const shown: [name: string, value: string][] = [
    ['documents', withCommas(documents)],
    ['kept', withCommas(kept)],
    ['removed', withCommas(removed)],
    ['exact', withCommas(exact)],
    ['near', withCommas(near)],
    ['contained', withCommas(contained)],
    ...(decided === undefined ? [] : [['decided', withCommas(decided)] as [string, string]]),
    ['clusters', withCommas(clusters)],
    ['rejected', withCommas(rejected)],
    ['seconds', seconds.toFixed(1)],
    ...(contentBytes === undefined ? [] : [['MB compressed', (bytes / 1e6).toFixed(1)] as [string, string]]),
    ['MB', megabytes.toFixed(1)],
    ['MB/s', (megabytes / seconds).toFixed(1)],
  ];
  return html`<dl class="figures">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function histograms({ selection, threshold, isEstimated }: RunReport): Html {
  const alike = selection.hundredths[100]!.near;
  return html`<div class="overview">
${section('resemblances', 'Removed documents by resemblance', html`${histogramPicture(resemblanceHistogram(selection, threshold, isEstimated))}${alike > 0 && !isEstimated && html`<p class="note">${withCommas(alike)} <i>near</i> with resemblance 1: same shingles as the kept document, but not the same text. Letter case, punctuation or spaces differ, or passages come in another order or more often.</p>`}`)}
${section('sizes', 'Clusters by size', histogramPicture(sizeHistogram(selection)))}
</div>`;
}

/** The closest decisions are made first, so that they have their texts whatever the others take. */
function evidence(report: RunReport): Html {
  const { selection, figures, isEstimated } = report;
  const pairList = createPairLists(report.readPair, isEstimated);
  const closest = lowest(report, pairList);
  return html`${tools(report)}
${section('lowest', 'The closest decisions', closest)}
${section('clusters', 'The largest clusters', clusterList(selection.largest, figures.clusters, isEstimated, pairList))}
${section('spread', 'A sample of all removals', spread(report, pairList))}`;
}

/** Shown by the script, which gives it something to do. */
function tools({ figures }: RunReport): Html {
  const relations = (['exact', 'near', 'contained', 'decided'] as const).filter(relation => figures[relation]);
  return html`<div class="tools" id="tools" role="search" aria-label="Removals on this page" hidden>
<label class="filter">Filter <input id="filter" type="search" placeholder="id or text" autocomplete="off"></label>
<label>Relation <select id="relation"><option value="">all</option>${relations.map(relation => html`<option>${relation}</option>`)}</select></label>
<label><input id="undecided" type="checkbox"> undecided only</label>
<span id="shown" role="status"></span>
<span class="saving"><span id="decided" role="status">Nothing decided yet</span> <button type="button" id="save" disabled>Save decisions.jsonl</button></span>
<p class="note">Open a pair to decide on it. Keys: <kbd>j</kbd> <kbd>k</kbd> next and previous, <kbd>s</kbd> same, <kbd>d</kbd> different, <kbd>u</kbd> undo. The next run goes by the file with <code>--decisions decisions.jsonl</code>.</p>
</div>`;
}

function found({ curve, recall }: RunReport): Html {
  const sentences = recall.map(sentence => html`<p>${sentence}</p>`);
  return curve
    ? html`<div class="found"><div class="curve" tabindex="0" role="region" aria-label="How likely a pair becomes a candidate">${new Html(drawAsSvg(curve))}</div><div>${sentences}</div></div>`
    : html`${sentences}`;
}

function lowest({ selection, figures, readPair }: RunReport, pairList: PairList): Html {
  if (selection.lowest.length === 0)
    return html`<p class="empty">Nothing but exact copies${figures.decided ? ' and pairs that somebody decided on' : ''} was removed.</p>`;
  return html`<p class="note">Of the removals that are no exact copies, those of the lowest similarity: the first to look at when too much was removed. <i>Containment</i>: the share of the removed document that is in the kept one.</p>
${readPair ? marksSwitch('different') : html`<p class="note">The texts were not at hand when the page was made.</p>`}
${pairList(selection.lowest, { whole: true })}`;
}

function spread({ selection, figures }: RunReport, pairList: PairList): Html {
  const how =
    selection.spread.length === figures.removed
      ? 'All of them, in input order.'
      : `${selection.spread.length} of ${withCommas(figures.removed)}, at equal distances in input order.`;
  return html`<p class="note">${how}</p>
${pairList(selection.spread)}`;
}

function whatWasRun({ inputs, reference, options }: RunReport): Html {
  return html`<table class="run"><tbody>
<tr><th scope="row">Inputs</th><td>${fileList(inputs)}</td></tr>
${reference.length > 0 && html`<tr><th scope="row">Reference set</th><td>${fileList(reference)}</td></tr>`}
<tr><th scope="row">Options</th><td class="options">${optionsText(options)}</td></tr>
</tbody></table>`;
}

function exactness({ isEstimated }: RunReport): string {
  return isEstimated
    ? 'Values are estimates from sketches, as the options asked for.'
    : 'Values are of the whole shingle sets, not estimated.';
}

/** The last part of a path. */
function shortName(path: string): string {
  if (path === '-') return 'standard input';
  return path.replace(/\/+$/, '').split('/').at(-1) || path;
}
