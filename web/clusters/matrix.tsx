/** Exact resemblances of all members with all, in an order in which like stands beside like. */
import { inTheMiddle, onOneLine, rounded, withCommas } from '../ui/shown.ts';
import type { Resemblances } from './order.ts';

/** More rows are too thin to be pointed at. */
const MOST = 60;

const STEPS = 12;

/** From the least alike to alike: so that members of one cluster can be told apart. */
function shade(value: number, least: number): number {
  return least === 1 ? 1 : 0.12 + 0.88 * ((value - least) / (1 - least));
}

export function Matrix(props: {
  order: readonly string[];
  resemblances: Resemblances;
  chosen: string;
  representative: string;
  /** Members of the cluster; of the first of them an order is known. */
  all: number;
  onChoose(id: string): void;
}) {
  const { resemblances, chosen, representative } = props;
  const order = props.order.slice(0, MOST);
  const cell = Math.min(30, 270 / Math.max(1, order.length));
  // Rows too thin for a name have none; the title of a cell names both.
  const label = cell < 11 ? 4 : 112;
  const all = cell * order.length;
  const least = order.reduce(
    (low, row) => order.reduce((lower, column) => Math.min(lower, resemblances.of(row, column) ?? 1), low),
    1,
  );
  return (
    <figure>
      <svg
        class="chart matrix"
        viewBox={`0 0 ${label + all + 4} ${all + 4}`}
        style={{ maxWidth: `${label + all + 4}px` }}
        aria-hidden="true"
      >
        {order.map((row, y) => (
          <g key={row} class={row === chosen ? 'chosen' : ''} onClick={() => props.onChoose(row)}>
            {label > 4 && (
              <text class={row === representative ? 'end strong' : 'end'} x={label - 6} y={y * cell + cell / 2 + 4}>
                {inTheMiddle(row, 15)}
              </text>
            )}
            {order.map((column, x) => {
              const value = resemblances.of(row, column);
              return (
                <rect
                  key={column}
                  class={value === undefined ? 'unknown' : 'cell-value'}
                  x={label + x * cell}
                  y={y * cell}
                  width={cell * 0.94}
                  height={cell * 0.94}
                  fill-opacity={value === undefined ? 1 : shade(value, least)}
                >
                  <title>{`${onOneLine(row, 60)} and ${onOneLine(column, 60)}: ${value === undefined ? 'not known' : rounded(value)}`}</title>
                </rect>
              );
            })}
          </g>
        ))}
      </svg>
      <figcaption class="scale">
        <span>{rounded(least)}</span>
        <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
          {Array.from({ length: STEPS }, (_, step) => (
            <rect
              key={step}
              class="cell-value"
              x={(100 / STEPS) * step}
              width={100 / STEPS}
              height="8"
              fill-opacity={shade(least + ((1 - least) * step) / (STEPS - 1), least)}
            />
          ))}
        </svg>
        <span>1</span>
      </figcaption>
      {props.all > order.length && (
        <figcaption>
          {withCommas(order.length)} of {withCommas(props.all)} members, like beside like.
          {props.all > props.order.length && ` They are of the first ${withCommas(props.order.length)}.`}
        </figcaption>
      )}
    </figure>
  );
}
