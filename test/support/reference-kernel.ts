/** The kernel's slow twin: the same contract in plain TypeScript, for tests and for reading. */
import type {
  Kernel,
  KernelOptions,
  LineBatch,
  LineFields,
  LineKind,
  LineRecord,
  LineSketch,
  OnePermutationSketch,
  Text,
  TextFacts,
  ValueKind,
} from '../../src/kernel/contract.ts';
import { elementText } from '../../src/kernel/element-text.ts';
import {
  bandKey,
  codePointHash,
  contentHash,
  donorOf,
  elementHash,
  permutationMultiplier,
  permutationOrder,
  permuteHash,
  shingleHash,
  tokenHash,
} from '../../src/kernel/hash.ts';
import { splitWords } from '../../src/kernel/words.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const NO_MINIMUM = 0xffffffff;

export class ReferenceKernel implements Kernel {
  readonly options: KernelOptions;

  constructor(options: KernelOptions) {
    this.options = options;
  }

  read(text: Text): TextFacts {
    return {
      words: this.#words(text).length,
      contentHash: contentHash(encoder.encode(asString(text)), this.options.seed),
    };
  }

  shingleHashes(text: Text): BigUint64Array {
    const { size } = this.options.shingle;
    const tokens = this.#tokens(text);
    if (tokens.length === 0) return new BigUint64Array(0);
    const count = Math.max(tokens.length - size + 1, 1);
    return BigUint64Array.from({ length: count }, (_, i) => shingleHash(tokens.slice(i, i + size)));
  }

  shingleSet(text: Text): BigUint64Array {
    return sortedSet(this.shingleHashes(text));
  }

  elementSet(elements: Iterable<string | number>): BigUint64Array {
    return sortedSet(
      [...elements].map(element => elementHash(encoder.encode(elementText(element)), this.options.seed)),
    );
  }

  minhash(text: Text): Uint32Array {
    return this.minhashOf(this.shingleSet(text));
  }

  readMinhash(text: Text, below = 0) {
    const set = this.shingleSet(text);
    const few = set.length > 0 && set.length < below ? set : undefined;
    return { ...this.read(text), minhash: this.minhashOf(set), few };
  }

  minhashOf(set: BigUint64Array): Uint32Array {
    const { hashes, seed } = this.options;
    return Uint32Array.from(permutationOrder(hashes, seed), index => {
      const multiplier = permutationMultiplier(index, seed);
      const images = [...set].map(hash => Number(permuteHash(hash, multiplier) >> 32n));
      return images.reduce((least, image) => Math.min(least, image), NO_MINIMUM);
    });
  }

  onePermutation(text: Text): OnePermutationSketch {
    return this.onePermutationOf(this.shingleSet(text));
  }

  onePermutationOf(set: BigUint64Array): OnePermutationSketch {
    const bins = new Uint32Array(this.options.hashes).fill(NO_MINIMUM);
    for (const hash of set) {
      const bin = Number(((hash >> 32n) * BigInt(bins.length)) >> 32n);
      bins[bin] = Math.min(bins[bin]!, Number(hash & 0xffffffffn), NO_MINIMUM - 1);
    }
    const filled = bins.filter(value => value !== NO_MINIMUM).length;
    return {
      values: filled === 0 ? bins : bins.map((value, bin) => (value === NO_MINIMUM ? borrow(bins, bin) : value)),
      filled,
    };
  }

  simhashOf(set: BigUint64Array): bigint {
    let result = 0n;
    for (let bit = 0n; bit < 64n; bit++) {
      const ones = set.filter(hash => (hash >> bit) & 1n).length;
      if (2 * ones > set.length) result |= 1n << bit;
    }
    return result;
  }

  modOf(set: BigUint64Array, modulus: number): BigUint64Array {
    return set.filter(hash => hash % BigInt(modulus) === 0n);
  }

  bandKeys(sketch: Uint32Array, positions: Uint32Array, bands: number): BigUint64Array {
    const rows = positions.length / bands;
    return BigUint64Array.from({ length: bands }, (_, band) =>
      bandKey(band, sketch, positions.subarray(band * rows, (band + 1) * rows)),
    );
  }

  intersectionSize(a: BigUint64Array, b: BigUint64Array): number {
    const inB = new Set(b);
    return a.filter(hash => inB.has(hash)).length;
  }

  readLines(bytes: Uint8Array, last: boolean, fields: LineFields, sketch: LineSketch): LineBatch {
    const records: LineRecord[] = [];
    let start = 0;
    let line = 0;
    while (start < bytes.length) {
      const newline = bytes.indexOf(0x0a, start);
      if (newline < 0 && !last) break;
      const end = newline < 0 ? bytes.length : newline;
      const record = this.#line(bytes, { start, end, line }, fields, sketch);
      if (record) records.push(record);
      start = end + 1;
      line++;
    }
    return { records, bytes: Math.min(start, bytes.length), lines: line };
  }

  #line(bytes: Uint8Array, place: LinePlace, fields: LineFields, sketch: LineSketch): LineRecord | undefined {
    const source = decoder.decode(bytes.subarray(place.start, place.end));
    if (/^[ \t\r]*$/.test(source)) return undefined;
    const { kind, value } = parseLine(source);
    const own = (field: string) =>
      kind === 'document' && Object.hasOwn(value as object, field) ? (value as never)[field] : undefined;
    const text: unknown = own(fields.text);
    const isText = typeof text === 'string';
    return {
      ...place,
      kind,
      text: kindOfValue(text),
      id: kindOfValue(own(fields.id)),
      idStart: 0,
      idEnd: 0,
      words: 0,
      contentHash: 0n,
      ...(isText && this.read(text)),
      sketch: isText && sketch !== 'none' ? this.#sketch(text, sketch) : new Uint32Array(0),
    };
  }

  #sketch(text: string, sketch: LineSketch): Uint32Array {
    return sketch === 'minhash' ? this.minhash(text) : this.onePermutation(text).values;
  }

  #words(text: Text): string[] {
    return splitWords(asString(text), this.options.keepCase).map(({ word }) => word);
  }

  #tokens(text: Text): bigint[] {
    const { seed, shingle } = this.options;
    const words = this.#words(text);
    if (shingle.unit === 'word') return words.map(word => tokenHash(encoder.encode(word), seed));
    return Array.from(words.join(' '), letter => codePointHash(letter.codePointAt(0)!, seed));
  }
}

interface LinePlace {
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

function parseLine(source: string): { kind: LineKind; value: unknown } {
  try {
    const value: unknown = JSON.parse(source);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return { kind: isObject ? 'document' : 'not an object', value };
  } catch {
    return { kind: 'not JSON', value: undefined };
  }
}

function kindOfValue(value: unknown): ValueKind {
  if (value === undefined) return 'missing';
  if (typeof value === 'string' || typeof value === 'number') return typeof value as 'string' | 'number';
  if (value === null || typeof value === 'boolean') return 'literal';
  return Array.isArray(value) ? 'array' : 'object';
}

function borrow(bins: Uint32Array, bin: number): number {
  for (let attempt = 1; ; attempt++) {
    const value = bins[donorOf(bin, attempt, bins.length)]!;
    if (value !== NO_MINIMUM) return value;
  }
}

function sortedSet(hashes: Iterable<bigint>): BigUint64Array {
  return BigUint64Array.from(new Set(hashes)).sort();
}

/** Half surrogate pairs and invalid bytes become U+FFFD. */
function asString(text: Text): string {
  return decoder.decode(typeof text === 'string' ? encoder.encode(text) : text);
}
