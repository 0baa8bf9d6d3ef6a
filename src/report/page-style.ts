/** The look that all pages share: light and dark, headings, tables, notes. */

export const pageStyle = `
:root { color-scheme: light dark; --paper: #fbfaf8; --sheet: #fff; --ink: #1d1c1a; --soft: #625e57; --line: #e2ded6; --link: #1f5fae; }
@media (prefers-color-scheme: dark) { :root { --paper: #16171a; --sheet: #1d1f23; --ink: #e7e5e1; --soft: #a09c94; --line: #34373d; --link: #8fbcf2; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { max-width: 1500px; margin: 0 auto; padding: 1.6rem clamp(.9rem, 2.5vw, 2.5rem) 2rem; }
h1 { font-size: clamp(1.25rem, 2.2vw, 1.7rem); line-height: 1.25; margin: 0 0 .35rem; font-weight: 650; overflow-wrap: anywhere; }
.lead { font-size: 1.06rem; margin: 0 0 1.4rem; max-width: 65ch; color: var(--soft); }
.lead strong { color: var(--ink); font-weight: 650; }
h2 { font-size: .8rem; margin: 0 0 .5rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); font-weight: 600; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.overview { display: grid; gap: 1.5rem 2.5rem; grid-template-columns: minmax(0, 1fr); margin-bottom: 1.6rem; }
@media (min-width: 1000px) { .overview { grid-template-columns: minmax(0, 10fr) minmax(0, 11fr); } }
table { width: 100%; border-collapse: collapse; font-size: .92rem; }
th, td { text-align: left; padding: .36rem .8rem .36rem 0; border-bottom: 1px solid var(--line); font-weight: 400; vertical-align: middle; }
th small { color: var(--soft); display: block; font-size: .8rem; line-height: 1.3; }
td.value { font-variant-numeric: tabular-nums; white-space: nowrap; width: 1%; padding-right: 0; }
td.value b { font-weight: 650; font-size: 1.02rem; }
td.value small { display: block; color: var(--soft); font: .72rem/1.3 ui-monospace, "Cascadia Mono", Menlo, monospace; }
summary { cursor: pointer; color: var(--link); }
.empty, .note { color: var(--soft); }
.note, footer { font-size: .85rem; }
footer { margin-top: 1.6rem; color: var(--soft); overflow-wrap: anywhere; }
footer code { font: .8rem ui-monospace, Menlo, monospace; }
`;
