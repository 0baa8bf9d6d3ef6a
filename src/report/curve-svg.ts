/** Curves → one self-contained SVG picture, readable in print, in a browser and by a screen reader. */
import type { Curve } from '../lsh/curve.ts';
import { type CurvePlot, showProbability } from './curve-terminal.ts';

const WIDTH = 720;
const HEIGHT = 460;
const PLOT = { left: 76, right: 24, top: 64, bottom: 68 };
const LEGEND_LINE = 22;
const STEPS = 200; // a segment every 0.005 of similarity: 3 pixels

/** Told apart by dash as well as by colour (Okabe and Ito's palette, safe for the colour-blind). */
const STROKES = [
  { color: '#0072b2', dash: 'none' },
  { color: '#b34700', dash: '9 4' },
  { color: '#00795a', dash: '3 3' },
  { color: '#8f3f75', dash: '12 3 3 3' },
];

export interface CurvePicture extends CurvePlot {
  readonly title: string;
  /** One or two sentences that say what the picture shows, for those who cannot see it. */
  readonly description: string;
}

export function drawAsSvg(picture: CurvePicture): string {
  // A legend stands under the plot, where it hides no curve; one curve needs none.
  const legendLines = picture.curves.length > 1 ? legend(picture) : [];
  const height = HEIGHT + (legendLines.length > 0 ? picture.curves.length * LEGEND_LINE + 6 : 0);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}"`,
    '  role="img" aria-labelledby="title description" font-family="system-ui, sans-serif" font-size="13" fill="#222">',
    `<title id="title">${escapeXml(picture.title)}</title>`,
    `<desc id="description">${escapeXml(picture.description)}</desc>`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="${PLOT.left}" y="34" font-size="18" font-weight="600">${escapeXml(picture.title)}</text>`,
    ...grid(),
    ...axisLabels(picture.probability),
    ...(picture.mark ? mark(picture.mark) : []),
    ...picture.curves.map(({ label, curve }, number) => curvePath(label, curve, number)),
    ...(picture.mark ? crossings(picture) : []),
    ...legendLines,
    '</svg>',
    '',
  ].join('\n');
}

function grid(): string[] {
  return Array.from({ length: 11 }, (_, tenth) => tenth / 10).flatMap(value => {
    const color = value === 0 ? '#444' : '#e3e3e3';
    return [
      line(x(value), y(0), x(value), y(1), `stroke="${color}"`),
      line(x(0), y(value), x(1), y(value), `stroke="${color}"`),
      `<text x="${x(value)}" y="${y(0) + 20}" text-anchor="middle">${value}</text>`,
      `<text x="${x(0) - 10}" y="${y(value) + 4}" text-anchor="end">${value}</text>`,
    ];
  });
}

function axisLabels(probability: string): string[] {
  const middle = y(0.5);
  return [
    `<text x="${x(0.5)}" y="${HEIGHT - 20}" text-anchor="middle" font-size="14">similarity</text>`,
    `<text transform="translate(24 ${middle}) rotate(-90)" text-anchor="middle" font-size="14">${escapeXml(probability)}</text>`,
  ];
}

function mark({ similarity, label }: NonNullable<CurvePlot['mark']>): string[] {
  // The label stands above the plot, where no curve can cross it, and never runs out of the picture.
  const anchor = similarity < 0.15 ? 'start' : similarity > 0.85 ? 'end' : 'middle';
  return [
    line(x(similarity), y(0), x(similarity), y(1), 'stroke="#444" stroke-width="1.5" stroke-dasharray="5 4"'),
    `<text x="${x(similarity)}" y="${y(1) - 8}" text-anchor="${anchor}">${escapeXml(label)}</text>`,
  ];
}

function curvePath(label: string, curve: Curve, number: number): string {
  const points = Array.from({ length: STEPS + 1 }, (_, step) => `${x(step / STEPS)} ${y(curve(step / STEPS))}`);
  const { color, dash } = strokeOf(number);
  return (
    `<path d="M${points.join('L')}" fill="none" stroke="${color}" stroke-width="2.5" stroke-dasharray="${dash}" ` +
    `stroke-linejoin="round"><title>${escapeXml(label)}</title></path>`
  );
}

/** A dot where each curve meets the mark; its value beside it, or in the legend when several would overlap. */
function crossings({ curves, mark }: CurvePlot): string[] {
  return curves.flatMap(({ curve }, number) => {
    const similarity = mark!.similarity;
    const probability = curve(similarity);
    const { color } = strokeOf(number);
    // A rising curve leaves room at its lower right and upper left; near the right edge the text ends where the page does.
    const side =
      similarity > 0.9
        ? { at: WIDTH - 4, anchor: 'end' }
        : similarity > 0.5
          ? { at: x(similarity) + 10, anchor: 'start' }
          : { at: x(similarity) - 10, anchor: 'end' };
    const dot = `<circle cx="${x(similarity)}" cy="${y(probability)}" r="4.5" fill="${color}" stroke="#fff"/>`;
    if (curves.length > 1) return [dot];
    const height = y(probability) + (probability > 0.5 ? 22 : -10);
    return [
      dot,
      `<text x="${side.at}" y="${height}" text-anchor="${side.anchor}" font-weight="600" fill="${color}" ` +
        `stroke="#fff" stroke-width="4" paint-order="stroke">${showProbability(probability)}</text>`,
    ];
  });
}

function legend({ curves, mark }: CurvePlot): string[] {
  return curves.flatMap(({ label, curve }, number) => {
    const value = mark ? `: ${showProbability(curve(mark.similarity))} at ${mark.similarity}` : '';
    const { color, dash } = strokeOf(number);
    const top = HEIGHT + number * LEGEND_LINE;
    return [
      line(x(0), top, x(0) + 40, top, `stroke="${color}" stroke-width="2.5" stroke-dasharray="${dash}"`),
      `<text x="${x(0) + 50}" y="${top + 4}">${escapeXml(label + value)}</text>`,
    ];
  });
}

function line(x1: number, y1: number, x2: number, y2: number, attributes: string): string {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" ${attributes}/>`;
}

function x(similarity: number): number {
  return pixel(PLOT.left + similarity * (WIDTH - PLOT.left - PLOT.right));
}

function y(probability: number): number {
  return pixel(HEIGHT - PLOT.bottom - probability * (HEIGHT - PLOT.top - PLOT.bottom));
}

/** A tenth of a pixel is as fine as anyone sees. */
function pixel(position: number): number {
  return Math.round(position * 10) / 10;
}

function strokeOf(number: number) {
  return STROKES[number % STROKES.length]!;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`);
}
