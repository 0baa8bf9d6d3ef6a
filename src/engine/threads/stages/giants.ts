/**
 * Giant components, of documents that share keys → smaller ones, of documents that may reach the threshold. What one worker would
 * have to decide on alone is dealt out: documents in ranges, then the elements of their prefixes in parts.
 */
import { rmSync } from 'node:fs';
import { createUnionFind, type UnionFind } from '../../../cluster/union-find.ts';
import { slotsFor } from '../../decide/crowd/element-counts.ts';
import { BYTES_PER_ELEMENT, giantSize } from '../../decide/giant.ts';
import type { Planned } from '../storage/open-lines.ts';
import { readColumn } from '../storage/stage-file.ts';
import { ALONE, sharedWords } from './deal.ts';
import type { Stages } from './link-documents.ts';
import type { LinksFile } from './link-prefixes.ts';

/** What workers know of giant components. */
export interface Giants extends Planned {
  /** The documents of all of them, ascending; a number below is a place in this list. */
  readonly members: Uint32Array;
  /** How often elements come in all of their sets. Workers count in it together. */
  readonly slots: Uint32Array;
}

/** Documents that a worker takes at a time. */
const RANGE = 2048;
/** Bytes that linking takes for an entry, if no other set has its element. */
const BYTES_PER_ENTRY = 100;
/** The documents of components that are too large for one worker. */
export function membersOfGiants(roots: Uint32Array, giant = giantSize()): Uint32Array {
  const sizes = new Uint32Array(roots.length);
  for (const root of roots) if (root !== ALONE) sizes[root]!++;
  const isMember = (item: number) => roots[item] !== ALONE && sizes[roots[item]!]! > giant;
  let count = 0;
  for (let item = 0; item < roots.length; item++) count += Number(isMember(item));
  const members = sharedWords(count);
  for (let item = 0, used = 0; used < count; item++) if (isMember(item)) members[used++] = item;
  return members;
}

/** Changes the roots of the members: components that remain have new ones, and who is in none is alone. `room`: bytes for all workers. */
export async function dissolve(
  roots: Uint32Array,
  members: Uint32Array,
  planned: Planned,
  { pool, jobs, pathOf, stage }: Pick<Stages, 'pool' | 'jobs' | 'pathOf' | 'stage'>,
  room: number,
): Promise<void> {
  const slots = sharedWords(slotsFor(bytesOf(members, planned) / BYTES_PER_ELEMENT));
  const giants: Giants = { ...planned, members, slots };
  await pool.tell({ giants });
  const ranges = Array.from({ length: Math.ceil(members.length / RANGE) }, (_, i) => ({
    from: i * RANGE,
    to: Math.min(members.length, (i + 1) * RANGE),
    path: pathOf(`elements-${i}`),
  }));
  const onDone = (before: number) => (done: number) => stage('shared passages', before + done, 2 * ranges.length);
  const elements = await pool.run('count', ranges, onDone(0));
  const tasks = ranges.map(({ from }, i) => ({ from, elements: elements[i]!, path: pathOf(`prefixes-${i}`) }));
  const prefixes = await pool.run('prefix', tasks, onDone(ranges.length));
  for (const { path } of elements) rmSync(path);
  const entries = prefixes.reduce((sum, { facts }) => sum + facts.entries, 0);
  const of = Math.max(jobs, Math.ceil((entries * BYTES_PER_ENTRY * jobs) / room));
  const parts = Array.from({ length: of }, (_, part) => ({
    prefixes,
    part,
    of,
    path: pathOf(`links-${part}-of-${of}`),
  }));
  const linked = joined(await pool.run('linkPrefixes', parts), members.length);
  setRoots(roots, members, linked);
}

function bytesOf(members: Uint32Array, { chunks, bases }: Planned): number {
  let at = 0;
  let bytes = 0;
  for (const [i, chunk] of chunks.entries()) {
    const lengths = readColumn(chunk, 'lengths', Uint32Array);
    for (; at < members.length && members[at]! < bases[i]! + lengths.length; at++)
      bytes += lengths[members[at]! - bases[i]!]!;
  }
  return bytes;
}

function joined(files: readonly LinksFile[], count: number): UnionFind {
  const linked = createUnionFind(count);
  for (const file of files) {
    const roots = readColumn(file, 'roots', Uint32Array);
    for (let member = 0; member < count; member++) linked.union(member, roots[member]!);
  }
  return linked;
}

function setRoots(roots: Uint32Array, members: Uint32Array, linked: UnionFind): void {
  const sizes = new Uint32Array(members.length);
  for (let member = 0; member < members.length; member++) sizes[linked.find(member)]!++;
  for (let member = 0; member < members.length; member++) {
    const root = linked.find(member);
    roots[members[member]!] = sizes[root]! > 1 ? members[root]! : ALONE;
  }
}
