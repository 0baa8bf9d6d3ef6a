/** A document and --by → its keys and its content, changed so that only documents of one group can share them. */
import type { Kernel } from '../../kernel/contract.ts';
import { mix, u64 } from '../../kernel/hash.ts';
import type { Document } from '../../model.ts';
import { groupOf } from './group-of.ts';

interface GroupMark {
  keys(keys: BigUint64Array): BigUint64Array;
  /** The four words of a content hash of 128 bits. */
  content(hash: bigint): Uint32Array;
}

export function createGroupMark(by: string | undefined, document: Document, kernel: Kernel): GroupMark {
  const value = groupOf(document, by);
  if (value === undefined) return { keys: keys => keys, content: wordsOf };
  const group = kernel.read(value).contentHash;
  const low = u64(group);
  return {
    keys: keys => keys.map(key => mix(key ^ low)),
    content: hash => wordsOf(hash ^ group),
  };
}

/** 32 bits that differ from group to group, but for one case in 2³². */
export function groupBits(by: string | undefined, document: Document, kernel: Kernel): number {
  const value = groupOf(document, by);
  return value === undefined ? 0 : Number(kernel.read(value).contentHash & 0xffffffffn);
}

function wordsOf(hash: bigint): Uint32Array {
  return new Uint32Array(BigUint64Array.of(u64(hash), hash >> 64n).buffer);
}
