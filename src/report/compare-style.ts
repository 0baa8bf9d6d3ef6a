/** The look of the page of two compared texts: light and dark, two columns or one. */

import { columnStyle } from './column-style.ts';
import { Html } from './html.ts';
import { marksStyle } from './marks-switch.ts';
import { pageStyle } from './page-style.ts';

export const compareStyle = new Html(`${pageStyle}${columnStyle}${marksStyle}
h1 .and { color: var(--soft); font-weight: 400; }
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
.column header { padding: .6rem 1rem; border-bottom: 1px solid var(--line); display: flex; gap: .2rem 1rem; flex-wrap: wrap; justify-content: space-between; align-items: baseline; }
.column header h2 { margin: 0; font-size: .95rem; letter-spacing: 0; text-transform: none; color: var(--ink); overflow-wrap: anywhere; }
.column header p { margin: 0; font-size: .82rem; color: var(--soft); }
@media (min-width: 800px) { .columns { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .text { max-height: max(20rem, min(46rem, calc(100vh - 6rem))); overflow: auto; } }
@media (prefers-reduced-motion: no-preference) { html, .text { scroll-behavior: smooth; } }
@media (max-width: 480px) { td.gauge { display: none; } }
@media print { .text { max-height: none; overflow: visible; } mark, .ribbons { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
`);
