/** Options as given, and those an index was made with → the options it works with; what contradicts is named. */
import { type GivenRunOptions, type RunOptions, readRunOptions } from '../engine/run-options.ts';
import { writtenOptions } from '../engine/written-options.ts';
import { fail } from '../errors.ts';
import { type GivenOptions, type NameOf, plainName, withoutAliases } from '../options.ts';
import { isSecret, requireSecret, type Secret, type SecretCheck, secretCheck, seedFrom } from './secret-seed.ts';

export const indexOptionNames = [
  'threshold',
  'measure',
  'shingle',
  'sketch',
  'lsh',
  'recall',
  'normalise',
  'seed',
] as const;

export type GivenIndexOptions = GivenOptions<Exclude<(typeof indexOptionNames)[number], 'seed'>> & {
  /** Seed of every hash, or `secret:NAME` for a secret in the environment variable NAME. Default: 1. */
  readonly seed?: number | Secret | undefined;
};
export type IndexOptions = RunOptions;

/** As they stand in the index: as a user writes them, and of a secret seed only its name and a check. */
export interface WrittenIndexOptions {
  readonly options: Readonly<Record<string, string | number>>;
  readonly secret?: SecretCheck;
}

export interface ReadIndexOptions {
  readonly options: IndexOptions;
  readonly written: WrittenIndexOptions;
}

/** For an index that is not there yet. */
export function readIndexOptions(given: GivenIndexOptions, nameOf: NameOf = plainName): ReadIndexOptions {
  const { seed, ...others } = withoutAliases(given);
  const options = readOptions({ ...others, seed: seedFrom(seed, nameOf('seed')) }, nameOf);
  const written = writtenIndexOptions(options);
  if (!isSecret(seed)) return { options, written: { options: written } };
  return { options, written: { options: { ...written, seed }, secret: secretCheck(seed) } };
}

/** For one that is there: what is given must be what it was made with, and may be left out. */
export function matchIndexOptions(
  made: WrittenIndexOptions,
  given: GivenIndexOptions,
  index: string,
  nameOf: NameOf = plainName,
): IndexOptions {
  const { seed = made.options.seed as GivenIndexOptions['seed'], ...others } = withoutAliases(given);
  const differences: string[] = [];
  if (made.secret) {
    if (isSecret(seed)) requireSecret(made.secret, seed, index, nameOf('seed'));
    else differences.push(`${nameOf('seed')} ${made.options.seed}, not ${seed}`);
  }
  const wanted = readOptions({ ...made.options, ...defined(others), seed: seedFrom(seed, nameOf('seed')) }, nameOf);
  const wantedWritten: Record<string, string | number> = writtenIndexOptions(wanted);
  for (const [name, value] of Object.entries(made.options)) {
    if (name === 'seed' && made.secret) continue;
    const other = name === 'seed' && isSecret(seed) ? seed : wantedWritten[name]!;
    if (other !== value) differences.push(`${nameOf(name)} ${show(value)}, not ${show(other)}`);
  }
  if (differences.length > 0) fail('INDEX_OPTIONS', { index, differences });
  return wanted;
}

function readOptions(given: GivenRunOptions, nameOf: NameOf): IndexOptions {
  const options = readRunOptions(given, nameOf);
  if (options.measure === 'edit') {
    fail('BAD_COMBINATION', {
      what: `${nameOf('measure')} edit with an index`,
      why: 'an index promises a recall, and candidates by shingles promise none for edit distance',
    });
  }
  if (options.threshold === 0) {
    fail('BAD_COMBINATION', {
      what: `${nameOf('threshold')} 0 with an index`,
      why: 'every document would be a near-duplicate of the first',
    });
  }
  return options;
}

function writtenIndexOptions(options: IndexOptions): Record<string, string | number> {
  const written = writtenOptions(options);
  return Object.fromEntries(
    indexOptionNames.flatMap(name => (written[name] === undefined ? [] : [[name, written[name]]])),
  );
}

function defined<Given extends object>(given: Given): Given {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Given;
}

function show(value: string | number): string | number {
  return value === '' ? 'none' : value;
}
