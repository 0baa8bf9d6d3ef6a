/**
 * Documents of giant components → links between those that may reach the threshold, in four tasks: elements are counted, counts are
 * added up, prefixes are taken rarest elements first, and documents that share an element of them are linked.
 */
import { mostResemblance } from '../../../similarity/prefix-bound.ts';
import { createAnalyser } from '../../analyse/analyse.ts';
import { halvesOf } from '../../analyse/key-arrays.ts';
import { shortTextsOf } from '../../analyse/short-texts.ts';
import { addCount, ElementCounts } from '../../decide/crowd/element-counts.ts';
import { createPrefixes } from '../../decide/crowd/rare-first.ts';
import type { Sketcher } from '../../sketcher.ts';
import type { LineReader } from './line-reader.ts';
import { type RowsOut, rowsIn } from './pipes.ts';
import { kinds, type WorkerPlan } from './plan.ts';

/** Slots of a row of counts. */
const BLOCK = 1024;

function createSets({ options }: WorkerPlan, sketcher: Sketcher, lines: LineReader) {
  const { setOf } = createAnalyser(options, sketcher, shortTextsOf(options));
  return (rid: number, line: Uint8Array) => setOf(lines.document(rid, line));
}

/** Writes `S block 0 '' counts`, blocks without any left out. */
export function countElements(plan: WorkerPlan, sketcher: Sketcher, lines: LineReader, out: RowsOut): void {
  const setOf = createSets(plan, sketcher, lines);
  const counts = new ElementCounts(new Uint16Array(plan.slots!));
  for (const { numbers, rest } of rowsIn('count')) {
    out.see(numbers[0]!);
    counts.add(setOf(numbers[0]!, rest));
  }
  for (let block = 0; block * BLOCK < plan.slots!; block++) writeCounts(block, blockOf(counts.slots, block), out);
  out.end();
}

/** Blocks come in their order, those of one number together. */
export function sumCounts(out: RowsOut): void {
  const sum = new Uint16Array(BLOCK);
  let current = -1;
  for (const { numbers, rest } of rowsIn('sum')) {
    const block = numbers[0]!;
    out.see(block);
    if (block !== current) {
      if (current >= 0) writeCounts(current, sum, out);
      sum.fill(0);
    }
    current = block;
    addCounts(sum, rest);
  }
  if (current >= 0) writeCounts(current, sum, out);
  out.end();
}

function blockOf(slots: Uint16Array, block: number): Uint16Array {
  return slots.subarray(block * BLOCK, (block + 1) * BLOCK);
}

function writeCounts(block: number, counts: Uint16Array, out: RowsOut): void {
  if (counts.every(count => count === 0)) return;
  const bytes = Buffer.from(counts.buffer, counts.byteOffset, counts.byteLength);
  out.row(kinds.counts, block, 0, '', bytes.toString('base64'));
}

function addCounts(sum: Uint16Array, base64: Uint8Array): void {
  const bytes = Buffer.from(Buffer.from(base64).toString('latin1'), 'base64');
  if (bytes.length !== 2 * BLOCK) throw new Error('a row of counts is not whole');
  for (let slot = 0; slot < BLOCK; slot++) addCount(sum, slot, bytes.readUInt16LE(2 * slot));
}

/** Counts come before the lines, once for each part. Writes `E rid element size,left` for each element of a prefix. */
export function takePrefixes(plan: WorkerPlan, sketcher: Sketcher, lines: LineReader, out: RowsOut): void {
  const setOf = createSets(plan, sketcher, lines);
  const counts = new ElementCounts(new Uint16Array(plan.slots!));
  const prefixOf = createPrefixes(counts, plan.options.threshold);
  let current = -1;
  for (const { numbers, rest } of rowsIn('prefix')) {
    const [part, what, rid] = [numbers[0]!, numbers[1]!, numbers[2]!];
    out.see(rid);
    if (part !== current) counts.slots.fill(0);
    current = part;
    if (what === 0) {
      addCounts(blockOf(counts.slots, rid), rest);
      continue;
    }
    const { size, elements, left } = prefixOf(halvesOf(setOf(rid, rest)), 2);
    for (const [at, element] of elements.entries()) out.row(kinds.prefix, rid, element, `${size},${left - at}`, '');
  }
  out.end();
}

/** Documents whose sets have one size, and an element at one place: what they can share with another set is the same. */
interface Group {
  readonly size: number;
  readonly left: number;
  /** One is enough to stand for those that are linked. */
  rids: number[];
}

/** Elements come one after another. Writes `K rid rid` for each link. */
export function linkPrefixes({ options: { threshold } }: WorkerPlan, out: RowsOut): void {
  let current = -1;
  let groups: Group[] = [];
  for (const { numbers, rest } of rowsIn('link')) {
    const [element, rid] = [numbers[0]!, numbers[1]!];
    out.see(rid);
    if (element !== current) groups = [];
    current = element;
    const [size, left] = Buffer.from(rest).toString('latin1').split(',').map(Number) as [number, number];
    let own: Group | undefined;
    let isLinkedToOwn = false;
    for (const group of groups) {
      const isOwn = group.size === size && group.left === left;
      if (isOwn) own = group;
      if (mostResemblance(size, left, group.size, group.left) < threshold) continue;
      for (const other of group.rids) out.row(kinds.link, rid, other, '', '');
      group.rids = [group.rids[0]!];
      isLinkedToOwn ||= isOwn;
    }
    if (!own) groups.push({ size, left, rids: [rid] });
    else if (!isLinkedToOwn) own.rids.push(rid);
  }
  out.end();
}
