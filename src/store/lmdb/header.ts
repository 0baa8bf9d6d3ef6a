/**
 * The first pages of an LMDB file → what is wrong with them, before LMDB is let at it.
 *
 * LMDB trusts its file: a page it is told of and that is not there ends the process. Two pages say where everything begins;
 * each transaction writes the one that the transaction before did not.
 *
 *   24  u32  magic     28  u32  version     48  u32  bytes of a page     52  u16  flags
 *   88  i64  root of the free list, of the tables (136)     144  u64  last page     152  u64  transaction
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const HEADER = 160;
const MAGIC = 0xbeefc0de;
const VERSION = 2;
const ATTEMPTS = 5;

/** Undefined when nothing is. Who reads while another writes may see half a page: it is looked at again. */
export async function damageOfHeader(file: string): Promise<string | undefined> {
  let damage: string | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await setTimeout(20);
    damage = lookAt(file);
    if (damage === undefined) break;
  }
  return damage;
}

function lookAt(file: string): string | undefined {
  const descriptor = openSync(file, 'r');
  try {
    const header = (place: number) => {
      const bytes = Buffer.alloc(HEADER);
      return readSync(descriptor, bytes, 0, HEADER, place) === HEADER ? bytes : undefined;
    };
    const first = header(0);
    const pageSize = first?.readUInt32LE(48) ?? 0;
    const second = header(pageSize);
    const { size } = fstatSync(descriptor);
    if (!first) return `its file ends after ${size} bytes`;
    const damage = damageOfPage(first, 0, pageSize, size);
    if (damage !== undefined || !second) return damage ?? `its file ends after ${size} bytes`;
    return damageOfPage(second, 1, pageSize, size) ?? gapBetween(first, second);
  } finally {
    closeSync(descriptor);
  }
}

function damageOfPage(bytes: Buffer, page: number, pageSize: number, size: number): string | undefined {
  const last = bytes.readBigUInt64LE(144);
  const roots = [bytes.readBigInt64LE(88), bytes.readBigInt64LE(136)];
  const isSound =
    bytes.readBigUInt64LE(0) === BigInt(page) &&
    bytes.readUInt32LE(24) === MAGIC &&
    bytes.readUInt32LE(28) === VERSION &&
    bytes.readUInt32LE(48) === pageSize &&
    // -1: there is nothing in it.
    roots.every(root => root >= -1n && root <= last);
  if (!isSound) return `page ${page} of its file is damaged`;
  if ((last + 1n) * BigInt(pageSize) > size) return `its file ends after ${size} bytes`;
  return undefined;
}

/** In a new file, and in a copy, one of them is of no transaction. */
function gapBetween(first: Buffer, second: Buffer): string | undefined {
  const [a, b] = [first.readBigUInt64LE(152), second.readBigUInt64LE(152)];
  const isSound = a === 0n || b === 0n || a - b === 1n || b - a === 1n;
  return isSound ? undefined : `the first pages of its file are of transactions ${a} and ${b}`;
}
