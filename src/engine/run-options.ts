/** The options of a run over a collection, read once, and checks of their combinations. */
import { fail } from '../errors.ts';
import { type ResolvedLsh, resolveLsh } from '../lsh/tune.ts';
import { type GivenOptions, type NameOf, type Options, plainName, readOptions } from '../options.ts';

export const runOptionNames = [
  'threshold',
  'measure',
  'shingle',
  'sketch',
  'lsh',
  'recall',
  'verify',
  'cluster',
  'keep',
  'by',
  'normalise',
  'seed',
] as const;

type RunOptionName = (typeof runOptionNames)[number];
export type GivenRunOptions = GivenOptions<RunOptionName>;

export interface RunOptions extends Options<RunOptionName> {
  /** Bands or random selections of a MinHash sketch; undefined for sketches that need none. */
  readonly resolvedLsh?: ResolvedLsh;
}

export function readRunOptions(given: GivenRunOptions, nameOf: NameOf = plainName): RunOptions {
  return runOptionsOf(readOptions(runOptionNames, given, nameOf), given, nameOf);
}

/** For a run that finds all pairs without LSH. There is no recall to reach, so any threshold above 0 works. */
export function readExactOptions(given: GivenRunOptions, nameOf: NameOf = plainName): RunOptions {
  return exactOptionsOf(readOptions(runOptionNames, given, nameOf), given, nameOf);
}

/** Options that were read one by one → those of a run, or an error if they do not go together. `asked` tells given options from defaults. */
export function runOptionsOf(read: Options<RunOptionName>, asked: Asked, nameOf: NameOf): RunOptions {
  const options = withShingleOfEdit(read, asked);
  const { sketch, measure, verify } = options;
  if (measure === 'edit' && verify !== 'exact') {
    fail('BAD_COMBINATION', {
      what: `${nameOf('verify')} ${verify} with ${nameOf('measure')} edit`,
      why: 'sketches do not estimate it; it is always verified by edit distance',
    });
  }
  const sketchName = `${nameOf('sketch')} ${sketch.kind}`;
  if (sketch.kind === 'minhash' || sketch.kind === 'oph') {
    return {
      ...options,
      resolvedLsh: resolveLsh(options.lsh, { ...lshNeed(options), sketch: `${sketchName}:${sketch.size}` }, nameOf),
    };
  }
  if (options.lsh.kind !== 'auto') {
    fail('BAD_COMBINATION', {
      what: `${nameOf('lsh')} with ${sketchName}`,
      why: 'it finds candidates by itself; only minhash and oph are cut into bands',
    });
  }
  if (measure === 'edit') {
    fail('BAD_COMBINATION', {
      what: `${nameOf('measure')} edit with ${sketchName}`,
      why: 'its candidates are found by minhash or oph',
    });
  }
  if (verify !== 'exact' && (sketch.kind === 'super' || sketch.kind === 'simhash')) {
    fail('BAD_COMBINATION', {
      what: `${nameOf('verify')} ${verify} with ${sketchName}`,
      why: 'it does not estimate resemblance',
    });
  }
  return options;
}

/** The same without LSH. */
export function exactOptionsOf(read: Options<RunOptionName>, asked: Asked, nameOf: NameOf): RunOptions {
  const options = withShingleOfEdit(read, asked);
  const refuse = (what: string, why: string) =>
    fail('BAD_COMBINATION', { what: `${nameOf('exact')} with ${what}`, why });
  if (asked.lsh !== undefined) refuse(nameOf('lsh'), 'it finds all pairs, without LSH');
  if (options.verify !== 'exact') refuse(`${nameOf('verify')} ${options.verify}`, 'estimates prove nothing');
  if (options.measure === 'edit') refuse(`${nameOf('measure')} edit`, 'candidates by shingles may miss pairs of it');
  if (options.threshold === 0) refuse(`${nameOf('threshold')} 0`, 'every pair is at or above 0');
  return options;
}

type Asked = { readonly [Name in 'shingle' | 'lsh']?: unknown };

function withShingleOfEdit(options: Options<RunOptionName>, { shingle }: Asked): Options<RunOptionName> {
  return options.measure === 'edit' && shingle === undefined ? { ...options, shingle: SHINGLE_OF_EDIT } : options;
}

const SHINGLE_OF_EDIT = { unit: 'char', size: 5 } as const;

/**
 * What LSH must reach. Two texts of edit similarity e with edits all over have about e⁵ of their 5-shingles in common;
 * that is where their candidates are looked for, and no recall is promised.
 */
function lshNeed({ measure, threshold, recall, sketch }: Options<RunOptionName>) {
  if (measure !== 'edit') return { threshold, recall, hashes: sketch.size };
  const intact = threshold ** 5;
  return { threshold: Math.max(0.05, intact / (2 - intact)), recall: 0.9, hashes: sketch.size };
}
