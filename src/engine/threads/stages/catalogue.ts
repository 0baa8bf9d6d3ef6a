/** Documents that share an id, documents that share a text → which of them take part, and in which order they are kept. */
import { isInputOrder, type KeepValue, orderBy } from '../../decide/keep-order.ts';
import { preferredFirst } from '../../decide/preferred-first.ts';
import type { SettledDecisions } from '../../decide/settle-decisions.ts';
import type { RunOptions } from '../../run-options.ts';
import type { ChunkFile } from '../storage/chunk-columns.ts';
import type { Documents } from '../storage/documents.ts';
import { readColumn } from '../storage/stage-file.ts';
import type { RowsFile } from './link-keyed-items.ts';

export interface Catalogue {
  /** Documents of the reference set come first. */
  readonly protectedCount: number;
  /** 1 for each document that looks for near-duplicates: no equal text comes before it in keep order. */
  readonly active: Uint8Array;
  /** 1 for each document whose id came before: it is named by its location. */
  readonly repeated: Uint8Array;
  /** The rank of each document in keep order; undefined when that is input order. */
  readonly keepRanks: Uint32Array | undefined;
  /** The first document with the same text, in keep order. Where people decided on one of them, each stands for itself. */
  readonly firstOf: Uint32Array;
  /** Equal numbers: texts equal byte for byte. */
  readonly contents: Uint32Array;
  /** Equal texts that stand for themselves each, ascending: two or more. */
  readonly apart: readonly (readonly number[])[];
}

export function createCatalogue(
  documents: Documents,
  known: Pick<Catalogue, 'protectedCount' | 'repeated'>,
  equalTexts: readonly RowsFile[],
  options: RunOptions,
  decided: SettledDecisions | undefined,
): Catalogue {
  const { count } = documents;
  const { protectedCount } = known;
  const keepRanks = preferredRanks(keepRanksOf(documents, protectedCount, options), count, protectedCount, decided);
  const contents = findEqualTexts(count, equalTexts, keepRanks);
  const { firstOf, apart } = decided ? takeApart(contents, decided) : { firstOf: contents, apart: [] };
  const active = new Uint8Array(new SharedArrayBuffer(count));
  for (let item = 0; item < count; item++) active[item] = Number(firstOf[item] === item);
  return { ...known, active, keepRanks, firstOf, contents, apart };
}

/**
 * One of two equal texts may be called different from a third, or from the other: then they do not go the same way. They are few
 * groups, those of documents that somebody decided on.
 */
function takeApart(contents: Uint32Array, { same, different }: SettledDecisions) {
  const decided = new Set<number>();
  for (const pairs of [same, different]) for (const item of pairs) decided.add(contents[item]!);
  const firstOf = new Uint32Array(new SharedArrayBuffer(contents.length * 4));
  const groups = new Map<number, number[]>();
  for (let item = 0; item < contents.length; item++) {
    const first = contents[item]!;
    firstOf[item] = decided.has(first) ? item : first;
    if (!decided.has(first)) continue;
    const group = groups.get(first);
    if (group) group.push(item);
    else groups.set(first, [item]);
  }
  return { firstOf, apart: [...groups.values()].filter(({ length }) => length > 1) };
}

/** Ids are compared as such, not only by hash. Those of the reference set are apart from those of the inputs. */
export function findRepeated(
  { count, openIds }: Documents,
  rows: readonly RowsFile[],
  protectedCount: number,
): Uint8Array {
  const repeated = new Uint8Array(count);
  const idOf = openIds('any');
  eachRow(rows, (items, start, end) => {
    const seen = new Set<string>();
    for (let i = start; i < end; i++) {
      const item = items[i]!;
      const id = `${item < protectedCount} ${idOf(item)}`;
      if (seen.has(id)) repeated[item] = 1;
      seen.add(id);
    }
  });
  return repeated;
}

function findEqualTexts(count: number, rows: readonly RowsFile[], keepRanks: Uint32Array | undefined): Uint32Array {
  const firstOf = new Uint32Array(new SharedArrayBuffer(count * 4));
  for (let item = 0; item < count; item++) firstOf[item] = item;
  const rankOf = (item: number) => (keepRanks ? keepRanks[item]! : item);
  eachRow(rows, (items, start, end) => {
    let first = items[start]!;
    for (let i = start; i < end; i++) if (rankOf(items[i]!) < rankOf(first)) first = items[i]!;
    for (let i = start; i < end; i++) firstOf[items[i]!] = first;
  });
  return firstOf;
}

/** A row is items[start … end − 1]: there may be so many that an object for each would take most of the time. */
export type SeeRow = (items: Uint32Array, start: number, end: number) => void;

export function eachRow(files: readonly RowsFile[], see: SeeRow): void {
  for (const file of files) {
    const starts = readColumn(file, 'starts', Uint32Array);
    const items = readColumn(file, 'items', Uint32Array);
    for (let row = 0; row < file.facts.rows; row++) see(items, starts[row]!, starts[row + 1]!);
  }
}

function keepRanksOf(
  { chunks, count }: Documents,
  protectedCount: number,
  options: RunOptions,
): Uint32Array | undefined {
  if (isInputOrder(options)) return undefined;
  const { keep, measure } = options;
  // Only what the policy goes by is read.
  const sizes = joined(measure === 'containment' ? chunks : [], 'sizes', count);
  const lengths = joined('field' in keep ? [] : chunks, 'textLengths', count);
  const values = 'field' in keep ? chunks.flatMap(keepValuesOf) : [];
  const order = orderBy(
    {
      count,
      protectedCount,
      sizeOf: item => sizes[item]!,
      lengthOf: item => lengths[item]!,
      valueOf: item => values[item]!,
    },
    options,
  );
  const keepRanks = new Uint32Array(new SharedArrayBuffer(count * 4));
  for (let rank = 0; rank < count; rank++) keepRanks[order[rank]!] = rank;
  return keepRanks;
}

/** Those that people want to be kept come first. */
function preferredRanks(
  keepRanks: Uint32Array | undefined,
  count: number,
  protectedCount: number,
  decided: SettledDecisions | undefined,
): Uint32Array | undefined {
  if (!decided || decided.preferred.length === 0) return keepRanks;
  const order = new Uint32Array(count);
  for (let item = 0; item < count; item++) order[keepRanks ? keepRanks[item]! : item] = item;
  const changed = new Uint32Array(new SharedArrayBuffer(count * 4));
  for (const [rank, item] of preferredFirst(order, decided.preferred, protectedCount).entries()) changed[item] = rank;
  return changed;
}

function keepValuesOf(chunk: ChunkFile): KeepValue[] {
  const kinds = readColumn(chunk, 'keepKinds', Uint8Array);
  const numbers = readColumn(chunk, 'keepNumbers', Float64Array);
  const starts = readColumn(chunk, 'keepStarts', Uint32Array);
  const bytes = Buffer.from(readColumn(chunk, 'keepBytes', Uint8Array));
  return Array.from(kinds, (kind, i) => ({
    kind,
    number: numbers[i]!,
    text: bytes.toString('utf8', starts[i], starts[i + 1]),
  }));
}

function joined(chunks: readonly ChunkFile[], column: string, count: number): Uint32Array {
  const all = new Uint32Array(count);
  let used = 0;
  for (const chunk of chunks) {
    const part = readColumn(chunk, column, Uint32Array);
    all.set(part, used);
    used += part.length;
  }
  return all;
}
