/** Counts of a few kinds, by value → stacked bars that can be links, on a plain or a logarithmic scale; and the same as a table. */
import { shortCount, withCommas } from '../ui/shown.ts';

export interface Bar {
  /** Under the bar. */
  readonly tick: string;
  readonly range: string;
  /** In the order of the kinds, from the bottom up. */
  readonly counts: readonly number[];
  readonly href?: string;
}

const width = 640;
const height = 250;
/** Room for letters that are larger on a phone, where all is drawn at half its size. */
const plot = { left: 8, right: 8, top: 28, bottom: 62 };
const widest = 90;
/** So that one document among millions can be seen. */
const thinnest = 2;

export function Histogram(props: {
  title: string;
  axis: string;
  kinds: readonly string[];
  bars: readonly Bar[];
  isLog?: boolean;
}) {
  const { bars, kinds, isLog = false } = props;
  const base = height - plot.bottom;
  const slot = Math.min(widest, (width - plot.left - plot.right) / Math.max(1, bars.length));
  const scaled = (count: number) => (isLog ? Math.log10(1 + count) : count);
  const highest = Math.max(1e-9, ...bars.map(({ counts }) => scaled(total(counts))));
  const shown = kinds.filter((_, kind) => bars.some(({ counts }) => counts[kind]! > 0));
  return (
    <figure>
      {/* Bars that are links are in it, so it is a group and not one picture. */}
      <svg class="chart histogram" viewBox={`0 0 ${width} ${height}`} role="group" aria-label={props.title}>
        {bars.map((bar, at) => {
          const all = total(bar.counts);
          const tall = (scaled(all) / highest) * (base - plot.top);
          const left = plot.left + at * slot;
          let top = base;
          const rects = bar.counts.map((count, kind) => {
            if (count === 0) return null;
            const part = Math.max(thinnest, (tall * count) / all);
            top -= part;
            return (
              <rect
                key={kinds[kind]}
                class={kinds[kind]!}
                x={left + slot * 0.1}
                y={top}
                width={slot * 0.8}
                height={part}
              />
            );
          });
          const content = (
            <>
              <title>{`${bar.range}: ${bar.counts.map((count, kind) => `${withCommas(count)} ${kinds[kind]}`).join(', ')}`}</title>
              {rects}
              {all > 0 && (
                <text class="ink" x={left + slot / 2} y={Math.max(16, top - 6)}>
                  {shortCount(all)}
                </text>
              )}
            </>
          );
          return (
            <g key={bar.range}>
              {bar.href && all > 0 ? (
                <a href={bar.href}>
                  <rect class="hit" x={left} y={plot.top} width={slot} height={base - plot.top} />
                  {content}
                </a>
              ) : (
                content
              )}
              <text x={left + slot / 2} y={base + 22}>
                {bar.tick}
              </text>
            </g>
          );
        })}
        <line class="axis" x1={plot.left} x2={width - plot.right} y1={base} y2={base} />
        <text x={width / 2} y={height - 8}>
          {props.axis}
        </text>
      </svg>
      {shown.length > 1 && (
        <figcaption class="legend">
          {shown.map(kind => (
            <span key={kind} class={kind}>
              {kind}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  );
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
