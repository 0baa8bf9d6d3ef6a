/** The option table: what each parser takes, what it refuses, and in which words. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { NeardupError } from './errors.ts';
import { type Accepts, flagOf, normaliseLanguages, type OptionName, options, readOptions } from './options.ts';

function read(name: OptionName, given: unknown): unknown {
  return options[name].parse(given, name);
}

/** What a validator of JSON Schema would say. */
function isAccepted(accepts: Accepts, given: unknown): boolean {
  if ('anyOf' in accepts) return accepts.anyOf.some(one => isAccepted(one, given));
  if (accepts.type === 'array') return Array.isArray(given) && given.every(one => isAccepted(accepts.items, one));
  if (accepts.type === 'boolean') return typeof given === 'boolean';
  if ('minimum' in accepts) {
    const isNumber = accepts.type === 'integer' ? Number.isInteger(given) : typeof given === 'number';
    return isNumber && Number(given) >= accepts.minimum && Number(given) <= accepts.maximum;
  }
  if (typeof given !== 'string') return false;
  if ('enum' in accepts) return accepts.enum.includes(given);
  return 'pattern' in accepts ? new RegExp(accepts.pattern, 'u').test(given) : given.length >= accepts.minLength;
}

function errorOf(name: OptionName, given: unknown): NeardupError {
  try {
    read(name, given);
  } catch (error) {
    if (error instanceof NeardupError) return error;
    throw error;
  }
  throw new Error(`${name} took ${String(given)}`);
}

const sketches = 'minhash:K, oph:K, bottom:S, mod:M, mod:auto, super or simhash';
const steps = 'a list of nfc, nfkc, keep-case, strip-digits, strip-accents, stopwords:LANGUAGE, stem:LANGUAGE';
const policies = 'first, longest, shortest, max:FIELD, min:FIELD or prefer:FIELD=v1,v2,…';

const good: [OptionName, unknown, unknown][] = [
  ['threshold', 0.8, 0.8],
  ['threshold', '0.8', 0.8],
  ['threshold', '1', 1],
  ['threshold', 0, 0],
  ['recall', '0.999999', 0.999999],
  ['measure', 'containment', 'containment'],
  ['measure', 'edit', 'edit'],
  ['shingle', 'word:5', { unit: 'word', size: 5 }],
  ['shingle', 'char:100', { unit: 'char', size: 100 }],
  ['sketch', 'minhash', { kind: 'minhash', size: 128 }],
  ['sketch', 'minhash:4096', { kind: 'minhash', size: 4096 }],
  ['sketch', 'oph:1', { kind: 'oph', size: 1 }],
  ['sketch', 'bottom', { kind: 'bottom', size: 200 }],
  ['sketch', 'bottom:100', { kind: 'bottom', size: 100 }],
  ['sketch', 'mod:16', { kind: 'mod', size: 16 }],
  ['sketch', 'mod:auto', { kind: 'mod', size: 0 }],
  ['sketch', 'mod', { kind: 'mod', size: 0 }],
  ['sketch', 'super', { kind: 'super', size: 84 }],
  ['sketch', 'simhash', { kind: 'simhash', size: 64 }],
  ['lsh', 'auto', { kind: 'auto' }],
  ['lsh', 'bands:20x5', { kind: 'bands', bands: 20, rows: 5 }],
  ['lsh', 'random:125x3', { kind: 'random', bands: 125, rows: 3 }],
  ['normalise', '', []],
  ['normalise', 'nfc, stem:en', ['nfc', 'stem:en']],
  ['normalise', ['keep-case', 'stopwords:de'], ['keep-case', 'stopwords:de']],
  ['verify', 'sketch', 'sketch'],
  ['cluster', 'connected', 'connected'],
  ['keep', 'longest', { policy: 'longest' }],
  ['keep', 'max:date', { policy: 'max', field: 'date' }],
  ['keep', 'prefer:source=wiki,news', { policy: 'prefer', field: 'source', values: ['wiki', 'news'] }],
  ['by', 'language', 'language'],
  ['maxPairs', '1', 1],
  ['maxDocument', '64MB', 64 * 2 ** 20],
  ['maxDocument', '1.5k', 1536],
  ['maxDocument', 7, 7],
  ['maxRemoved', '30%', 0.3],
  ['maxCluster', 1000, 1000],
  ['strict', true, true],
  ['seed', '0', 0],
  ['seed', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ['html', 'never', 'never'],
  ['format', 'jsonl', 'jsonl'],
  ['textField', 'body', 'body'],
  ['setField', 'clicks', 'clicks'],
  ['bits', 1, 1],
  ['hashes', '4096', 4096],
  ['matches', 0, 0],
  ['of', '100', 100],
];

describe('a good value', () => {
  it.each(good)('%s %j is read as %j', (name, given, value) => {
    expect(read(name, given)).toEqual(value);
  });
});

const bad: [OptionName, unknown, string][] = [
  ['threshold', 8, 'threshold must be a number between 0 and 1, got 8'],
  ['threshold', '8', 'threshold must be a number between 0 and 1, got 8'],
  ['threshold', -0.1, 'threshold must be a number between 0 and 1, got -0.1'],
  ['threshold', Number.NaN, 'threshold must be a number between 0 and 1, got NaN'],
  ['threshold', '', 'threshold must be a number between 0 and 1, got ""'],
  ['threshold', '80%', 'threshold must be a number between 0 and 1, got "80%"'],
  ['threshold', true, 'threshold must be a number between 0 and 1, got true'],
  ['threshold', [0.8], 'threshold must be a number between 0 and 1, got [0.8]'],
  ['recall', 1, 'recall must be a number between 0.5 and 0.999999, got 1'],
  ['measure', 'jaccard', 'measure must be resemblance, containment or edit, got "jaccard"'],
  ['shingle', 'word', 'shingle must be word:K or char:K with K from 1 to 1000, got "word"'],
  ['shingle', 'word:0', 'shingle must be word:K or char:K with K from 1 to 1000, got "word:0"'],
  ['shingle', 'word:1001', 'shingle must be word:K or char:K with K from 1 to 1000, got "word:1001"'],
  ['shingle', 'line:3', 'shingle must be word:K or char:K with K from 1 to 1000, got "line:3"'],
  ['shingle', 5, 'shingle must be word:K or char:K with K from 1 to 1000, got 5'],
  ['sketch', 'bloom:9', `sketch must be ${sketches}, got "bloom:9"`],
  ['sketch', 'minhash:1:2', `sketch must be ${sketches}, got "minhash:1:2"`],
  ['sketch', '__proto__', `sketch must be ${sketches}, got "__proto__"`],
  ['sketch', 'minhash:0', 'sketch minhash:size must be a whole number between 1 and 4096, got 0'],
  ['sketch', 'minhash:', 'sketch minhash:size must be a whole number between 1 and 4096, got ""'],
  ['sketch', 'oph:auto', 'sketch oph:size must be a whole number between 1 and 4096, got "auto"'],
  ['sketch', 'mod:0', 'sketch mod:size must be a whole number between 1 and 2147483648, got 0'],
  ['sketch', 'super:5', 'sketch super:size must be a whole number between 12 and 4096, got 5'],
  ['sketch', 'simhash:32', 'sketch simhash:size must be a whole number between 64 and 64, got 32'],
  ['lsh', 'bands', 'lsh must be auto, bands:BxR or random:BxR, got "bands"'],
  ['lsh', 'bands:0x5', 'lsh must be auto, bands:BxR or random:BxR, got "bands:0x5"'],
  ['lsh', 'bands:20*5', 'lsh must be auto, bands:BxR or random:BxR, got "bands:20*5"'],
  ['normalise', 'upper', `normalise must be ${steps}, got "upper"`],
  ['normalise', ['nfc', 7], `normalise must be ${steps}, got 7`],
  [
    'normalise',
    'stem:english',
    `normalise must be stem:LANGUAGE, LANGUAGE one of ${normaliseLanguages.stem.join(', ')}, got "stem:english"`,
  ],
  ['verify', 'yes', 'verify must be exact, sketch or none, got "yes"'],
  ['cluster', '', 'cluster must be direct or connected, got ""'],
  ['keep', 'newest', `keep must be ${policies}, got "newest"`],
  ['keep', 'max:', `keep must be ${policies}, got "max:"`],
  ['keep', 'prefer:source', `keep must be ${policies}, got "prefer:source"`],
  ['maxPairs', 0, 'maxPairs must be a whole number between 1 and 1099511627776, got 0'],
  ['maxDocument', 'big', 'maxDocument must be a size such as 64MB or 2GB, got "big"'],
  ['maxDocument', '0MB', 'maxDocument must be a size such as 64MB or 2GB, got "0MB"'],
  ['maxRemoved', '0.3', 'maxRemoved must be a percentage such as 30%, got "0.3"'],
  ['maxRemoved', '101%', 'maxRemoved must be a percentage such as 30%, got "101%"'],
  ['maxCluster', 'x', 'maxCluster must be a whole number between 1 and 1099511627776, got "x"'],
  ['seed', 1.5, 'seed must be a whole number between 0 and 9007199254740991, got 1.5'],
  ['seed', -1, 'seed must be a whole number between 0 and 9007199254740991, got -1'],
  ['hashes', '1e2', 'hashes must be a whole number between 1 and 4096, got "1e2"'],
  ['hashes', 4097, 'hashes must be a whole number between 1 and 4096, got 4097'],
  ['bits', 33, 'bits must be a whole number between 1 and 32, got 33'],
  ['html', 'yes', 'html must be auto, always or never, got "yes"'],
  ['textField', '', 'textField must be a field name, got ""'],
  ['idField', 7, 'idField must be a field name, got 7'],
];

describe('a bad value', () => {
  it.each(bad)('%s %j is refused', (name, given, message) => {
    const error = errorOf(name, given);
    expect(error.message).toBe(message);
    expect([error.code, error.exitCode]).toEqual(['BAD_OPTION', 2]);
  });

  it.each(['dice', 'overlap'])(
    '%s is a measure to report: asking to search by it says why, and what to use',
    measure => {
      const error = errorOf('measure', measure);
      expect([error.code, error.exitCode]).toEqual(['BAD_COMBINATION', 2]);
      expect(error.message).toContain(`measure ${measure} cannot be searched by`);
      expect(error.message).toContain('breaks the triangle inequality, so no locality-sensitive hash exists for it');
      expect(error.message).toContain('search by resemblance or containment, and read the value from compare');
    },
  );
});

describe('readOptions', () => {
  it('fills in defaults, and leaves out what has none', () => {
    expect(readOptions(['threshold', 'recall', 'bands'], {})).toEqual({ threshold: 0.8, recall: 0.999 });
    expect(readOptions(['threshold', 'bands'], { threshold: undefined, bands: '7' as never })).toEqual({
      threshold: 0.8,
      bands: 7,
    });
  });

  it('refuses names it does not know, and lists those it does', () => {
    expect(() => readOptions(['threshold', 'recall'], { treshold: 0.8 } as never)).toThrow(
      'option name must be one of threshold, recall, got "treshold"',
    );
    expect(() => readOptions(['threshold'], { recall: 0.9 } as never)).toThrow('got "recall"');
  });

  it('names options as the caller does', () => {
    expect(() => readOptions(['textField'], { textField: '' }, flagOf)).toThrow('--text-field must be a field name');
  });
});

describe('the table', () => {
  it.each(Object.keys(options) as OptionName[])('%s: its default is a value it takes, and it has a help text', name => {
    const option: { default?: string | number; help: string } = options[name];
    if (option.default !== undefined) expect(() => read(name, option.default)).not.toThrow();
    expect(option.help).toMatch(/^[a-z]/);
  });

  it.each(good)('%s: %j is a value that it describes as data', (name, given) => {
    const isWritten = typeof given === 'string' && 'minimum' in options[name].accepts;
    expect(isAccepted(options[name].accepts, isWritten ? Number(given) : given)).toBe(true);
  });

  it('describes no bad value, but for sizes that a kind of shingle, sketch or share cannot have', () => {
    const described = bad.filter(([name, given]) => isAccepted(options[name].accepts, given));
    const sizes = /^(word|bands|minhash|mod|super|simhash|stem):\w+$|^0MB$|^101%$/;
    expect(described.map(([, given]) => given).filter(given => !sizes.test(String(given)))).toEqual([]);
  });

  it('has the same defaults as the comments that an editor shows, and a comment for each option', () => {
    const file = fileURLToPath(new URL('./options/given.ts', import.meta.url));
    const source = readFileSync(file, 'utf8');
    for (const name of Object.keys(options) as OptionName[]) {
      const comment = new RegExp(`/\\*\\* (.+?) \\*/\n  ${name}:`).exec(source)?.[1];
      expect(comment, name).toMatch(/^(`|[A-Z]).+\.$/);
      const option: { default?: string | number; help: string } = options[name];
      if (option.default) expect(comment!.replace(/[`']/g, ''), name).toContain(`Default: ${option.default}.`);
    }
  });

  it('turns names into flags', () => {
    expect(['threshold', 'textField', 'idField'].map(flagOf)).toEqual(['--threshold', '--text-field', '--id-field']);
  });
});
