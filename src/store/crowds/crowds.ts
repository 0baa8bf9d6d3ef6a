/**
 * Keys that very many documents share → other keys for those that come after, so that who shares them is not compared
 * with all of them.
 *
 * Documents with the same boilerplate share band keys and are not alike. Once a key finds a crowd, further documents that
 * have it are no longer stored under their band keys, but under the first of their elements, those that are not common
 * first: a _prefix_ (see prefix-keys.ts). What is common is frozen: entries name elements, and from then on these are
 * common. A document keeps with it which of its elements were, when it was added. Whoever looks for duplicates looks for
 * both kinds of keys, and of documents found by their prefix counts those that would share a band key; so it finds what
 * it would have found without crowds (docs/decisions/0034-crowds-are-found-by-rare-elements.md).
 */
import { joinKeys } from '../../engine/analyse/key-arrays.ts';
import { prefixLength } from '../../similarity/prefix-bound.ts';
import type { ListOf } from '../candidates.ts';
import type { Numbers } from '../contract.ts';
import type { IndexOptions } from '../index-options.ts';
import type { Prepared } from '../prepare.ts';
import type { ReadEntries } from '../read-entries.ts';
import { MOST_COMMON_BITS } from '../record.ts';
import { COMMONS_KEY, CommonElements, NEVER, sharedByMany } from './common-elements.ts';
import { containedProbe, containingKeys } from './containing-keys.ts';
import { CrowdNumbers } from './crowd-numbers.ts';
import { bitsOf, type Probe, postedKeys, probeOf } from './prefix-keys.ts';

export interface CrowdLimits {
  /** A key that finds so many finds a crowd. */
  readonly crowdedFrom: number;
  /** Of those the first are looked at, and what so many of them have is common. */
  readonly sampled: number;
  readonly commonFrom: number;
  /** Common elements an index names in all: 24 bytes of memory each. */
  readonly mostCommon: number;
  /** Keys of a prefix; a larger document is stored under its band keys, whoever shares them. */
  readonly mostPosted: number;
}

export const defaultCrowdLimits: CrowdLimits = {
  crowdedFrom: 32,
  sampled: 32,
  commonFrom: 4,
  mostCommon: 2 ** 20,
  mostPosted: 4096,
};

/** What a document of a crowd is stored with. */
export interface Posted {
  readonly keys: BigUint64Array;
  readonly commonBits: Uint8Array;
}

const nothing = new BigUint64Array(0);
/** Crowds whose common elements were looked for already; more are forgotten. */
const MOST_JUDGED = 100_000;

export class Crowds {
  readonly limits: CrowdLimits;
  /** Which entries are of crowds, as far as they were read. */
  readonly numbers = new CrowdNumbers();
  /** Where documents are looked for that contain another, prefixes are not enough (see containing-keys.ts). */
  readonly isForContainment: boolean;
  readonly #threshold: number;
  readonly #commons = new CommonElements();
  readonly #read = new Set<number>();
  /** Key → the last one of the sample. */
  readonly #judged = new Map<bigint, number>();

  constructor({ threshold, measure }: Pick<IndexOptions, 'threshold' | 'measure'>, limits: CrowdLimits) {
    this.#threshold = threshold;
    this.isForContainment = measure === 'containment';
    this.limits = limits;
  }

  /** What to ask a store for, to know all common elements. */
  get key(): BigUint64Array {
    return COMMONS_KEY;
  }

  /** Whether there may be documents that are found by their prefix. */
  get areThere(): boolean {
    return this.#commons.first !== NEVER;
  }

  /** Takes in what is named by entries that it does not know yet; they are never changed. */
  async catchUp(numbers: Numbers, readEntries: ReadEntries): Promise<void> {
    if (numbers.length === this.#read.size) return;
    const missing = numbers.filter(number => !this.#read.has(number));
    const entries = await readEntries(missing, { keys: [COMMONS_KEY] });
    for (const entry of entries) {
      if (!entry?.isCommons) continue;
      this.#commons.add(entry.commons, entry.number);
      this.#read.add(entry.number);
    }
  }

  /** What to look for; `added`: what was named meanwhile, and is not in the store yet. */
  probe({ set: setOf, bands }: Pick<Prepared, 'set' | 'bands'>, added?: CommonElements): Probe | undefined {
    const first = Math.min(this.#commons.first, added?.first ?? NEVER);
    if (first === NEVER || setOf().length === 0) return undefined;
    const set = setOf();
    const since = this.#sinceOf(set, added);
    if (this.isForContainment) return containedProbe(set, since, bands, this.#threshold);
    return probeOf(set, since, first, this.#threshold);
  }

  /** How many of its elements were ever named. */
  commonIn(set: BigUint64Array): number {
    return this.#commons.sinceOf(set).reduce((count, since) => count + (since === NEVER ? 0 : 1), 0);
  }

  /** Undefined for sets that are too large. */
  posted({ set: setOf, bands }: Pick<Prepared, 'set' | 'bands'>, added: CommonElements): Posted | undefined {
    const { mostPosted } = this.limits;
    const set = setOf();
    if (set.length > MOST_COMMON_BITS || prefixLength(set.length, this.#threshold) > mostPosted) return undefined;
    const since = this.#sinceOf(set, added);
    const commonBits = bitsOf(at => since[at] !== NEVER, set.length);
    if (!this.isForContainment) return { commonBits, keys: postedKeys(set, commonBits, this.#threshold) };
    const keys = joinKeys(containingKeys(set, commonBits, bands));
    return keys.length > mostPosted ? undefined : { commonBits, keys };
  }

  /** The first entries of each crowd whose common elements may not be named yet. */
  unjudged(keys: BigUint64Array, listOf: ListOf): Numbers[] {
    const { crowdedFrom, sampled } = this.limits;
    const samples: Numbers[] = [];
    for (let place = 0; place < keys.length; place++) {
      const list = listOf(place);
      if (list.length < crowdedFrom) continue;
      const sample = list.slice(0, sampled);
      const key = keys[place]!;
      if (this.#judged.get(key) === sample.at(-1)) continue;
      if (this.#judged.size >= MOST_JUDGED) this.#judged.clear();
      this.#judged.set(key, sample.at(-1)!);
      samples.push(sample);
    }
    return samples;
  }

  /** What is common in a sample and not named yet; nothing if it is less than an element a document. */
  newCommons(sets: readonly BigUint64Array[], added: CommonElements): BigUint64Array {
    const { commonFrom, mostCommon } = this.limits;
    const common = sharedByMany(sets, commonFrom);
    const since = this.#sinceOf(common, added);
    const fresh = common.filter((_, at) => since[at] === NEVER);
    const isWorthIt = fresh.length * commonFrom >= sets.length;
    const isRoom = this.#commons.size + added.size + fresh.length <= mostCommon;
    return isWorthIt && isRoom ? fresh : nothing;
  }

  #sinceOf(set: BigUint64Array, added: CommonElements | undefined): Uint32Array {
    const since = this.#commons.sinceOf(set);
    if (!added || added.size === 0) return since;
    const sinceAdded = added.sinceOf(set);
    for (let at = 0; at < since.length; at++) since[at] = Math.min(since[at]!, sinceAdded[at]!);
    return since;
  }
}
