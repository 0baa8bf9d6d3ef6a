/** The look of the page of a run. */
import { Html } from './html.ts';
import { pageStyle } from './page-style.ts';

/** A curve is drawn to stand alone, black on white: here it takes the colours of the page. */
const curveColours = `
.curve svg { display: block; width: 100%; height: auto; fill: var(--ink); }
.curve svg > rect { fill: none; }
.curve line[stroke="#e3e3e3"] { stroke: var(--line); }
.curve line[stroke="#444"] { stroke: var(--soft); }
.curve path, .curve circle { stroke: var(--link); }
.curve circle, .curve text[fill="#0072b2"] { fill: var(--link); }
.curve text[stroke] { stroke: var(--paper); }
`;

export const runStyle = new Html(`${pageStyle}
:root { --exact: #1f5fae; --near: #c9772b; --contained: #2f8f6b; --decided: #8a4fb0; }
@media (prefers-color-scheme: dark) { :root { --exact: #8fbcf2; --near: #e0a05c; --contained: #6cc7a2; --decided: #c79be6; } }
main { max-width: 1200px; }
.figures { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0 0 1.8rem; }
.figures div { flex: 1 0 auto; min-width: 5.2rem; max-width: 11rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; padding: .4rem .65rem .45rem; }
.figures dt { font-size: .78rem; color: var(--soft); }
.figures dd { margin: 0; font-size: 1.2rem; font-weight: 650; line-height: 1.3; font-variant-numeric: tabular-nums; white-space: nowrap; }
.block { margin-bottom: 1.9rem; min-width: 0; }
.overview .block { margin-bottom: 0; }
@media (min-width: 1000px) { .overview { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } }
figure { margin: 0; }
.histogram { display: block; width: 100%; height: auto; font: 11px system-ui, sans-serif; fill: var(--soft); }
.histogram text { text-anchor: middle; }
.histogram line { stroke: var(--soft); }
.histogram .count { fill: var(--ink); }
.histogram .axis { font-size: 12px; }
rect.exact, rect.clusters { fill: var(--exact); }
rect.near { fill: var(--near); }
rect.contained { fill: var(--contained); }
rect.decided { fill: var(--decided); }
.legend { display: flex; gap: 1.1rem; font-size: .85rem; color: var(--soft); }
.legend span::before, .relation::before { content: ""; display: inline-block; width: .65em; height: .65em; border-radius: 2px; margin-right: .4em; background: var(--kind); }
.exact { --kind: var(--exact); } .near { --kind: var(--near); } .contained { --kind: var(--contained); } .decided { --kind: var(--decided); }
.relation { white-space: nowrap; }
details { font-size: .92rem; }
figure details { margin-top: .4rem; font-size: .85rem; }
.wide { overflow-x: auto; }
thead th { color: var(--soft); font-size: .8rem; white-space: nowrap; border-bottom-color: var(--soft); }
thead th bdi { white-space: normal; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; width: 1%; }
th.number { padding-left: .8rem; }
.id { overflow-wrap: anywhere; min-width: 9rem; }
bdi { overflow-wrap: anywhere; white-space: pre-wrap; }
.clusters details { border-bottom: 1px solid var(--line); padding: .3rem 0; }
.clusters summary { display: flex; gap: .9rem; align-items: baseline; color: var(--ink); }
.clusters summary::before { content: "▸"; color: var(--link); }
.clusters details[open] summary::before { content: "▾"; }
.clusters .size { min-width: 3.2rem; text-align: right; font-weight: 650; font-variant-numeric: tabular-nums; }
.clusters .least { min-width: 5.2rem; color: var(--soft); font-size: .85rem; white-space: nowrap; font-variant-numeric: tabular-nums; }
.clusters summary bdi { min-width: 0; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
.clusters .wide { margin: .4rem 0 .6rem 1.6rem; }
.clusters .note { margin: 0 0 .6rem 1.6rem; }
.note { margin: 0 0 .5rem; max-width: 95ch; }
.found { display: grid; gap: 1rem 2.5rem; grid-template-columns: minmax(0, 1fr); align-items: center; }
@media (min-width: 900px) { .found { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); } }
.found p, #found + p { margin: 0 0 .7rem; max-width: 65ch; }
.run th { width: 1%; white-space: nowrap; vertical-align: top; padding-right: 1.6rem; color: var(--soft); }
.options { line-height: 1.9; }
code { font: .85rem ui-monospace, Menlo, monospace; overflow-wrap: anywhere; }
@media print { .histogram, .relation::before, .legend span::before { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
${curveColours}`);
