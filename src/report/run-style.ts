/** The look of the page of a run. */

import { columnStyle } from './column-style.ts';
import { Html } from './html.ts';
import { marksStyle } from './marks-switch.ts';
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

export const runStyle = new Html(`${pageStyle}${marksStyle}${columnStyle}
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
fieldset.switch.scale { margin: 0; font-size: .82rem; }
.scaled:has(.linear:checked) .log-bars, .scaled:has(.log:checked) .linear-bars { display: none; }
figure details { margin-top: .4rem; font-size: .85rem; }
.wide { overflow-x: auto; }
thead th { color: var(--soft); font-size: .8rem; white-space: nowrap; border-bottom-color: var(--soft); }
thead th bdi { white-space: normal; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; width: 1%; }
th.number { padding-left: .8rem; }
.id { overflow-wrap: anywhere; min-width: 9rem; }
bdi { overflow-wrap: anywhere; white-space: pre-wrap; }
.cluster { border-bottom: 1px solid var(--line); padding: .3rem 0; }
.cluster > summary { display: flex; gap: .9rem; align-items: baseline; color: var(--ink); }
summary { list-style: none; } summary::-webkit-details-marker { display: none; }
summary::before { content: "▸ "; color: var(--link); }
details[open] > summary::before { content: "▾ "; }
.clusters .size { min-width: 3.2rem; text-align: right; font-weight: 650; font-variant-numeric: tabular-nums; }
.clusters .least { min-width: 5.2rem; color: var(--soft); font-size: .85rem; white-space: nowrap; font-variant-numeric: tabular-nums; }
.cluster > summary bdi { min-width: 0; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
.cluster > .pairs { margin: .4rem 0 .6rem 1.2rem; }
.cluster > .note { margin: 0 0 .6rem 1.2rem; }
.pair { border-bottom: 1px solid var(--line); }
.pair > summary { display: grid; grid-template-columns: auto 6.2rem 4.2rem minmax(0, 1fr) auto; gap: 0 .5rem; align-items: baseline; color: var(--ink); padding: .35rem 0; }
.pair > summary .number { text-align: left; width: auto; }
.pair .ids { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: 0 1.2rem; min-width: 0; overflow-wrap: anywhere; }
.pair .kept { color: var(--soft); }
.pair .open { padding: 0 0 .8rem 1.1rem; }
.values { margin: 0 0 .4rem; font-size: .88rem; color: var(--soft); }
.values b { color: var(--ink); font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap; }
.excerpt { margin: 0 0 .5rem; padding: .5rem .8rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; max-width: 95ch; max-height: 22rem; overflow: auto; unicode-bidi: isolate; font: 15px/1.6 Charter, "Bitstream Charter", "Iowan Old Style", Georgia, "Noto Serif", serif; }
.elements { margin: 0; font-size: .9rem; } .elements dt { color: var(--soft); } .elements dd { margin: 0 0 .4rem; unicode-bidi: isolate; }
.column h4 { margin: 0; padding: .35rem 1rem; font-size: .8rem; font-weight: 600; color: var(--soft); border-bottom: 1px solid var(--line); }
.pair .text { max-height: 26rem; overflow: auto; padding: .7rem 1rem; }
.tools { display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; align-items: baseline; position: sticky; top: 0; z-index: 1; margin: 0 0 1.4rem; padding: .6rem 0; background: var(--paper); border-bottom: 1px solid var(--line); font-size: .92rem; }
.tools[hidden], .pair[hidden], .cluster[hidden] { display: none; }
.tools .note { flex-basis: 100%; margin: 0; }
.tools .filter { flex: 1 1 14rem; display: flex; gap: .5rem; align-items: baseline; }
.tools .filter input { flex: 1; min-width: 0; }
.tools input[type=search], .tools select, button { font: inherit; color: var(--ink); background: var(--sheet); border: 1px solid var(--soft); border-radius: 6px; padding: .25rem .6rem; }
.tools .saving { margin-left: auto; display: flex; flex-wrap: wrap; gap: .3rem .8rem; align-items: baseline; }
button { cursor: pointer; } button:disabled { cursor: default; opacity: .55; }
button[aria-pressed=true] { background: var(--link); border-color: var(--link); color: var(--paper); }
button:focus-visible, input:focus-visible, select:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
.decide { display: flex; gap: .5rem; margin: 0 0 .6rem; }
.badge { color: var(--link); font-weight: 600; font-size: .85rem; }
kbd { font: .8rem ui-monospace, Menlo, monospace; border: 1px solid var(--line); border-radius: 4px; padding: 0 .3em; background: var(--sheet); }
@media (max-width: 640px) {
  .pair > summary { grid-template-columns: auto auto auto minmax(0, 1fr); }
  .pair .ids { grid-column: 1 / -1; padding-left: 1rem; }
  .pair .badge { justify-self: end; }
  .pair .open { padding-left: 0; }
  .cluster > .pairs { margin-left: .4rem; }
  .tools { position: static; }
  .tools .saving { margin-left: 0; }
  .figures div { flex: 1 1 28%; min-width: max-content; }
  .histogram { font-size: 19px; } .histogram .axis { font-size: 19px; } .histogram .count { display: none; }
  .histogram g:not(:nth-of-type(5n+1)):not(:last-of-type) .tick { display: none; }
  .curve text { font-size: 19px; }
}
@media print { .tools { display: none; } }
.note { margin: 0 0 .5rem; max-width: 95ch; }
.found { display: grid; gap: 1rem 2.5rem; grid-template-columns: minmax(0, 1fr); align-items: center; }
@media (min-width: 900px) { .found { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); } }
.found p, #found + p { margin: 0 0 .7rem; max-width: 65ch; }
.run th { width: 1%; white-space: nowrap; vertical-align: top; padding-right: 1.6rem; color: var(--soft); }
.options { line-height: 1.9; }
code { font: .85rem ui-monospace, Menlo, monospace; overflow-wrap: anywhere; }
@media print { .histogram, .relation::before, .legend span::before { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
${curveColours}`);
