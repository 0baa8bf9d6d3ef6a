/** Every measure as a bar and a number; where sketches estimate it, the estimate below with its standard error. */
import { rounded } from '../ui/shown.ts';
import type { ComparedTexts, Estimated, MeasureName } from './types.ts';

const rows: readonly { measure: MeasureName; name: string; means: string }[] = [
  { measure: 'resemblance', name: 'Resemblance', means: 'shared shingles / all shingles' },
  { measure: 'containmentAB', name: 'Containment of A in B', means: 'shared shingles / shingles of A' },
  { measure: 'containmentBA', name: 'Containment of B in A', means: 'shared shingles / shingles of B' },
  { measure: 'dice', name: 'Dice', means: '2 × shared / (shingles of A + of B)' },
  { measure: 'overlap', name: 'Overlap', means: 'shared shingles / the smaller set' },
  { measure: 'editSimilarity', name: 'Edit similarity', means: '1 − edits / length of the longer' },
];

export function MeasuresTable({ compared }: { compared: ComparedTexts }) {
  const { measures, editSimilarity, estimated } = compared;
  return (
    <table>
      <tbody>
        {rows.map(({ measure, name, means }) => {
          const value = measure === 'editSimilarity' ? editSimilarity : measures[measure];
          const estimate = estimated[measure];
          return (
            <>
              <tr key={measure}>
                <th scope="row">
                  {name}
                  <small>{means}</small>
                </th>
                <td class="gauge">{value !== null && <Gauge value={value} />}</td>
                <td class="value">
                  {value === null ? (
                    <span class="note">too long to edit</span>
                  ) : (
                    <>
                      <b>{rounded(value)}</b>
                      {String(value).length > 6 && <small>{value}</small>}
                    </>
                  )}
                </td>
              </tr>
              {estimate && value !== null && (
                <EstimateRow key={`${measure}~`} name={name} exact={value} estimate={estimate} />
              )}
            </>
          );
        })}
      </tbody>
    </table>
  );
}

function EstimateRow({ name, exact, estimate }: { name: string; exact: number; estimate: Estimated }) {
  const { value, standardError } = estimate;
  const off = standardError > 0 ? `; ${(Math.abs(value - exact) / standardError).toFixed(1)} standard errors off` : '';
  return (
    <tr class="estimate">
      <th scope="row">
        {name}, estimated
        <small>
          {standardError > 0
            ? `from the sketches, ± its standard error${off}`
            : 'from the sketches, of which all or none agree: its error is not known'}
        </small>
      </th>
      <td class="gauge">
        <svg viewBox="0 0 200 12" preserveAspectRatio="none" aria-hidden="true">
          <rect class="track" y="2" width="200" height="8" rx="2" />
          <rect
            class="spread"
            y="2"
            x={Math.max(0, value - standardError) * 200}
            width={(Math.min(1, value + standardError) - Math.max(0, value - standardError)) * 200}
            height="8"
          />
          <rect class="point" x={value * 200 - 0.8} width="1.6" height="12" />
        </svg>
      </td>
      <td class="value">
        <b>{rounded(value)}</b>
        {standardError > 0 && ` ± ${rounded(standardError)}`}
      </td>
    </tr>
  );
}

function Gauge({ value }: { value: number }) {
  return (
    <svg viewBox="0 0 200 12" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" y="2" width="200" height="8" rx="2" />
      <rect class="share" y="2" width={value * 200} height="8" rx="2" />
    </svg>
  );
}
