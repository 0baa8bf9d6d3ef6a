/** Curves → a plot of plain characters for the terminal. */
import type { Curve } from '../lsh/curve.ts';

interface PlottedCurve {
  readonly label: string;
  readonly curve: Curve;
}

export interface CurvePlot {
  readonly curves: readonly PlottedCurve[];
  /** Marked by a vertical line. */
  readonly mark?: { readonly similarity: number; readonly label: string };
  /** What the vertical axis shows. */
  readonly probability: string;
}

const COLUMNS = 61; // a step is 1/60 of similarity
const ROWS = 17; // a step is 1/16 of probability
const GLYPHS = ['●', '○', '×', '+'];

export function plotInTerminal({ curves, mark, probability }: CurvePlot): string {
  const grid = Array.from({ length: ROWS }, () => new Array<string>(COLUMNS).fill(' '));
  if (mark) for (const line of grid) line[columnOf(mark.similarity)] = '┊';
  for (const [at, { curve }] of curves.entries()) draw(grid, curve, glyphOf(at));
  return [
    probability,
    ...grid.map((line, row) => `${tick(row)}${line.join('').trimEnd()}`),
    `     └${'─'.repeat(COLUMNS)}`,
    similarityTicks(),
    ...(mark ? [under(columnOf(mark.similarity), mark.label)] : []),
    ...(curves.length > 1 ? curves.map(({ label }, at) => `      ${glyphOf(at)} ${label}`) : []),
  ].join('\n');
}

const ALMOST_ALL = 0.999999;

/**
 * Four digits that matter: 0.3723, 1.502e-17, and 0.999951 rather than 1, which would say more than is true. Of a pair of
 * similarity below 1, even a probability that was rounded to 1 is not certain.
 */
export function showProbability(probability: number, similarity = 1): string {
  // Digits that nobody can measure, and that look as if it were exact.
  if (probability > ALMOST_ALL && (probability < 1 || similarity < 1)) return `> ${ALMOST_ALL}`;
  if (probability < 0.5) return String(Number(probability.toPrecision(4)));
  const leadingNines = probability === 1 ? 0 : -Math.ceil(Math.log10(1 - probability));
  return String(Number(probability.toFixed(Math.min(16, Math.max(4, leadingNines + 2)))));
}

function draw(grid: string[][], curve: Curve, glyph: string): void {
  let previous: number | undefined;
  for (let column = 0; column < COLUMNS; column++) {
    const row = Math.round((1 - curve(column / (COLUMNS - 1))) * (ROWS - 1));
    // A steep curve skips rows between two columns: they are filled, so that the line has no holes.
    const [top, bottom] = previous === undefined || previous <= row ? [row, row] : [row, previous - 1];
    for (let filled = top; filled <= bottom; filled++) grid[filled]![column] = glyph;
    previous = row;
  }
}

function columnOf(similarity: number): number {
  return Math.round(similarity * (COLUMNS - 1));
}

function glyphOf(at: number): string {
  return GLYPHS[at % GLYPHS.length]!;
}

/** A label at each quarter, the bare axis between them. */
function tick(row: number): string {
  const quarter = (ROWS - 1) / 4;
  return row % quarter === 0 ? `${(1 - row / (ROWS - 1)).toFixed(2)} ┤` : '     │';
}

function similarityTicks(): string {
  const line = new Array<string>(COLUMNS + 2).fill(' ');
  for (let fifth = 0; fifth <= 5; fifth++) {
    const label = (fifth / 5).toFixed(1);
    line.splice(columnOf(fifth / 5), label.length, ...label);
  }
  return `     ${line.join('').trimEnd()}  similarity`;
}

/** The label stands left of its arrow when there is no room at the right. */
function under(column: number, label: string): string {
  return column > COLUMNS / 2
    ? `${label} ▲`.padStart(column + 7) // 7: the axis and its labels
    : `${' '.repeat(column + 6)}▲ ${label}`;
}
