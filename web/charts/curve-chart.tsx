/** Curves over similarity, a threshold, what lies on the wrong side of both, and the pairs of a collection behind them. */
import { probability } from '../ui/shown.ts';

export interface ShownCurve {
  readonly label: string;
  readonly at: (similarity: number) => number;
}

export interface CurveChartProps {
  readonly title: string;
  readonly description: string;
  /** The first one is shaded. */
  readonly curves: readonly ShownCurve[];
  readonly threshold: number;
  /** In place of `threshold 0.8`. */
  readonly markLabel?: string;
  readonly axis: string;
  readonly counts?: readonly number[] | undefined;
  readonly isShaded?: boolean;
}

const width = 720;
const height = 420;
const plot = { left: 70, right: 18, top: 34, bottom: 58 };
const STEPS = 200;

const x = (similarity: number) => round(plot.left + similarity * (width - plot.left - plot.right));
const y = (value: number) => round(height - plot.bottom - value * (height - plot.top - plot.bottom));
const round = (value: number) => Math.round(value * 10) / 10;

export function CurveChart(props: CurveChartProps) {
  const { curves, threshold, counts, isShaded = true } = props;
  const [main] = curves;
  return (
    <figure>
      <svg class="chart curves" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={props.description}>
        <title>{props.title}</title>
        {counts && <Pairs counts={counts} threshold={threshold} />}
        <Grid />
        {isShaded && main && <Shades curve={main} threshold={threshold} />}
        <line class="mark-line" x1={x(threshold)} x2={x(threshold)} y1={y(0)} y2={y(1)} />
        <text class="ink" x={x(threshold)} y={y(1) - 10}>
          {props.markLabel ?? `threshold ${threshold}`}
        </text>
        {curves.map(({ label, at }, place) => (
          <path key={label} class={place === 0 ? 'curve' : 'curve second'} d={pathOf(at)}>
            <title>{label}</title>
          </path>
        ))}
        {curves.map(({ label, at }, place) => (
          <Crossing key={label} value={at(threshold)} threshold={threshold} isFirst={place === 0} />
        ))}
        <text x={x(0.5)} y={height - 12}>
          similarity of two documents
        </text>
        <text transform={`translate(16 ${y(0.5)}) rotate(-90)`}>{props.axis}</text>
      </svg>
    </figure>
  );
}

function Grid() {
  return (
    <>
      {Array.from({ length: 11 }, (_, tenth) => tenth / 10).map(value => (
        <g key={value}>
          <line class={value === 0 ? 'axis' : 'grid'} x1={x(value)} x2={x(value)} y1={y(0)} y2={y(1)} />
          <line class={value === 0 ? 'axis' : 'grid'} x1={x(0)} x2={x(1)} y1={y(value)} y2={y(value)} />
          <text x={x(value)} y={y(0) + 22}>
            {value}
          </text>
          <text class="end" x={x(0) - 8} y={y(value) + 4}>
            {value}
          </text>
        </g>
      ))}
    </>
  );
}

/** Above the curve right of the threshold: missed. Below it, left of the threshold: compared in vain. */
function Shades({ curve, threshold }: { curve: ShownCurve; threshold: number }) {
  const points = (from: number, to: number) =>
    Array.from({ length: 101 }, (_, step) => from + ((to - from) * step) / 100).map(
      similarity => `${x(similarity)} ${y(curve.at(similarity))}`,
    );
  return (
    <>
      <path class="wasted" d={`M${x(0)} ${y(0)}L${points(0, threshold).join('L')}L${x(threshold)} ${y(0)}Z`}>
        <title>compared in vain</title>
      </path>
      <path class="missed" d={`M${x(threshold)} ${y(1)}L${points(threshold, 1).join('L')}L${x(1)} ${y(1)}Z`}>
        <title>missed</title>
      </path>
    </>
  );
}

/** On a logarithmic scale: one pair among millions can be seen. */
function Pairs({ counts, threshold }: { counts: readonly number[]; threshold: number }) {
  const most = Math.log10(1 + Math.max(1, ...counts));
  const slot = (x(1) - x(0)) / counts.length;
  return (
    <>
      {counts.map((count, bin) => {
        const value = Math.log10(1 + count) / most;
        return (
          <rect
            key={bin / 100}
            class={bin / 100 >= threshold - 1e-9 ? 'pairs like' : 'pairs'}
            x={round(x(0) + bin * slot)}
            y={y(value)}
            width={round(slot * 0.9)}
            height={round(y(0) - y(value))}
          >
            <title>{`${(bin / 100).toFixed(2)}: ${count} pairs`}</title>
          </rect>
        );
      })}
    </>
  );
}

function Crossing({ value, threshold, isFirst }: { value: number; threshold: number; isFirst: boolean }) {
  // A rising curve leaves room at its lower right, until the edge of the picture.
  const isRight = threshold <= 0.85;
  return (
    <>
      <circle class="dot" cx={x(threshold)} cy={y(value)} r="5" />
      {isFirst && (
        <text
          class={`strong ${isRight ? 'start' : 'end'}`}
          x={x(threshold) + (isRight ? 10 : -10)}
          y={y(value) + (value > 0.5 ? 20 : -10)}
        >
          {probability(value)}
        </text>
      )}
    </>
  );
}

function pathOf(curve: (similarity: number) => number): string {
  const points = Array.from({ length: STEPS + 1 }, (_, step) => `${x(step / STEPS)} ${y(curve(step / STEPS))}`);
  return `M${points.join('L')}`;
}
