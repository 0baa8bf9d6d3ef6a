/** One table of options: name, value, range, default, help. The library, the command line and the docs all read it. */
import { fail } from './errors.ts';
import type { KeepSpec, LshSpec, Measure, ShingleSpec, SketchKind, SketchSpec } from './model.ts';

export interface Option<Value> {
  /** What stands after the flag in `--help`. */
  readonly placeholder: string;
  readonly help: string;
  /** As a user would write it; undefined when there is none. */
  readonly default?: string | number;
  /** Another spelling of the flag. */
  readonly alias?: string;
  /** From a string of the command line or a value of the library; fails with the option's name. */
  readonly parse: (given: unknown, name: string) => Value;
}

/** Minima a MinHash sketch may have at most. */
export const MAX_HASHES = 4096;

export const options = {
  threshold: numberOption('similarity at or above which two documents are near-duplicates', 0, 1, 0.8),
  recall: numberOption('share of the pairs at the threshold that LSH must find', 0.5, 0.999999, 0.999),
  measure: {
    placeholder: 'measure',
    help: 'resemblance, containment or edit',
    default: 'resemblance',
    parse: parseMeasure,
  },
  shingle: {
    placeholder: 'unit:K',
    help: 'word:K or char:K, runs of K words or code points',
    default: 'word:5',
    parse: parseShingle,
  },
  sketch: {
    placeholder: 'kind:size',
    help: 'minhash:K, oph:K, bottom:S, mod:M, mod:auto, super or simhash',
    default: 'minhash:128',
    parse: parseSketch,
  },
  verify: choiceOption(
    ['exact', 'sketch', 'none'],
    'how candidates are verified: on whole shingle sets, by their sketches, or not at all',
    'exact',
  ),
  cluster: choiceOption(
    ['direct', 'connected'],
    'direct: each removed document itself resembles the kept one; connected: chains count',
    'direct',
  ),
  keep: {
    placeholder: 'policy',
    help: 'which one stays: first, longest, shortest, max:FIELD, min:FIELD or prefer:FIELD=v1,v2,…',
    default: 'first',
    parse: parseKeep,
  },
  by: fieldOption('compare only documents with equal values of this field'),
  maxPairs: integerOption('stop when there are more pairs than this', 1, 2 ** 40, 10_000_000),
  maxDocument: {
    placeholder: 'size',
    help: 'bytes of the largest document that is read; a larger one is a reject',
    default: '64MB',
    parse: parseBytes,
  },
  maxRemoved: {
    placeholder: 'P%',
    help: 'safety brake: stop when more than this share would be removed',
    parse: parseShare,
  },
  jobs: integerOption('threads to work on (default: as many as there are cores)', 1, 256),
  memory: {
    placeholder: 'size',
    help: 'memory that a run may take; what does not fit goes to files',
    default: '2GB',
    parse: parseBytes,
  },
  tmp: {
    placeholder: 'folder',
    help: "folder for temporary files (default: the system's)",
    parse: (given: unknown, name: string) =>
      typeof given === 'string' && given !== ''
        ? given
        : fail('BAD_OPTION', { option: name, expected: 'a folder', got: given }),
  },
  resume: {
    placeholder: '',
    help: 'go on with what an interrupted run with the same inputs and options has left in --tmp',
    parse: (given: unknown) => given === true,
  },
  maxCluster: integerOption('safety brake: stop when a cluster is larger than this', 1, 2 ** 40),
  damaged: choiceOption(
    ['fail', 'skip'],
    'a file that cannot be read to its end: fail, or skip what is behind the damage and go on',
    'fail',
  ),
  strict: { placeholder: '', help: 'the first reject fails the run', parse: (given: unknown) => given === true },
  lsh: { placeholder: 'scheme', help: 'auto, bands:BxR or random:BxR', default: 'auto', parse: parseLsh },
  normalise: {
    placeholder: 'list',
    help: 'comma-separated: nfc, nfkc, keep-case, strip-digits, strip-accents, stopwords:LANGUAGE, stem:LANGUAGE',
    default: '',
    alias: 'normalize',
    parse: parseNormalise,
  },
  seed: integerOption('seed of every hash and permutation', 0, Number.MAX_SAFE_INTEGER, 1),
  html: choiceOption(['auto', 'always', 'never'], 'turn HTML into text: auto, always or never', 'auto'),
  format: choiceOption(
    ['jsonl', 'json', 'csv', 'tsv', 'parquet', 'warc', 'text', 'html'],
    'input format, when the name does not tell it',
  ),
  textField: fieldOption('field that holds the text', 'text'),
  idField: fieldOption('field that holds the id', 'id'),
  setField: fieldOption('field that holds a set of strings or numbers, instead of a text'),
  bits: integerOption('bits kept of each minimum (b-bit MinHash)', 1, 32, 32),
  hashes: integerOption('number of minima to spend', 1, MAX_HASHES, 128),
  bands: integerOption('number of bands', 1, MAX_HASHES),
  rows: integerOption('rows in a band', 1, MAX_HASHES),
  matches: integerOption('equal minima that make two documents similar', 0, MAX_HASHES),
  of: integerOption('number of minima compared', 1, MAX_HASHES),
} satisfies Record<string, Option<unknown>>;

type OptionTable = typeof options;
export type OptionName = keyof OptionTable;
export type OptionValue<Name extends OptionName> = ReturnType<OptionTable[Name]['parse']>;

/** What a caller may give: anything the table's parsers take. */
export type GivenOptions<Names extends OptionName = OptionName> = {
  readonly [Name in Names | AliasOf<Names>]?: unknown;
};

type AliasOf<Names extends OptionName> = 'normalise' extends Names ? 'normalize' : never;

type HasDefault = {
  [Name in OptionName]: OptionTable[Name] extends { default: string | number } ? Name : never;
}[OptionName];

/** What comes out: options with a default are always there. */
export type Options<Names extends OptionName = OptionName> = {
  readonly [Name in Names & HasDefault]: OptionValue<Name>;
} & { readonly [Name in Exclude<Names, HasDefault>]?: OptionValue<Name> };

/** How errors name an option: `threshold` in the library, `--threshold` on the command line. */
export type NameOf = (name: string) => string;
export const plainName: NameOf = name => name;

/** Reads the named options out of what was given; unknown names and impossible values are errors. */
export function readOptions<Name extends OptionName>(
  names: readonly Name[],
  given: GivenOptions<Name>,
  nameOf: NameOf = plainName,
): Options<Name> {
  const spelled: Readonly<Record<string, unknown>> = withoutAliases(given);
  requireNames(spelled, names);
  const read: Record<string, unknown> = {};
  for (const name of names) {
    const option: Option<unknown> = options[name];
    const value = spelled[name] ?? option.default;
    if (value !== undefined) read[name] = option.parse(value, nameOf(name));
  }
  return read as Options<Name>;
}

/** A misspelt name is an error, and not ignored. */
export function requireNames(given: object, known: readonly string[], what = 'option name'): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const expected = `one of ${known.join(', ')}`;
    fail('BAD_OPTION', { option: what, expected, got: name, nearest: nearestName(name, known) });
  }
}

/** The known name that was probably meant. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(given.length / 3));
  let nearest: string | undefined;
  let least = most + 1;
  for (const name of known) {
    // Names are short; a given one may be anything.
    if (Math.abs(name.length - given.length) > most) continue;
    const distance = editDistance(given.toLowerCase(), name.toLowerCase());
    if (distance < least) [nearest, least] = [name, distance];
  }
  return nearest;
}

/** Letters inserted, left out, replaced, or swapped with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (isSame ? 0 : 1),
        isSwapped ? before[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, current];
  }
  return last.at(-1)!;
}

const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries<Option<unknown>>(options).flatMap(([name, { alias }]) => (alias === undefined ? [] : [[alias, name]])),
);

/** The same under the names of the table: `normalize` → `normalise`. */
export function withoutAliases<Given extends object>(given: Given): Given {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [aliases.get(name) ?? name, value])) as Given;
}

/** `textField` → `--text-field` */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
}

/** Here, and not only with their word lists in text/: a misspelt one is found before anything is loaded, and help names them. */
export const normaliseLanguages = {
  stopwords:
    'af ar bg bn br ca cs da de el en eo es et eu fa fi fr ga gl gu ha he hi hr hu hy id it ja ko ku la lt lv mr ms my nb nl no pa pl pt ro ru sk sl so st sv sw th tl tr uk ur vi yo zh zu'.split(
      ' ',
    ),
  stem: 'en ar ca cs da de es eu fi fr ga hu hy it nb nl no pt ro ru sl sv ta tr'.split(' '),
} as const;

const normaliseSteps = ['nfc', 'nfkc', 'keep-case', 'strip-digits', 'strip-accents'] as const;
export type NormaliseStep = (typeof normaliseSteps)[number] | `stopwords:${string}` | `stem:${string}`;

function numberOption(help: string, min: number, max: number, fallback: number) {
  return {
    placeholder: 'number',
    help,
    default: fallback,
    parse: (given: unknown, name: string) => parseNumber(given, name, min, max),
  };
}

type IntegerOption = Option<number>;
function integerOption(help: string, min: number, max: number): IntegerOption;
function integerOption(help: string, min: number, max: number, fallback: number): IntegerOption & { default: number };
function integerOption(help: string, min: number, max: number, fallback?: number): IntegerOption {
  const parse = (given: unknown, name: string) => parseInteger(given, name, min, max);
  return { placeholder: 'integer', help, parse, ...(fallback !== undefined && { default: fallback }) };
}

function choiceOption<const Choice extends string>(choices: readonly Choice[], help: string): Option<Choice>;
function choiceOption<const Choice extends string>(
  choices: readonly Choice[],
  help: string,
  fallback: Choice,
): Option<Choice> & { default: Choice };
function choiceOption<const Choice extends string>(
  choices: readonly Choice[],
  help: string,
  fallback?: Choice,
): Option<Choice> {
  const parse = (given: unknown, name: string) =>
    choices.find(choice => choice === given) ??
    fail('BAD_OPTION', { option: name, expected: orList(choices), got: given });
  return { placeholder: choices.join('|'), help, parse, ...(fallback !== undefined && { default: fallback }) };
}

function fieldOption(help: string): Option<string>;
function fieldOption(help: string, fallback: string): Option<string> & { default: string };
function fieldOption(help: string, fallback?: string): Option<string> {
  const parse = (given: unknown, name: string) =>
    typeof given === 'string' && given !== ''
      ? given
      : fail('BAD_OPTION', { option: name, expected: 'a field name', got: given });
  return { placeholder: 'field', help, parse, ...(fallback !== undefined && { default: fallback }) };
}

function parseNumber(given: unknown, option: string, min: number, max: number): number {
  const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
  if (typeof value === 'number' && value >= min && value <= max) return value;
  return fail('BAD_OPTION', { option, expected: `a number between ${min} and ${max}`, got: asNumberIfItIsOne(given) });
}

export function parseInteger(given: unknown, option: string, min: number, max: number): number {
  const value = typeof given === 'string' && /^\s*-?\d+\s*$/.test(given) ? Number(given) : given;
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  return fail('BAD_OPTION', {
    option,
    expected: `a whole number between ${min} and ${max}`,
    got: asNumberIfItIsOne(given),
  });
}

/** `--threshold 8` is reported as 8, not as "8"; `--hashes 1e2` as it was written, since 100 would have been right. */
function asNumberIfItIsOne(given: unknown): unknown {
  return typeof given === 'string' && String(Number(given)) === given.trim() ? Number(given) : given;
}

function parseMeasure(given: unknown, option: string): Measure {
  if (given === 'resemblance' || given === 'containment' || given === 'edit') return given;
  if (given === 'dice' || given === 'overlap') {
    const why =
      `1 − ${given} breaks the triangle inequality, so no locality-sensitive hash exists for it; ` +
      'search by resemblance or containment, and read the value from compare';
    return fail('BAD_COMBINATION', { what: `${option} ${given} cannot be searched by`, why });
  }
  return fail('BAD_OPTION', { option, expected: 'resemblance, containment or edit', got: given });
}

/** The kernel carries K − 1 tokens from piece to piece (kernel/pieces.ts has the room). */
const MAX_SHINGLE = 1000;

function parseShingle(given: unknown, option: string): ShingleSpec {
  const match = /^(word|char):(\d{1,4})$/.exec(String(given));
  const size = Number(match?.[2]);
  if (match && size >= 1 && size <= MAX_SHINGLE) return Object.freeze({ unit: match[1] as ShingleSpec['unit'], size });
  return fail('BAD_OPTION', { option, expected: `word:K or char:K with K from 1 to ${MAX_SHINGLE}`, got: given });
}

/** Sizes a sketch may have, and the one it has when none is written; a size of 0 for `mod` means chosen by the document. */
const sketchSizes: Record<SketchKind, { min: number; max: number; default?: number }> = {
  minhash: { min: 1, max: 4096, default: 128 },
  oph: { min: 1, max: 4096, default: 128 },
  bottom: { min: 1, max: 65536, default: 200 },
  mod: { min: 1, max: 2 ** 31, default: 0 },
  super: { min: 12, max: 4096, default: 84 },
  simhash: { min: 64, max: 64, default: 64 },
};

function parseSketch(given: unknown, option: string): SketchSpec {
  const [kind, written, ...rest] = String(given).split(':');
  const sizes = Object.hasOwn(sketchSizes, kind!) ? sketchSizes[kind as SketchKind] : undefined;
  if (!sizes || rest.length > 0) {
    return fail('BAD_OPTION', {
      option,
      expected: 'minhash:K, oph:K, bottom:S, mod:M, mod:auto, super or simhash',
      got: given,
    });
  }
  if (written === undefined || (kind === 'mod' && written === 'auto')) {
    return Object.freeze({ kind: kind as SketchKind, size: sizes.default ?? 0 });
  }
  return Object.freeze({
    kind: kind as SketchKind,
    size: parseInteger(written, `${option} ${kind}:size`, sizes.min, sizes.max),
  });
}

function parseLsh(given: unknown, option: string): LshSpec {
  if (given === 'auto') return Object.freeze({ kind: 'auto' });
  const match = /^(bands|random):(\d{1,4})x(\d{1,4})$/.exec(String(given));
  const bands = Number(match?.[2]);
  const rows = Number(match?.[3]);
  if (match && bands >= 1 && rows >= 1) return Object.freeze({ kind: match[1] as 'bands' | 'random', bands, rows });
  return fail('BAD_OPTION', { option, expected: 'auto, bands:BxR or random:BxR', got: given });
}

function parseKeep(given: unknown, option: string): KeepSpec {
  const text = String(given);
  if (text === 'first' || text === 'longest' || text === 'shortest') return Object.freeze({ policy: text });
  const [, policy, rest] = /^(max|min|prefer):(.+)$/s.exec(text) ?? [];
  if (rest !== undefined && (policy === 'max' || policy === 'min')) return Object.freeze({ policy, field: rest });
  const [, field, values] = policy === 'prefer' ? (/^([^=]+)=(.+)$/s.exec(rest!) ?? []) : [];
  if (field !== undefined) return Object.freeze({ policy: 'prefer', field, values: Object.freeze(values!.split(',')) });
  const expected = 'first, longest, shortest, max:FIELD, min:FIELD or prefer:FIELD=v1,v2,…';
  return fail('BAD_OPTION', { option, expected, got: given });
}

const byteUnits: Readonly<Record<string, number>> = { '': 1, B: 1, KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 };

/** `64MB` → bytes; units are powers of 1,024. */
function parseBytes(given: unknown, option: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([KMGT]?B?)$/i.exec(String(given)) ?? [];
  const factor = unit === undefined ? undefined : byteUnits[unit.toUpperCase().replace(/^([KMGT])$/, '$1B')];
  if (factor !== undefined && Number(number) > 0) return Math.floor(Number(number) * factor);
  return fail('BAD_OPTION', { option, expected: 'a size such as 64MB or 2GB', got: given });
}

/** `30%` → 0.3 */
function parseShare(given: unknown, option: string): number {
  const [, number] = /^(\d+(?:\.\d+)?)%$/.exec(String(given)) ?? [];
  if (number !== undefined && Number(number) <= 100) return Number(number) / 100;
  return fail('BAD_OPTION', { option, expected: 'a percentage such as 30%', got: given });
}

function parseNormalise(given: unknown, option: string): readonly NormaliseStep[] {
  const list: unknown[] =
    typeof given === 'string' ? given.split(',').filter(Boolean) : Array.isArray(given) ? given : [given];
  return Object.freeze(list.map(step => parseNormaliseStep(step, option)));
}

function parseNormaliseStep(given: unknown, option: string): NormaliseStep {
  const step = typeof given === 'string' ? given.trim() : '';
  if (normaliseSteps.includes(step as never)) return step as NormaliseStep;
  const [, kind, language] = /^(stopwords|stem):(.+)$/s.exec(step) ?? [];
  if (language !== undefined) {
    const languages: readonly string[] = normaliseLanguages[kind as 'stopwords' | 'stem'];
    if (languages.includes(language)) return step as NormaliseStep;
    return fail('BAD_OPTION', {
      option,
      expected: `${kind}:LANGUAGE, LANGUAGE one of ${languages.join(', ')}`,
      got: given,
    });
  }
  const expected = `a list of ${normaliseSteps.join(', ')}, stopwords:LANGUAGE, stem:LANGUAGE`;
  return fail('BAD_OPTION', { option, expected, got: given });
}

function orList(choices: readonly string[]): string {
  return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
}
