/** Exact measures, and the estimate to set against them → a table with a bar for each. */
import type { Measures } from '../similarity/measures.ts';
import { type Html, html } from './html.ts';

type AllMeasures = Measures & { readonly editSimilarity?: number };

const rows: readonly { measure: keyof AllMeasures; name: string; means: string }[] = [
  { measure: 'resemblance', name: 'Resemblance', means: 'shared shingles / all shingles' },
  { measure: 'containmentAB', name: 'Containment of A in B', means: 'shared shingles / shingles of A' },
  { measure: 'containmentBA', name: 'Containment of B in A', means: 'shared shingles / shingles of B' },
  { measure: 'dice', name: 'Dice', means: '2 × shared / (shingles of A + of B)' },
  { measure: 'overlap', name: 'Overlap', means: 'shared shingles / the smaller set' },
  { measure: 'editSimilarity', name: 'Edit similarity', means: '1 − edits / length of the longer' },
];

/** The estimate stands right below the value it estimates. */
export function measuresTable(measures: AllMeasures, estimate?: Html): Html {
  return html`<table><tbody>${rows.map(({ measure, name, means }) => {
    const value = measures[measure];
    return value === undefined ? undefined : [exactRow(name, means, value), measure === 'resemblance' && estimate];
  })}</tbody></table>`;
}

function exactRow(name: string, means: string, value: number): Html {
  const bar = html`<rect class="share" y="2" width="${scaled(value)}" height="8" rx="2"/>`;
  return row(
    name,
    means,
    html`<b>${rounded(value)}</b>${String(value).length > 6 && html`<small>${value}</small>`}`,
    bar,
  );
}

/** Drawn as a point with a bar of one standard error to either side. */
export function estimateGauge(estimate: { resemblance: number; standardError: number }, exact: number): Html {
  const { resemblance, standardError } = estimate;
  const from = Math.max(0, resemblance - standardError);
  const to = Math.min(1, resemblance + standardError);
  const off =
    standardError > 0 ? `${(Math.abs(resemblance - exact) / standardError).toFixed(1)} standard errors off` : '';
  // Where all or none of the values agree there is nothing to tell an error by.
  const means =
    standardError > 0
      ? `from the sketches, ± its standard error${off && `; ${off}`}`
      : 'from the sketches, of which all or none agree: its error is not known';
  const value =
    standardError > 0
      ? html`<b>${rounded(resemblance)}</b> ± ${rounded(standardError)}`
      : html`<b>${rounded(resemblance)}</b>`;
  const bar = html`<rect class="spread" y="2" x="${scaled(from)}" width="${scaled(to - from)}" height="8"/><rect class="point" x="${scaled(resemblance) - 0.8}" width="1.6" height="12"/>`;
  return row('Resemblance, estimated', means, value, bar);
}

function row(name: string, means: string, value: Html, bar: Html): Html {
  return html`<tr><th scope="row">${name}<small>${means}</small></th><td class="gauge"><svg viewBox="0 0 200 12" preserveAspectRatio="none" aria-hidden="true"><rect class="track" y="2" width="200" height="8" rx="2"/>${bar}</svg></td><td class="value">${value}</td></tr>
`;
}

function rounded(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(4);
}

function scaled(share: number): number {
  return Math.round(share * 2000) / 10;
}
