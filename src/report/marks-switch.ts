/** A switch between what two texts share and what differs, made of two buttons and style alone: it works without a script. */
import { type Html, html } from './html.ts';

/** What is marked when the page opens. */
type Marked = 'shared' | 'different';

/** Two versions of a text are read for what changed; two texts that have little in common, for what they share. */
export function markedFirst(resemblance: number): Marked {
  return resemblance >= 0.5 ? 'different' : 'shared';
}

export function marksSwitch(first: Marked): Html {
  const choice = (value: Marked, label: string) =>
    html`<label><input type="radio" name="marks" id="marks-${value}"${value === first && html` checked`}> ${label}</label>`;
  return html`<fieldset class="switch"><legend>Mark</legend>${choice('shared', 'what is shared')}${choice('different', 'what differs')}</fieldset>`;
}

export const marksStyle = `
.switch { display: flex; flex-wrap: wrap; gap: .1rem .9rem; align-items: baseline; border: 0; margin: 0 0 .7rem; padding: 0; font-size: .92rem; }
.switch legend { float: left; padding: 0; margin-right: .9rem; color: var(--soft); }
.switch label { cursor: pointer; white-space: nowrap; padding: .2rem 0; }
.switch input { accent-color: var(--link); margin: 0 .25rem 0 0; }
.other { font-weight: inherit; }
body:has(#marks-different:checked) .other, del, ins { background: var(--other); border-radius: 2px; padding: .08em 0; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
body:has(#marks-different:checked) mark { background: none; }
body:has(#marks-different:checked) mark .chip { display: none; }
:root { --other: oklch(.9 .09 60); --gone: oklch(.91 .06 25); --come: oklch(.91 .08 150); }
@media (prefers-color-scheme: dark) { :root { --other: oklch(.42 .09 60); --gone: oklch(.38 .09 25); --come: oklch(.38 .08 150); } }
del { background: var(--gone); text-decoration-thickness: 1px; }
ins { background: var(--come); text-decoration: none; }
@media print { .switch { display: none; } .other, mark, del, ins { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
`;
