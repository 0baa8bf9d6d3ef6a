/** The look of the page of two compared texts: light and dark, two columns or one. */
import { Html } from './html.ts';
import { pageStyle } from './page-style.ts';

/** Hues of passages, an even walk around the circle; lightness is the same for all, so all read equally well. */
const hues = [85, 230, 145, 10, 285, 190, 55, 330];

export const compareStyle = new Html(`${pageStyle}
:root { --mark-l: .925; --mark-c: .065; --chip-l: .47; --chip-c: .12; --band-l: .76; --band-c: .12; }
@media (prefers-color-scheme: dark) { :root { --mark-l: .34; --mark-c: .06; --chip-l: .8; --chip-c: .1; --band-l: .56; --band-c: .1; } }
${hues.map((hue, at) => `.c${at} { --hue: ${hue}; }`).join(' ')}
h1 .and, h1 .tag { color: var(--soft); font-weight: 400; }
td.gauge { width: 26%; min-width: 4rem; }
.gauge svg { display: block; width: 100%; height: 12px; }
.gauge .track, .ribbons .track { fill: var(--line); }
.gauge .share { fill: var(--link); opacity: .8; }
.gauge .spread { fill: var(--link); opacity: .35; }
.gauge .point { fill: var(--link); }
.ends { display: flex; justify-content: space-between; gap: 1rem; font-size: .85rem; color: var(--soft); margin: .15rem 0; }
.ends span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.ends span + span { flex: none; }
.ribbons { display: block; width: 100%; height: 132px; overflow: visible; }
.ribbons .band { fill: oklch(var(--band-l) var(--band-c) var(--hue)); opacity: .5; }
.ribbons .end { fill: oklch(var(--band-l) var(--band-c) var(--hue)); }
.ribbons a:hover .band { opacity: .9; }
.passages { margin-top: .9rem; font-size: .9rem; }
.passages ol { list-style: none; margin: .5rem 0 0; padding: 0; max-height: 14rem; overflow: auto; }
.passages li { display: flex; gap: .6rem; align-items: baseline; padding: .2rem 0; border-bottom: 1px solid var(--line); }
.passages q { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.passages li > span { color: var(--soft); white-space: nowrap; font-variant-numeric: tabular-nums; }
.columns { display: grid; gap: 1.2rem; align-items: start; grid-template-columns: minmax(0, 1fr); }
.column { background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; min-width: 0; display: flex; flex-direction: column; }
.column header { padding: .6rem 1rem; border-bottom: 1px solid var(--line); display: flex; gap: .2rem 1rem; flex-wrap: wrap; justify-content: space-between; align-items: baseline; }
.column header h2 { margin: 0; font-size: .95rem; letter-spacing: 0; text-transform: none; color: var(--ink); overflow-wrap: anywhere; }
.column header p { margin: 0; font-size: .82rem; color: var(--soft); }
.text:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.left-out { color: var(--soft); }
.text { padding: 1rem; white-space: pre-wrap; overflow-wrap: anywhere; font: 15px/1.65 Charter, "Bitstream Charter", "Iowan Old Style", Georgia, "Noto Serif", serif; unicode-bidi: isolate; }
@media (min-width: 800px) { .columns { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .text { max-height: max(20rem, min(46rem, calc(100vh - 6rem))); overflow: auto; } }
@media (prefers-reduced-motion: no-preference) { html, .text { scroll-behavior: smooth; } }
mark { color: inherit; background: oklch(var(--mark-l) var(--mark-c) var(--hue)); border-radius: 2px; padding: .08em 0; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
mark:has(:target) { outline: 2px solid oklch(var(--chip-l) var(--chip-c) var(--hue)); outline-offset: 1px; }
.chip { display: inline-block; min-width: 1.5em; padding: 0 .35em; margin: 0 .3em 0 0; border-radius: .7em; text-align: center; text-decoration: none; user-select: none; -webkit-user-select: none;
  font: 600 .72rem/1.5 system-ui, sans-serif; color: var(--sheet); background: oklch(var(--chip-l) var(--chip-c) var(--hue)); scroll-margin: 5rem 0 6rem; }
.chip:hover { text-decoration: underline; }
.fold > summary, .left-out { margin: .5rem 0; padding: .25rem .7rem; border: 1px dashed var(--line); border-radius: 6px; font: .82rem/1.5 system-ui, sans-serif; white-space: normal; }
@media (max-width: 480px) { td.gauge { display: none; } }
@media print { .text { max-height: none; overflow: visible; } mark, .ribbons { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
`);
