/** Buckets that very many items share → the few of these items that may be alike, found by their rarest elements and not one by one. */
import type { Best } from '../cluster/direct.ts';
import type { UnionFind } from '../cluster/union-find.ts';
import { type Buckets, rowOf } from './buckets.ts';
import { LinkedIndex } from './linked-index.ts';
import { PrefixIndex } from './prefix-index.ts';
import { type Prefix, type PrefixOf, rareFirst } from './rare-first.ts';
import type { RunOptions } from './run-options.ts';

export interface CrowdLimits {
  /** A bucket of more items is crowded. */
  readonly crowd: number;
  /** So many items of crowded buckets are looked through one by one all the same. */
  readonly few: number;
}

/** Tests set it to 0, so that every bucket is a crowd. */
const forced = globalThis.process?.env?.NEARDUP_CROWD;
export const crowdLimits: CrowdLimits =
  forced === undefined ? { crowd: 128, few: 512 } : { crowd: Number(forced), few: 0 };

/** Undefined where the threshold is not on what sets share: only then can their elements tell which cannot reach it. */
export function createCrowd(
  buckets: Buckets,
  setOf: (item: number) => BigUint64Array,
  { measure, verify, threshold }: RunOptions,
  limits = crowdLimits,
): Crowd | undefined {
  const canFilter = measure === 'resemblance' && verify === 'exact' && threshold > 0;
  return canFilter ? new Crowd(buckets, setOf, threshold, limits) : undefined;
}

export class Crowd {
  readonly #buckets: Buckets;
  readonly #setOf: (item: number) => BigUint64Array;
  readonly #threshold: number;
  readonly #limits: CrowdLimits;
  readonly #index = new PrefixIndex();
  #prefixOf: PrefixOf | undefined;
  /** The item that was looked for last, and its prefix: it may be added next. */
  #last: { readonly item: number; readonly prefix: Prefix } | undefined;

  constructor(buckets: Buckets, setOf: (item: number) => BigUint64Array, threshold: number, limits: CrowdLimits) {
    this.#buckets = buckets;
    this.#setOf = setOf;
    this.#threshold = threshold;
    this.#limits = limits;
  }

  has(bucket: number): boolean {
    const { starts } = this.#buckets.itemsOf;
    return starts[bucket + 1]! - starts[bucket]! > this.#limits.crowd;
  }

  /** Whether an item had better look for others here than go through its crowded buckets, of which each lists `countIn`. */
  isWorthIt(item: number, countIn: (bucket: number) => number): boolean {
    const { starts, values } = this.#buckets.bucketsOf;
    let listed = 0;
    for (let i = starts[item]!; i < starts[item + 1]!; i++) if (this.has(values[i]!)) listed += countIn(values[i]!);
    return listed > this.#limits.few && this.#canFind(item);
  }

  /** Documents without words are equal, or nothing to one another: their sets tell nothing. */
  #canFind(item: number): boolean {
    return this.#setOf(item).length > 0;
  }

  add(item: number): void {
    this.#index.add(item, this.#last?.item === item ? this.#last.prefix : this.#prefixes(item));
    this.#last = undefined;
  }

  /** Whether items can be added as they come, or had better wait until there is something to look for. */
  get isReady(): boolean {
    return this.#prefixOf !== undefined;
  }

  addAll(): void {
    for (const item of itemsIn(this.#buckets, this.#crowded())) this.add(item);
  }

  /** Calls `see` with the added items that may be more similar than the best, or as similar and come before it in keep order. */
  visit(item: number, best: Best, see: (candidate: number) => void): void {
    const { groups, entries } = this.#index;
    const prefix = this.#prefixes(item);
    this.#last = { item, prefix };
    this.#index.visit(prefix, best, (group, most) => {
      for (let entry = groups.first.values[group]!; entry !== 0; entry = entries.next.values[entry]!) {
        const candidate = entries.item.values[entry]!;
        if (most < best.similarity || (most === best.similarity && best.isBefore(candidate))) return;
        see(candidate);
      }
    });
  }

  /** The same with all that may reach the threshold. */
  visitAll(item: number, see: (candidate: number) => void): void {
    this.visit(item, { similarity: this.#threshold, isBefore: () => false }, see);
  }

  /** Whether a bucket that has this item and falls into so many parts is to be looked through by `link`. */
  isOf(parts: number, item: number): boolean {
    return parts >= this.#limits.crowd && this.#canFind(item);
  }

  /** Links all items of these buckets that are alike, as `areAlike` says. */
  link(buckets: readonly number[], linked: UnionFind, areAlike: (a: number, b: number) => boolean): void {
    const items = itemsIn(this.#buckets, buckets);
    const prefixOf = rareFirst(items, this.#setOf, this.#threshold);
    const index = new LinkedIndex(linked);
    // Two items may share many elements: those that were not alike once are not compared again.
    const comparedWith = new Int32Array(this.#buckets.bucketsOf.starts.length - 1).fill(-1);
    const areNewlyAlike = (member: number, item: number) => {
      if (comparedWith[member] === item) return false;
      comparedWith[member] = item;
      return areAlike(member, item);
    };
    for (const item of items) index.add(item, prefixOf(item), this.#threshold, areNewlyAlike);
  }

  get #prefixes(): PrefixOf {
    this.#prefixOf ??= rareFirst(itemsIn(this.#buckets, this.#crowded()), this.#setOf, this.#threshold);
    return this.#prefixOf;
  }

  *#crowded(): Generator<number> {
    for (let bucket = 0; bucket + 1 < this.#buckets.itemsOf.starts.length; bucket++) if (this.has(bucket)) yield bucket;
  }
}

/** Ascending. */
function itemsIn({ itemsOf, bucketsOf }: Buckets, buckets: Iterable<number>): Uint32Array {
  const isIn = new Uint8Array(bucketsOf.starts.length - 1);
  for (const bucket of buckets) for (const item of rowOf(itemsOf, bucket)) isIn[item] = 1;
  return Uint32Array.from(isIn.keys()).filter(item => isIn[item]);
}
