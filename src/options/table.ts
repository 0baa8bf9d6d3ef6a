/** One table of options: name, range or choices, default, help. The library, the command line and the docs all read it. */
import type { OptionName, OptionValue } from './given.ts';
import { normaliseSteps, plainSteps } from './normalise.ts';
import {
  choiceOption,
  fieldOption,
  integerOption,
  numberOption,
  type Option,
  patternOption,
  sizeOption,
  switchOption,
  textOption,
} from './option.ts';
import * as parsers from './parsers.ts';

/** Minima a MinHash sketch may have at most. */
export const MAX_HASHES = 4096;

const MANY = 2 ** 40;
const STEP = `\\s*(${plainSteps.join('|')}|(stopwords|stem):[a-z]+)\\s*`;

export const options = {
  threshold: numberOption({
    min: 0,
    max: 1,
    default: 0.8,
    help: 'similarity at or above which two documents are near-duplicates',
  }),
  recall: numberOption({
    min: 0.5,
    max: 0.999999,
    default: 0.999,
    help: 'share of the pairs at the threshold that LSH must find',
  }),
  measure: {
    placeholder: 'measure',
    help: 'resemblance, containment or edit',
    default: 'resemblance',
    accepts: { type: 'string', enum: parsers.measures },
    parse: parsers.parseMeasure,
  },
  shingle: patternOption(
    {
      placeholder: 'unit:K',
      pattern: /^(word|char):\d{1,4}$/,
      default: 'word:5',
      help: 'word:K or char:K, runs of K words or code points',
    },
    parsers.parseShingle,
  ),
  sketch: patternOption(
    {
      placeholder: 'kind:size',
      pattern: /^((minhash|oph|bottom|mod|super|simhash)(:\d+)?|mod:auto)$/,
      default: 'minhash:128',
      help: 'minhash:K, oph:K, bottom:S, mod:M, mod:auto, super or simhash',
    },
    parsers.parseSketch,
  ),
  verify: choiceOption({
    choices: ['exact', 'sketch', 'none'],
    default: 'exact',
    help: 'how candidates are verified: on whole shingle sets, by their sketches, or not at all',
  }),
  cluster: choiceOption({
    choices: ['direct', 'connected'],
    default: 'direct',
    help: 'direct: each removed document itself resembles the kept one; connected: chains count',
  }),
  keep: patternOption(
    {
      placeholder: 'policy',
      pattern: /^(first|longest|shortest|(max|min):[\s\S]+|prefer:[^=]+=[\s\S]+)$/,
      default: 'first',
      help: 'which one stays: first, longest, shortest, max:FIELD, min:FIELD or prefer:FIELD=v1,v2,…',
    },
    parsers.parseKeep,
  ),
  by: fieldOption({ help: 'compare only documents with equal values of this field' }),
  maxPairs: integerOption({ min: 1, max: MANY, default: 10_000_000, help: 'stop when there are more pairs than this' }),
  maxDocument: sizeOption({
    default: '64MB',
    help: 'largest document, in bytes; a larger one is rejected',
  }),
  maxRemoved: {
    placeholder: 'P%',
    help: 'safety brake: stop when more than this share would be removed',
    accepts: { type: 'string', pattern: '^\\d+(\\.\\d+)?%$' },
    parse: parsers.parseShare,
  },
  jobs: integerOption({ min: 1, max: 256, help: 'number of threads (default: one for each core)' }),
  memory: sizeOption({ default: '2GB', help: 'memory a run may use; what does not fit goes to temporary files' }),
  tmp: textOption({
    placeholder: 'folder',
    what: 'a folder',
    help: "folder for temporary files (default: the system's)",
  }),
  resume: switchOption({
    help: 'continue an interrupted run of the same inputs and options from what it left in --tmp',
  }),
  engine: choiceOption({
    choices: ['local', 'spark'],
    default: 'local',
    help: 'where to run: on this machine, or on Apache Spark (docs/spark.md)',
  }),
  master: textOption({
    placeholder: 'url',
    what: 'a Spark master',
    help: 'with --engine spark: local[N], spark://host:7077, yarn, or sc://host:15002 for a Connect server',
  }),
  maxCluster: integerOption({ min: 1, max: MANY, help: 'safety brake: stop when a cluster is larger than this' }),
  damaged: choiceOption({
    choices: ['fail', 'skip'],
    default: 'fail',
    help: 'if a file cannot be read to its end: fail, or skip the rest of it and go on',
  }),
  strict: switchOption({ help: 'the first reject fails the run' }),
  lsh: patternOption(
    {
      placeholder: 'scheme',
      pattern: /^(auto|(bands|random):\d{1,4}x\d{1,4})$/,
      default: 'auto',
      help: 'auto, bands:BxR or random:BxR',
    },
    parsers.parseLsh,
  ),
  normalise: {
    placeholder: 'list',
    help: 'comma-separated: nfc, nfkc, keep-case, strip-digits, strip-accents, stopwords:LANGUAGE, stem:LANGUAGE',
    default: '',
    alias: 'normalize',
    accepts: {
      anyOf: [
        { type: 'array', items: { type: 'string', enum: normaliseSteps } },
        { type: 'string', pattern: `^(${STEP}(,${STEP})*)?$` },
      ],
    },
    parse: parsers.parseNormalise,
  },
  seed: integerOption({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    default: 1,
    help: 'seed of every hash and permutation',
  }),
  html: choiceOption({
    choices: ['auto', 'always', 'never'],
    default: 'auto',
    help: 'turn HTML into text: auto, always or never',
  }),
  format: choiceOption({
    choices: ['jsonl', 'json', 'csv', 'tsv', 'parquet', 'warc', 'text', 'html'],
    help: 'input format, if the file name does not tell it',
  }),
  textField: fieldOption({ default: 'text', help: 'field that holds the text' }),
  idField: fieldOption({ default: 'id', help: 'field that holds the id' }),
  setField: fieldOption({ help: 'field that holds a set of strings or numbers, instead of a text' }),
  bits: integerOption({ min: 1, max: 32, default: 32, help: 'bits kept of each minimum (b-bit MinHash)' }),
  hashes: integerOption({ min: 1, max: MAX_HASHES, default: 128, help: 'number of minima in a sketch' }),
  bands: integerOption({ min: 1, max: MAX_HASHES, help: 'number of bands' }),
  rows: integerOption({ min: 1, max: MAX_HASHES, help: 'rows in a band' }),
  matches: integerOption({ min: 0, max: MAX_HASHES, help: 'equal minima that make two documents similar' }),
  of: integerOption({ min: 1, max: MAX_HASHES, help: 'number of minima compared' }),
} satisfies { readonly [Name in OptionName]: Option<OptionValue<Name>> };
