/** The look of texts that stand side by side, with their shared passages marked. */

/** Hues of passages, an even walk around the circle; lightness is the same for all, so all read equally well. */
const hues = [85, 230, 145, 10, 285, 190, 55, 330];

export const columnStyle = `
:root { --mark-l: .925; --mark-c: .065; --chip-l: .47; --chip-c: .12; --band-l: .76; --band-c: .12; }
@media (prefers-color-scheme: dark) { :root { --mark-l: .34; --mark-c: .06; --chip-l: .8; --chip-c: .1; --band-l: .56; --band-c: .1; } }
${hues.map((hue, at) => `.c${at} { --hue: ${hue}; }`).join(' ')}
.columns { display: grid; gap: 1.2rem; align-items: start; grid-template-columns: minmax(0, 1fr); }
.column { background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; min-width: 0; display: flex; flex-direction: column; }
.text:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.left-out { color: var(--soft); }
.text { padding: 1rem; white-space: pre-wrap; overflow-wrap: anywhere; font: 15px/1.65 Charter, "Bitstream Charter", "Iowan Old Style", Georgia, "Noto Serif", serif; unicode-bidi: isolate; }
mark { color: inherit; background: oklch(var(--mark-l) var(--mark-c) var(--hue)); border-radius: 2px; padding: .08em 0; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
mark:has(:target) { outline: 2px solid oklch(var(--chip-l) var(--chip-c) var(--hue)); outline-offset: 1px; }
.chip { display: inline-block; min-width: 1.5em; padding: 0 .35em; margin: 0 .3em 0 0; border-radius: .7em; text-align: center; text-decoration: none; user-select: none; -webkit-user-select: none;
  font: 600 .72rem/1.5 system-ui, sans-serif; color: var(--sheet); background: oklch(var(--chip-l) var(--chip-c) var(--hue)); scroll-margin: 5rem 0 6rem; }
.chip:hover { text-decoration: underline; }
.fold > summary, .left-out { margin: .5rem 0; padding: .25rem .7rem; border: 1px dashed var(--line); border-radius: 6px; font: .82rem/1.5 system-ui, sans-serif; white-space: normal; }
@media (min-width: 800px) { .columns { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } }
`;
