/**
 * A share of the documents → which of them go, as far as the kernel decides: the usual case, in which sets are compared and all of
 * them are in its memory. Its slow twin is the code of the in-memory engine, which takes what is left.
 */
import { SLACK } from '../../../kernel/layout.ts';
import type { Comparisons } from '../../decide/comparisons.ts';
import { crowdLimits } from '../../decide/crowd/crowd.ts';
import { aligned } from '../storage/line-kernel.ts';
import type { WorkerContext } from '../worker-context.ts';
import type { Share } from './share.ts';

/** Arrays have an entry for each document of the share. */
export interface DecidedShare {
  /** The one that is kept for it; −1 if it stays itself. */
  readonly keptBy: Int32Array;
  readonly resemblance: Float64Array;
  readonly containment: Float64Array;
  /** What is held against the threshold. */
  readonly similarity: Float64Array;
  /** Documents that are still to be decided on, one component after another, each in keep order. */
  readonly left: Uint32Array;
}

/** Undefined where the kernel cannot tell. */
export function decideByKernel(
  { lines, options }: WorkerContext,
  share: Share,
  comparisons: Comparisons,
): DecidedShare | undefined {
  const { cluster, measure, verify, threshold } = options;
  const placed = share.sets.placed();
  if (cluster !== 'direct' || measure !== 'resemblance' || verify !== 'exact') return undefined;
  if (share.decided || share.buckets.limited > 0 || !placed) return undefined;
  const { exports } = lines;
  const { itemsOf, bucketsOf } = share.buckets;
  const count = share.items.length;
  const buckets = itemsOf.starts.length - 1;
  const values = itemsOf.values.length;
  const { order, left } = withoutCrowds(share);
  const base = aligned(placed.end);
  exports.ensureMemory(base + exports.decideBytes(count, buckets, values) + SLACK);
  const memory = lines.buffer;
  // As kernel/decide.ts has it.
  let at = base + count * 8 * 2;
  const keptBy = new Int32Array(memory, at, count);
  at += count * 4;
  new Uint32Array(memory, at, order.length).set(order);
  at += count * 4;
  for (const numbers of [share.firstOf, share.comparable.contents, placed.sizes, placed.addresses]) {
    new Uint32Array(memory, at, count).set(numbers);
    at += count * 4;
  }
  for (const numbers of [bucketsOf.starts, bucketsOf.values, itemsOf.starts]) {
    new Uint32Array(memory, at, numbers.length).set(numbers);
    at += numbers.length * 4;
  }
  const { length: ordered } = order;
  comparisons.add(exports.decideDirect(base, count, buckets, values, ordered, share.protectedCount, threshold) >>> 0);
  const resemblance = new Float64Array(memory, base, count).slice();
  return {
    keptBy: keptBy.slice(),
    resemblance,
    containment: new Float64Array(memory, base + count * 8, count).slice(),
    similarity: resemblance,
    left,
  };
}

/** Components with a bucket that is a crowd are left: their documents are searched by rare elements. */
function withoutCrowds({ order, componentOf, buckets: { itemsOf } }: Share): { order: Uint32Array; left: Uint32Array } {
  const { starts, values } = itemsOf;
  const hasCrowd = new Uint8Array(order.length);
  let isAny = false;
  for (let bucket = 0; bucket + 1 < starts.length; bucket++) {
    if (starts[bucket + 1]! - starts[bucket]! <= crowdLimits.crowd) continue;
    hasCrowd[componentOf[values[starts[bucket]!]!]!] = 1;
    isAny = true;
  }
  if (!isAny) return { order, left: new Uint32Array(0) };
  return {
    order: order.filter(item => !hasCrowd[componentOf[item]!]),
    left: order.filter(item => hasCrowd[componentOf[item]!]),
  };
}
