/** Documents and a wish for bands → the tuning, and what it and its neighbours find among a sample of the documents. */
import type { Steps } from '../../cluster/steps.ts';
import { fail } from '../../errors.ts';
import { bandKeys } from '../../lsh/bands.ts';
import { candidatePairs } from '../../lsh/candidates.ts';
import { bandCurve } from '../../lsh/curve.ts';
import { type BandTuning, type TuneOptions, tune } from '../../lsh/tune.ts';
import { type GivenOptions, type NameOf, type Options, plainName, readOptions } from '../../options.ts';
import { type CallSettings, Pace } from '../pace.ts';
import { sketcherOf } from '../sketcher.ts';
import { drawSample, type Sketchables } from './draw-sample.ts';
import { overlapSteps } from './overlap-join.ts';

/** Options of `tune` for bands, and how documents become sets. */
export type GivenSampleOptions = Omit<TuneOptions, 'matches' | 'of'> &
  GivenOptions<'shingle' | 'normalise' | 'seed'> &
  CallSettings;

/** How documents become sets. */
const makingOptions = ['shingle', 'normalise', 'seed'] as const;

export interface SampledTuning extends BandTuning {
  readonly sample: LshSample;
}

export interface LshSample {
  /** The number of documents in the sample. */
  readonly documents: number;
  /** The number of documents the sample was drawn from. */
  readonly read: number;
  /** Pairs below this resemblance are counted together. */
  readonly floor: number;
  /** Exact resemblances of all pairs at or above the floor, in steps of 0.05; `to` belongs to the next, but for 1. */
  readonly resemblances: readonly { readonly from: number; readonly to: number; readonly pairs: number }[];
  /** The one that was chosen, then others of as many hashes. */
  readonly schemes: readonly MeasuredScheme[];
}

export interface MeasuredScheme {
  readonly bands: number;
  readonly rows: number;
  /** By theory, of a pair just at the threshold. */
  readonly recall: number;
  /** At or above the threshold. */
  readonly pairs: number;
  /** How many of them became candidates. */
  readonly found: number;
  /** Their share; null when there is no pair to find. */
  readonly measuredRecall: number | null;
  /** What theory says of the same pairs, each at its own resemblance. */
  readonly expectedRecall: number | null;
  /** Candidates below the threshold, which verification compares in vain. */
  readonly falseCandidates: number;
  /** Those of them that are below the floor as well. */
  readonly belowFloor: number;
  /** By theory, of the pairs between floor and threshold alone. */
  readonly expectedFalseCandidates: number;
}

/** Two million pairs, the exact resemblances of which are found in seconds. */
const SAMPLE_SIZE = 2000;
const FLOOR = 0.1;
/** Rows more and less than chosen. */
const NEIGHBOURS = [-2, -1, 1, 2];

/**
 * Documents → what LSH finds among a sample of them, beside what theory says.
 *
 * @example
 * ```ts
 * const { bands, rows } = await tuneOnSample([{ id: 'a', text: 'one two' }], { threshold: 0.7 });
 * [bands, rows]; // → [ 32, 4 ]
 * ```
 */
export async function tuneOnSample(
  documents: Sketchables,
  given: GivenSampleOptions = {},
  nameOf: NameOf = plainName,
): Promise<SampledTuning> {
  const { shingle, normalise, normalize, seed, signal, onProgress, ...wish } = given;
  const tuning = tune(wish, nameOf);
  const making = readOptions(makingOptions, { shingle, normalise: normalise ?? normalize, seed }, nameOf);
  return measureOnSample(documents, tuning, making, { signal, onProgress }, nameOf);
}

/** The same of options that were read before. */
export async function measureOnSample(
  documents: Sketchables,
  tuning: BandTuning,
  making: Options<(typeof makingOptions)[number]>,
  settings: CallSettings,
  nameOf: NameOf,
): Promise<SampledTuning> {
  if (tuning.threshold === 0)
    fail('BAD_COMBINATION', { what: `${nameOf('threshold')} 0 with a sample`, why: 'every pair is at or above 0' });
  const pace = new Pace(settings);
  const sketcher = await sketcherOf({ ...making, sketch: { kind: 'minhash', size: tuning.hashes } });
  const drawn = await drawSample(documents, sketcher, SAMPLE_SIZE, pace);
  return { ...tuning, sample: await pace.finish('decide', sampleSteps(tuning, drawn)) };
}

function* sampleSteps(
  tuning: BandTuning,
  { documents, read }: Awaited<ReturnType<typeof drawSample>>,
): Steps<LshSample> {
  const floor = Math.min(FLOOR, tuning.threshold / 2);
  const sets = documents.map(({ set }) => set);
  const pairs = yield* resemblancesOf(sets, floor);
  const sketches = documents.map(({ sketch }) => sketch.values as Uint32Array);
  const schemes: MeasuredScheme[] = [];
  for (const scheme of schemesAround(tuning)) schemes.push(yield* measured(scheme, tuning.threshold, sketches, pairs));
  return { documents: documents.length, read, floor, resemblances: histogramOf(pairs.values(), floor), schemes };
}

/** Pairs between two checkpoints. */
const STRETCH = 2 ** 14;

/** Numbers of two documents, the first · count + the second → their resemblance. */
type PairResemblances = ReadonlyMap<number, number>;

function* resemblancesOf(sets: readonly BigUint64Array[], floor: number): Steps<PairResemblances> {
  const found = new Map<number, number>();
  yield* overlapSteps(sets, floor, (a, b, resemblance) => found.set(a * sets.length + b, resemblance));
  return found;
}

function schemesAround({ bands, rows, hashes }: BandTuning): { bands: number; rows: number }[] {
  const others = NEIGHBOURS.map(step => rows + step).filter(other => other >= 1 && other <= hashes);
  return [{ bands, rows }, ...others.map(other => ({ bands: Math.floor(hashes / other), rows: other }))];
}

function* measured(
  { bands, rows }: { bands: number; rows: number },
  threshold: number,
  sketches: readonly Uint32Array[],
  resemblances: PairResemblances,
): Steps<MeasuredScheme> {
  const curve = bandCurve(bands, rows);
  let pairs = 0;
  let expected = 0;
  let expectedFalseCandidates = 0;
  let seen = 0;
  for (const resemblance of resemblances.values()) {
    if (++seen % STRETCH === 0) yield;
    if (resemblance < threshold) expectedFalseCandidates += curve(resemblance);
    else {
      pairs++;
      expected += curve(resemblance);
    }
  }
  yield;
  const keys: BigUint64Array[] = [];
  for (const sketch of sketches) {
    keys.push(bandKeys(sketch, bands, rows));
    yield;
  }
  const candidates = candidatePairs(keys);
  yield;
  const known = candidates.map(([a, b]) => resemblances.get(a * sketches.length + b));
  const found = known.filter(resemblance => resemblance !== undefined && resemblance >= threshold).length;
  return {
    bands,
    rows,
    recall: curve(threshold),
    pairs,
    found,
    measuredRecall: pairs === 0 ? null : found / pairs,
    expectedRecall: pairs === 0 ? null : expected / pairs,
    falseCandidates: candidates.length - found,
    belowFloor: known.filter(resemblance => resemblance === undefined).length,
    expectedFalseCandidates,
  };
}

const STEPS = 20;

function histogramOf(resemblances: Iterable<number>, floor: number): LshSample['resemblances'] {
  const counts = new Array<number>(STEPS).fill(0);
  // i/20 · 20 is never below i in double precision, so 0.15 counts with those from 0.15.
  for (const resemblance of resemblances) counts[Math.min(STEPS - 1, Math.floor(resemblance * STEPS))]!++;
  return counts
    .map((pairs, step) => ({ from: step / STEPS, to: (step + 1) / STEPS, pairs }))
    .filter(({ to }) => to > floor);
}
