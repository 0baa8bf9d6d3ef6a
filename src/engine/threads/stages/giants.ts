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
import { TABLE_PARTS } from './count-elements.ts';
import { ALONE, sharedWords } from './deal.ts';
import type { Stages } from './link-documents.ts';
import type { LinksFile } from './link-prefixes.ts';

/** What workers know of giant components. */
export interface Giants extends Planned {
  /** The documents of all of them, ascending; a number below is a place in this list. */
  readonly members: Uint32Array;
  /** How often elements come in all of their sets. Workers count in it together. */
  readonly slots: Uint16Array;
  /** Which slots count two or more; known when all are counted. */
  readonly shared: Uint32Array;
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

/** Documents of a sample, and bytes they may have; giants of fewer members are not worth one. A sample with so few parts more than giants stays as it is. */
const SAMPLE = { documents: 128, bytes: 2 ** 23, members: 10_000, parts: 0.1 };

/** Where nearly all members of a giant do resemble each other, it is still one when it is dissolved. */
async function staysWhole(
  roots: Uint32Array,
  giants: Giants,
  bytes: number,
  { pool, pathOf }: Pick<Stages, 'pool' | 'pathOf'>,
): Promise<boolean> {
  const { members } = giants;
  const count = Math.min(SAMPLE.documents, Math.floor((SAMPLE.bytes * members.length) / bytes));
  if (members.length < SAMPLE.members || count < 2) return false;
  const documents = Uint32Array.from({ length: count }, (_, i) => members[Math.floor((i * members.length) / count)]!);
  const rootsOf = documents.map(document => roots[document]!);
  const task = { documents, roots: rootsOf, path: pathOf('sample-of-giants') };
  const [sample] = await pool.run('sample', [task]);
  return sample!.facts.parts - new Set(rootsOf).size <= SAMPLE.parts * count;
}

/** Changes the roots of the members: components that remain have new ones, and who is in none is alone. `room`: bytes for all workers. */
export async function dissolve(
  roots: Uint32Array,
  members: Uint32Array,
  planned: Planned,
  stages: Pick<Stages, 'pool' | 'jobs' | 'pathOf' | 'stage'>,
  room: number,
): Promise<void> {
  const { pool, jobs, pathOf, stage } = stages;
  const bytes = bytesOf(members, planned);
  const slotCount = slotsFor(bytes / BYTES_PER_ELEMENT);
  const slots = new Uint16Array(new SharedArrayBuffer(slotCount * 2));
  const shared = sharedWords(slotCount / 32);
  const giants: Giants = { ...planned, members, slots, shared };
  await pool.tell({ giants });
  if (await staysWhole(roots, giants, bytes, stages)) return;
  const ranges = Array.from({ length: Math.ceil(members.length / RANGE) }, (_, i) => ({
    from: i * RANGE,
    to: Math.min(members.length, (i + 1) * RANGE),
    path: pathOf(`elements-${i}`),
  }));
  const onDone = (before: number) => (done: number) => stage('shared passages', before + done, 2 * ranges.length);
  const elements = await pool.run('elements', ranges, onDone(0));
  await pool.run(
    'tally',
    Array.from({ length: TABLE_PARTS }, (_, part) => ({ part, elements })),
  );
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
