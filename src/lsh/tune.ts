/** A threshold and a wanted recall → bands × rows, with the curve they give. */
import { fail } from '../errors.ts';
import type { LshSpec } from '../model.ts';
import { type GivenOptions, MAX_HASHES, type NameOf, type Options, plainName, readOptions } from '../options.ts';
import { bandCurve, type CurvePoint, curvePoints, matchCurve } from './curve.ts';

export const tuneOptions = ['threshold', 'recall', 'hashes', 'bands', 'rows', 'matches', 'of'] as const;
export type TuneOptions = GivenOptions<(typeof tuneOptions)[number]>;

export interface BandTuning {
  readonly threshold: number;
  readonly hashes: number;
  readonly bands: number;
  readonly rows: number;
  /** Reached at the threshold, not the one wished for. */
  readonly recall: number;
  readonly curve: readonly CurvePoint[];
}

export interface MatchTuning {
  readonly matches: number;
  readonly of: number;
  readonly curve: readonly CurvePoint[];
}

/**
 * Threshold, recall and hashes → bands and rows, with the curve; or `matches` and `of` → the curve of such a rule.
 * `nameOf` is how errors name the options.
 *
 * @example
 * ```ts
 * const { bands, rows } = tune({ threshold: 0.8, recall: 0.999, hashes: 128 });
 * [bands, rows]; // → [ 25, 5 ]
 * ```
 */
export function tune(given: TuneOptions & { matches: unknown; of: unknown }, nameOf?: NameOf): MatchTuning;
export function tune(given?: TuneOptions & { matches?: never; of?: never }, nameOf?: NameOf): BandTuning;
export function tune(given?: TuneOptions, nameOf?: NameOf): BandTuning | MatchTuning;
export function tune(given: TuneOptions = {}, nameOf: NameOf = plainName): BandTuning | MatchTuning {
  return tuningOf(readOptions(tuneOptions, given, nameOf), given, nameOf);
}

/** The same of options that were read before. `given` tells which of them were asked for. */
export function tuningOf(
  { threshold, recall, hashes, bands, rows, matches, of }: Options<(typeof tuneOptions)[number]>,
  given: TuneOptions,
  nameOf: NameOf,
): BandTuning | MatchTuning {
  refuseHalves(given, nameOf);
  if (matches !== undefined && of !== undefined) return tuneMatches(matches, of, nameOf);
  if (bands === undefined || rows === undefined) {
    return describeBands(threshold, hashes, chooseBands({ threshold, recall, hashes }, nameOf));
  }
  if (given.hashes !== undefined && bands * rows > hashes) {
    const what = `${nameOf('bands')} ${bands} with ${nameOf('rows')} ${rows} and ${nameOf('hashes')} ${hashes}`;
    fail('BAD_COMBINATION', { what, why: `they need ${bands * rows} hashes` });
  }
  return describeBands(threshold, given.hashes === undefined ? bands * rows : hashes, { bands, rows });
}

interface LshNeed {
  readonly threshold: number;
  readonly recall: number;
  /** Minima in a sketch. */
  readonly hashes: number;
  /** What an error calls them, where they are not asked for as such. */
  readonly sketch?: string;
}

export interface ResolvedLsh {
  readonly kind: 'bands' | 'random';
  readonly bands: number;
  readonly rows: number;
}

/** `auto` becomes the bands that reach the recall; a scheme that was written out is checked against the sketch. */
export function resolveLsh(spec: LshSpec, need: LshNeed, nameOf: NameOf = plainName): ResolvedLsh {
  if (spec.kind === 'auto') return { kind: 'bands', ...chooseBands(need, nameOf) };
  const { kind, bands, rows } = spec;
  // Random signatures may share minima; bands may not.
  const needed = kind === 'bands' ? bands * rows : rows;
  if (needed <= need.hashes) return { kind, bands, rows };
  const what = `${nameOf('lsh')} ${kind}:${bands}x${rows}`;
  return fail('BAD_COMBINATION', { what, why: `needs ${needed} minima, the sketch has ${need.hashes}` });
}

/**
 * The largest number of rows that still reaches the recall: more rows let fewer unlike pairs through.
 * One row a band reaches the most, since 1 − s^r ≥ (1 − s)^r.
 */
function chooseBands(need: LshNeed, nameOf: NameOf): { bands: number; rows: number } {
  const { threshold, recall, hashes, sketch = `${nameOf('hashes')} ${hashes}` } = need;
  for (let rows = hashes; rows >= 1; rows--) {
    const bands = Math.floor(hashes / rows);
    if (bandCurve(bands, rows)(threshold) >= recall) return { bands, rows };
  }
  const what = `${sketch} cannot reach ${nameOf('recall')} ${recall} at ${nameOf('threshold')} ${threshold}`;
  return fail('BAD_COMBINATION', { what, why: whatWouldReach(threshold, recall) });
}

function whatWouldReach(threshold: number, recall: number): string {
  if (threshold === 0) return 'documents that share nothing are found by no number of hashes';
  const needed = hashesNeeded(threshold, recall);
  return needed <= MAX_HASHES
    ? `${needed} hashes would be needed`
    : `${needed} hashes would be needed, and ${MAX_HASHES} is the most there can be`;
}

/** With one row a band, 1 − (1 − t)^k ≥ recall. */
function hashesNeeded(threshold: number, recall: number): number {
  const estimate = Math.ceil(Math.log1p(-recall) / Math.log1p(-threshold));
  if (estimate > MAX_HASHES) return estimate;
  // Two roundings may leave the logarithms one short of what the curve says, or one past it.
  for (let hashes = Math.max(1, estimate - 1); ; hashes++) {
    if (bandCurve(hashes, 1)(threshold) >= recall) return hashes;
  }
}

function describeBands(threshold: number, hashes: number, { bands, rows }: { bands: number; rows: number }) {
  const curve = bandCurve(bands, rows);
  return { threshold, hashes, bands, rows, recall: curve(threshold), curve: curvePoints(curve) };
}

function tuneMatches(matches: number, of: number, nameOf: NameOf): MatchTuning {
  if (matches > of) {
    const why = `no more than ${of} of ${of} minima can be equal`;
    fail('BAD_COMBINATION', { what: `${nameOf('matches')} ${matches} with ${nameOf('of')} ${of}`, why });
  }
  return { matches, of, curve: curvePoints(matchCurve(matches, of)) };
}

function refuseHalves(given: TuneOptions, nameOf: NameOf): void {
  const refuseWithout = (one: keyof TuneOptions, other: keyof TuneOptions, why: string) => {
    if (given[one] !== undefined && given[other] === undefined)
      fail('BAD_COMBINATION', { what: `${nameOf(one)} without ${nameOf(other)}`, why });
  };
  const oneCurve = 'a curve needs both; leave both out to have them chosen';
  refuseWithout('bands', 'rows', oneCurve);
  refuseWithout('rows', 'bands', oneCurve);
  const oneShare = `"at least M equal minima of N" needs both numbers`;
  refuseWithout('matches', 'of', oneShare);
  refuseWithout('of', 'matches', oneShare);
  for (const other of ['bands', 'recall', 'hashes'] as const) {
    if (given.matches === undefined || given[other] === undefined) continue;
    const why = `${nameOf('matches')} compares whole sketches, ${nameOf(other)} belongs to LSH; they are two curves`;
    fail('BAD_COMBINATION', { what: `${nameOf('matches')} with ${nameOf(other)}`, why });
  }
}
