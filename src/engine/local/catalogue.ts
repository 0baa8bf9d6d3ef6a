/** The columns of all chunks → documents numbered over all files: ids, repeated ids, equal texts, keep order. */
import type { Reject } from '../../formats/item.ts';
import type { KeepSpec } from '../../model.ts';
import { type Rows, rowOf } from '../buckets.ts';
import type { RunOptions } from '../run-options.ts';
import type { ChunkColumns } from './columns.ts';
import type { Chunk } from './plan.ts';

export interface Catalogue {
  /** Documents with a repeated id are among them, but neither stay nor go. */
  readonly count: number;
  readonly protectedCount: number;
  /** 1 for each document that looks for near-duplicates: it has words, and no equal text comes before it. */
  readonly active: Uint8Array;
  /** 1 for each document whose id was there before. */
  readonly repeated: Uint8Array;
  readonly order: Uint32Array;
  readonly rejects: readonly Reject[];
  /** The id as it stands between the quotes of a JSON string. */
  shownIdOf(item: number): string;
  /** Copies of a document that has no candidate go for it. */
  decideCopies(keptBy: Int32Array): void;
  /** The first document with the same text, in keep order. */
  readonly firstOf: Uint32Array;
}

export function createCatalogue(
  chunks: readonly Chunk[],
  columns: readonly ChunkColumns[],
  shared: { readonly ids: Rows; readonly contents: Rows },
  protectedChunks: number,
  { keep }: RunOptions,
): Catalogue {
  const count = columns.reduce((sum, column) => sum + column.count, 0);
  const bases = runningSum(columns.map(column => column.count));
  const lineBases = lineNumbers(chunks, columns);
  const protectedCount = columns.slice(0, protectedChunks).reduce((sum, column) => sum + column.count, 0);
  const shingles = joined(
    columns.map(column => column.shingles),
    count,
  );
  const chunkOf = (item: number) => lastAtMost(bases, item);
  const shownIdOf = (item: number) => {
    const chunk = chunkOf(item);
    const column = columns[chunk]!;
    const { idStarts, idBytes, lines } = column;
    const place = item - bases[chunk]!;
    const start = idStarts[place]!;
    if (hasId(column, place)) return Buffer.from(idBytes.buffer, start, idStarts[place + 1]! - start).toString();
    return JSON.stringify(`${chunks[chunk]!.name}:${lineBases[chunk]! + lines[place]! + 1}`).slice(1, -1);
  };
  const repeated = findRepeatedIds(columns, count, protectedCount, shared.ids, shownIdOf);
  const order = orderOf(columns, count, protectedCount, keep);
  const firstOf = findEqualTexts(columns, count, shared.contents, order, repeated);
  /** In the order of the lines, those of the reference set first. */
  const rejectsOf = () => {
    const found = columns.map(({ rejects }) => [...rejects]);
    for (let item = 0; item < count; item++) {
      if (!repeated[item]) continue;
      const chunk = chunkOf(item);
      const reason = `repeated id "${shownIdOf(item)}"`;
      found[chunk]!.push({ line: columns[chunk]!.lines[item - bases[chunk]!]!, reason });
    }
    return found.flatMap((rejects, chunk) =>
      rejects
        .sort((a, b) => a.line - b.line)
        .map(({ line, reason }) => ({ file: chunks[chunk]!.name, line: lineBases[chunk]! + line + 1, reason })),
    );
  };
  const active = new Uint8Array(new SharedArrayBuffer(count));
  for (let item = 0; item < count; item++)
    active[item] = Number(shingles[item]! > 0 && firstOf[item] === item && !repeated[item]);
  return {
    count,
    protectedCount,
    active,
    repeated,
    order,
    rejects: rejectsOf(),
    shownIdOf,
    firstOf,
    decideCopies(keptBy) {
      for (let item = protectedCount; item < count; item++) {
        if (firstOf[item] !== item && keptBy[item]! < 0 && !repeated[item]) keptBy[item] = firstOf[item]!;
      }
    },
  };
}

function hasId({ idHashes }: ChunkColumns, place: number): boolean {
  return idHashes[2 * place] !== 0 || idHashes[2 * place + 1] !== 0;
}

/** Line number of the first line of each chunk, from 0, in its file. */
function lineNumbers(chunks: readonly Chunk[], columns: readonly ChunkColumns[]): number[] {
  let line = 0;
  return chunks.map(({ start }, i) => {
    if (start === 0) line = 0;
    const first = line;
    line += columns[i]!.lineCount;
    return first;
  });
}

/** Reference set, policy, input order. */
function orderOf(columns: readonly ChunkColumns[], count: number, protectedCount: number, keep: KeepSpec): Uint32Array {
  const order = new Uint32Array(count);
  for (let item = 0; item < count; item++) order[item] = item;
  if (keep.policy === 'first') return order;
  const lengths = new Float64Array(count);
  let used = 0;
  for (const { textBytes } of columns) {
    lengths.set(textBytes, used);
    used += textBytes.length;
  }
  const sign = keep.policy === 'shortest' ? 1 : -1;
  for (const part of [order.subarray(0, protectedCount), order.subarray(protectedCount)]) {
    part.sort((a, b) => sign * (lengths[a]! - lengths[b]!) || a - b);
  }
  return order;
}

/** 1 for each document whose id a document before it has; ids are compared as such, not only by hash. */
function findRepeatedIds(
  columns: readonly ChunkColumns[],
  count: number,
  protectedCount: number,
  groups: Rows,
  shownIdOf: (item: number) => string,
): Uint8Array {
  const repeated = new Uint8Array(count);
  const hashes = joined(
    columns.map(({ idHashes }) => idHashes),
    count * 2,
  );
  for (let group = 0; group + 1 < groups.starts.length; group++) {
    const items = rowOf(groups, group);
    // Documents without an id have none in common.
    if (hashes[2 * items[0]!] === 0 && hashes[2 * items[0]! + 1] === 0) continue;
    const seen = new Set<string>();
    for (const item of items) {
      // Ids of the reference set are apart from those of the inputs.
      const id = `${item < protectedCount} ${shownIdOf(item)}`;
      if (seen.has(id)) repeated[item] = 1;
      seen.add(id);
    }
  }
  return repeated;
}

/** For each document the first in keep order with an equal text: all 128 bits of the content hash are compared. */
function findEqualTexts(
  columns: readonly ChunkColumns[],
  count: number,
  groups: Rows,
  order: Uint32Array,
  repeated: Uint8Array,
): Uint32Array {
  const firstOf = new Uint32Array(new SharedArrayBuffer(count * 4));
  const turn = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    firstOf[i] = i;
    turn[order[i]!] = i;
  }
  const contents = joined(
    columns.map(column => column.contents),
    count * 4,
  );
  // Of a group the first 64 bits are equal; the others nearly always are, too.
  const areEqual = (a: number, b: number) =>
    contents[a * 4 + 2] === contents[b * 4 + 2] && contents[a * 4 + 3] === contents[b * 4 + 3];
  for (let group = 0; group + 1 < groups.starts.length; group++) {
    const firsts: number[] = [];
    for (const item of rowOf(groups, group)
      .slice()
      .sort((a, b) => turn[a]! - turn[b]!)) {
      if (repeated[item]) continue;
      const first = firsts.find(known => areEqual(known, item));
      if (first === undefined) firsts.push(item);
      else firstOf[item] = first;
    }
  }
  return firstOf;
}

function joined(parts: readonly Uint32Array[], length: number): Uint32Array {
  const all = new Uint32Array(length);
  let used = 0;
  for (const part of parts) {
    all.set(part, used);
    used += part.length;
  }
  return all;
}

function runningSum(values: readonly number[]): number[] {
  let sum = 0;
  return values.map(value => {
    const before = sum;
    sum += value;
    return before;
  });
}

/** The last place whose value is at most this; values ascend. */
function lastAtMost(values: readonly number[], value: number): number {
  let low = 0;
  let high = values.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (values[middle]! <= value) low = middle;
    else high = middle;
  }
  return low;
}
