/** Two documents and their comparison → lines to read in a terminal: measures, what the sketches saw, shared passages. */
import { firstAtLeast } from '../../engine/ascending.ts';
import type { Comparison } from '../../engine/calls/compare.ts';
import type { Passage } from '../../model.ts';
import { alignColumns, count, excerpt, printable, rounded } from '../../report/printable.ts';
import { hammingDistance } from '../../sketch/simhash.ts';
import { isEmpty, type Sketch } from '../../sketch/sketch.ts';

export interface ComparedSide {
  readonly id: string;
  readonly text?: string;
  readonly set?: readonly (string | number)[];
  /** Shingles or elements. */
  readonly size: number;
  readonly sketch: Sketch;
}

export function compareLines(
  a: ComparedSide,
  b: ComparedSide,
  comparison: Comparison,
  passages: readonly Passage[],
): string[] {
  const thing = a.text === undefined ? 'element' : 'shingle';
  const lines = [
    `A  ${printable(a.id)}  (${count(a.size, thing)})`,
    `B  ${printable(b.id)}  (${count(b.size, thing)})`,
    '',
    ...alignColumns([['measure', 'exact', 'estimated'], ...measureRows(comparison, a.sketch, b.sketch)]),
    '',
    sketchLine(a.sketch, b.sketch),
  ];
  if (a.text === undefined || b.text === undefined) return lines;
  return [...lines, '', ...passageLines(a.text, b.text, passages)];
}

function measureRows({ estimated, ...exact }: Comparison, a: Sketch, b: Sketch): string[][] {
  const seen = Math.min(samplesOf(a), samplesOf(b));
  const ofMod = estimated && 'containmentAB' in estimated ? estimated : undefined;
  const ofMinima = estimated && 'resemblance' in estimated ? estimated : undefined;
  const rows = [
    ['resemblance', rounded(exact.resemblance), estimate(ofMinima?.resemblance, ofMinima?.standardError, seen)],
    [
      'containment of A in B',
      rounded(exact.containmentAB),
      estimate(ofMod?.containmentAB, ofMod?.standardErrorAB, samplesOf(a)),
    ],
    [
      'containment of B in A',
      rounded(exact.containmentBA),
      estimate(ofMod?.containmentBA, ofMod?.standardErrorBA, samplesOf(b)),
    ],
    ['Dice', rounded(exact.dice), ''],
    ['overlap', rounded(exact.overlap), ''],
  ];
  if (exact.editSimilarity !== null) rows.push(['edit similarity', rounded(exact.editSimilarity), '']);
  if (estimated && 'cosine' in estimated) {
    // Of sets as vectors of zeros and ones: |A∩B| / √(|A|·|B|).
    const cosine = Math.sqrt(exact.containmentAB * exact.containmentBA);
    rows.push(['cosine', rounded(cosine), estimate(estimated.cosine, estimated.standardError, seen)]);
  }
  return rows;
}

/** Values of a sketch that tell something, each by itself. */
function samplesOf(sketch: Sketch): number {
  if (isEmpty(sketch)) return 0;
  if (sketch.kind === 'simhash') return 64;
  return sketch.values.length;
}

/**
 * Where all or none of n values agree, the standard error is 0, and nothing was learned of how far off that is. Then a
 * bound that holds with 95 % is told instead: p^n = 0.05.
 */
function estimate(value: number | null | undefined, standardError: number | null | undefined, samples: number): string {
  if (value === undefined || value === null) return '';
  if (samples === 0) return 'no estimate';
  if (standardError) return `${rounded(value)} ± ${rounded(standardError)}`;
  const bound = 0.05 ** (1 / samples);
  return value < 0.5 ? `< ${rounded(1 - bound)} (95 %)` : `> ${rounded(bound)} (95 %)`;
}

function sketchLine(a: Sketch, b: Sketch): string {
  if (isEmpty(a) || isEmpty(b)) return `sketches ${a.kind}: nothing to compare`;
  const shared = sharedValues(a, b);
  switch (a.kind) {
    case 'minhash':
    case 'oph':
      return `sketches ${a.kind}:${a.size}: ${shared} of ${a.size} values equal`;
    case 'simhash':
      return `sketches simhash: ${hammingDistance(a.values[0]!, (b.values as BigUint64Array)[0]!)} of 64 bits differ`;
    case 'super':
      return `sketches super:${a.size}: ${count(shared, 'super shingle')} in common, ${shared > 0 ? 'a candidate' : 'no candidate'}`;
    case 'mod':
      return `sketches mod: of A those 0 mod ${a.size} (${a.values.length}), of B those 0 mod ${b.size} (${b.values.length})`;
    case 'bottom':
      return `sketches bottom:${a.size}: ${a.values.length} and ${b.values.length} values, ${shared} in both`;
  }
}

/** Of minima and bins, equal at the same position; of the others, in both. */
function sharedValues(a: Sketch, b: Sketch): number {
  if (a.values instanceof Uint32Array) return a.values.filter((value, at) => value === b.values[at]).length;
  const inB = new Set<bigint | number>(b.values);
  return a.values.filter(value => inB.has(value)).length;
}

const SHOWN = 10;

function passageLines(textA: string, textB: string, passages: readonly Passage[]): string[] {
  if (passages.length === 0) return ['no shared passage'];
  const lineA = lineCounter(textA);
  const lineB = lineCounter(textB);
  const rows = passages
    .slice(0, SHOWN)
    .map(({ a, b }) => [
      `  A:${lineA(a[0])}`,
      `B:${lineB(b[0])}`,
      count(a[1] - a[0], 'character'),
      excerpt(textA.slice(a[0], a[1]), 72),
    ]);
  const more = passages.length - rows.length;
  return [
    `${count(passages.length, 'shared passage')} (lines in A and B)`,
    ...alignColumns(rows),
    ...(more > 0 ? [`  … and ${more} more; --html FILE shows them all`] : []),
  ];
}

/** 1 is the first. */
function lineCounter(text: string): (at: number) => number {
  const starts = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return at => firstAtLeast(starts, at) + 1;
}
