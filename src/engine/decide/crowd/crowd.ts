/** Buckets that very many items share → the few of these items that may be alike, found by their rarest elements and not one by one. */
import type { Best } from '../../../cluster/direct.ts';
import { finish, type Steps } from '../../../cluster/steps.ts';
import type { UnionFind } from '../../../cluster/union-find.ts';
import type { RunOptions } from '../../run-options.ts';
import { type Buckets, rowOf } from '../buckets.ts';
import { wordsColumn } from '../columns.ts';
import { CountedParts } from '../counted-parts.ts';
import { LinkedIndex } from './linked-index.ts';
import { type Looks, looksFor } from './looks.ts';
import { PrefixIndex } from './prefix-index.ts';
import type { Prefix } from './rare-first.ts';

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
  options: RunOptions,
  limits = crowdLimits,
): Crowd | undefined {
  const { measure, verify, threshold } = options;
  if (measure === 'edit' || verify !== 'exact' || threshold === 0) return undefined;
  return new Crowd(buckets, setOf, { measure, threshold }, limits);
}

/** Steps through lists of the index that take no longer than a comparison. */
const STEPS = 8;

export class Crowd {
  readonly #buckets: Buckets;
  readonly #setOf: (item: number) => BigUint64Array;
  readonly #wanted: { readonly measure: 'resemblance' | 'containment'; readonly threshold: number };
  readonly #limits: CrowdLimits;
  #looks: Looks | undefined;
  #indexes: readonly PrefixIndex[] = [];
  /** Entries of each group of the first index, where groups are large: with containment, all that have an element. */
  readonly #listed = wordsColumn();
  #comparedInLimited: Int32Array | undefined;
  /** The item that was looked for last, and its prefix: it may be added next. */
  #last: { readonly item: number; readonly prefix: Prefix } | undefined;

  constructor(
    buckets: Buckets,
    setOf: (item: number) => BigUint64Array,
    wanted: { readonly measure: 'resemblance' | 'containment'; readonly threshold: number },
    limits: CrowdLimits,
  ) {
    this.#buckets = buckets;
    this.#setOf = setOf;
    this.#wanted = wanted;
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
    return listed > this.#limits.few && this.#canFind(item) && this.#steps(item) <= STEPS * listed;
  }

  /** How long the lists are that the item has to be looked for in, where it is known. */
  #steps(item: number): number {
    if (this.#listed.length === 0) return 0;
    const { seek } = this.#ready()[0];
    let steps = 0;
    this.#indexes[0]!.visit(seek(item), { similarity: this.#wanted.threshold }, group => {
      steps += this.#listed.values[group]!;
    });
    return steps;
  }

  /** Documents without words are equal, or nothing to one another: their sets tell nothing. */
  #canFind(item: number): boolean {
    return this.#setOf(item).length > 0;
  }

  add(item: number): void {
    const [{ bound, put, seek }] = this.#ready();
    const prefix = this.#last?.item === item && put === seek ? this.#last.prefix : put(item);
    const index = this.#indexes[0]!;
    if (bound.isOfBoth) index.add(item, prefix);
    else
      index.add(item, prefix, (group, added) => {
        while (this.#listed.length <= group) this.#listed.push(0);
        this.#listed.values[group]!++;
        index.append(group, added);
      });
    this.#last = undefined;
  }

  /** Whether items can be added as they come, or had better wait until there is something to look for. */
  get isReady(): boolean {
    return this.#looks !== undefined;
  }

  /** With a checkpoint at every item. */
  *addAll(): Steps<void> {
    const [, ...others] = yield* this.prepare();
    for (const item of itemsIn(this.#buckets, this.#crowded())) {
      this.add(item);
      for (const [i, { put }] of others.entries()) this.#indexes[i + 1]!.add(item, put(item));
      yield;
    }
  }

  /** Calls `see` with the added items that may be more similar than the best, or as similar and come before it in keep order. */
  visit(item: number, best: Best, see: (candidate: number) => void): void {
    const prefix = this.#ready()[0].seek(item);
    this.#last = { item, prefix };
    visitIndex(this.#indexes[0]!, prefix, best, see);
  }

  /** The same with all that may reach the threshold, in either direction. */
  visitAll(item: number, see: (candidate: number) => void): void {
    const all: Best = { similarity: this.#wanted.threshold, isBefore: () => false };
    for (const [i, { seek }] of this.#ready().entries()) visitIndex(this.#indexes[i]!, seek(item), all, see);
  }

  /** Whether a bucket in which this item was compared with so many is to be looked through by `link`. */
  isOf(compared: number, item: number): boolean {
    return compared >= this.#limits.crowd && this.#canFind(item);
  }

  /** Links all items of these buckets that are alike, as `areAlike` says. */
  *link(buckets: readonly number[], linked: UnionFind, areAlike: (a: number, b: number) => boolean): Steps<void> {
    const items = itemsIn(this.#buckets, buckets);
    const { measure, threshold } = this.#wanted;
    const looks = yield* looksFor(measure, items, this.#setOf, threshold);
    const index = new LinkedIndex(looks, linked, threshold, areAlike, this.#comparedWithNone());
    for (const item of items) {
      index.link(item);
      index.add(item);
      yield;
    }
  }

  /** Links the items of one bucket, of which past `limit` parts those are left out that are in none. */
  *linkLimited(
    bucket: number,
    limit: number,
    linked: UnionFind,
    areAlike: (a: number, b: number) => boolean,
  ): Steps<void> {
    const parts = new CountedParts(linked);
    this.#comparedInLimited ??= this.#comparedWithNone();
    const looks = yield* this.prepare();
    const index = new LinkedIndex(looks, parts, this.#wanted.threshold, areAlike, this.#comparedInLimited);
    for (const item of rowOf(this.#buckets.itemsOf, bucket)) {
      index.link(item);
      if (parts.admits(item, limit)) index.add(item);
      yield;
    }
  }

  #comparedWithNone(): Int32Array {
    return new Int32Array(this.#buckets.bucketsOf.starts.length - 1).fill(-1);
  }

  /** Counts the elements of all crowded items, once. Whoever has not done it before does it in one go. */
  *prepare(): Steps<Looks> {
    if (this.#looks) return this.#looks;
    const { measure, threshold } = this.#wanted;
    const items = itemsIn(this.#buckets, this.#crowded());
    this.#looks = yield* looksFor(measure, items, this.#setOf, threshold);
    this.#indexes = this.#looks.map(({ bound }) => new PrefixIndex(bound));
    return this.#looks;
  }

  #ready(): Looks {
    return this.#looks ?? finish(this.prepare());
  }

  *#crowded(): Generator<number> {
    for (let bucket = 0; bucket + 1 < this.#buckets.itemsOf.starts.length; bucket++) if (this.has(bucket)) yield bucket;
  }
}

function visitIndex(index: PrefixIndex, prefix: Prefix, best: Best, see: (candidate: number) => void): void {
  const { groups, entries } = index;
  index.visit(prefix, best, (group, most) => {
    for (let entry = groups.first.values[group]!; entry !== 0; entry = entries.next.values[entry]!) {
      const candidate = entries.item.values[entry]!;
      if (most < best.similarity || (most === best.similarity && best.isBefore(candidate))) return;
      see(candidate);
    }
  });
}

/** Ascending. */
function itemsIn({ itemsOf, bucketsOf }: Buckets, buckets: Iterable<number>): Uint32Array {
  const isIn = new Uint8Array(bucketsOf.starts.length - 1);
  for (const bucket of buckets) for (const item of rowOf(itemsOf, bucket)) isIn[item] = 1;
  return Uint32Array.from(isIn.keys()).filter(item => isIn[item]);
}
