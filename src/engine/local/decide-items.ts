/** Some of the candidates, with all that they share buckets with → which are kept, and for which the others go. */
import { kept } from '../../cluster/keeping.ts';
import { SLACK } from '../../kernel/layout.ts';
import { cannotReach } from '../../similarity/measures.ts';
import type { Buckets } from '../buckets.ts';
import { decideBy } from '../decide.ts';
import type { RunOptions } from '../run-options.ts';
import type { LineKernel } from './line-kernel.ts';
import type { ShingleSets } from './shingle-chunk.ts';

export interface DecideTask {
  readonly count: number;
  readonly protectedCount: number;
  readonly order: Uint32Array;
  /** Equal texts share the buckets and the set of the first of them. */
  readonly firstOf: Uint32Array;
  readonly buckets: Buckets;
  readonly sets: readonly ShingleSets[];
  /** Where the set of each item is: which of `sets`, and which in there. */
  readonly setChunk: Uint32Array;
  readonly setPlace: Uint32Array;
  readonly rules: Pick<RunOptions, 'cluster' | 'threshold'>;
  /** Written for the items that go; shared by all workers, each writes its own items. */
  readonly keptBy: Int32Array;
  readonly resemblance: Float64Array;
  readonly containment: Float64Array;
}

export function decideItems(kernel: LineKernel, task: DecideTask): void {
  const compare = createComparison(kernel, task);
  const { threshold } = task.rules;
  const keptBy = decideBy(
    task,
    task.buckets,
    (a, b) => {
      const [sizeA, sizeB] = [compare.sizeOf(a), compare.sizeOf(b)];
      if (cannotReach(sizeA, sizeB, threshold)) return 0;
      const shared = compare.shared(a, b);
      return shared / (sizeA + sizeB - shared);
    },
    task.rules,
  );
  for (const item of task.order) {
    const representative = keptBy[item]!;
    if (representative === kept || item < task.protectedCount) continue;
    const shared = compare.shared(item, representative);
    const sizeA = compare.sizeOf(item);
    task.keptBy[item] = representative;
    task.resemblance[item] = shared / (sizeA + compare.sizeOf(representative) - shared);
    task.containment[item] = shared / sizeA;
  }
}

/** Sets are compared in the kernel's memory; the one compared last stays there, since it is compared with several. */
function createComparison(kernel: LineKernel, { sets, setChunk, setPlace, firstOf }: DecideTask) {
  const { exports, input } = kernel;
  const setOf = (item: number) => {
    const { starts, hashes } = sets[setChunk[firstOf[item]!]!]!;
    const place = setPlace[firstOf[item]!]!;
    return hashes.subarray(starts[place]!, starts[place + 1]!);
  };
  const sizeOf = (item: number) => {
    const { starts } = sets[setChunk[firstOf[item]!]!]!;
    const place = setPlace[firstOf[item]!]!;
    return starts[place + 1]! - starts[place]!;
  };
  const put = (set: BigUint64Array, address: number) => {
    exports.ensureMemory(address + set.byteLength + SLACK);
    new BigUint64Array(kernel.buffer, address, set.length).set(set);
    return address + set.byteLength;
  };
  let placed = -1;
  let behind = input;
  return {
    sizeOf,
    shared(a: number, b: number): number {
      if (placed !== a) behind = put(setOf(a), input);
      placed = a;
      const second = setOf(b);
      put(second, behind);
      return exports.intersectionSize(input, sizeOf(a), behind, second.length);
    },
  };
}
