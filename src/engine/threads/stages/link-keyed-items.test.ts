/** Rows of documents that share a key, as the kernel finds them and as plain maps do. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../bench/random.ts';
import { sharedFolder } from '../../../../test/support/folder.ts';
import { type KeyedItem, rowsByKey } from '../../../../test/support/reference-rows.ts';
import { runRequest } from '../../../../test/support/run-request.ts';
import type { ChunkFile } from '../storage/chunk-columns.ts';
import { type Family, KeyedItems, keyedItemWords, PARTS } from '../storage/keyed-items.ts';
import { aligned, createLineKernel } from '../storage/line-kernel.ts';
import { readColumn, writeStage } from '../storage/stage-file.ts';
import { linkKeyedItems, type RowsFile } from './link-keyed-items.ts';

const folder = sharedFolder();
const { reading, options } = await runRequest([]);
const lines = await createLineKernel(reading, options);
let written = 0;

interface Made {
  readonly chunks: ChunkFile[];
  readonly bases: number[];
  readonly keyed: KeyedItem[][];
}

/** Chunks of keyed items of which many share a low half, fewer the whole key. `parts`: how many parts they are in. */
function makeChunks(family: Family, sizes: readonly number[], parts: number, variety: number): Made {
  const random = createRandom(sizes.length + variety);
  const made: Made = { chunks: [], bases: [], keyed: [] };
  let base = 0;
  for (const size of sizes) {
    const items = new KeyedItems(family);
    const list: KeyedItem[] = [];
    for (let item = 0; item < size; item++)
      for (let keys = 1 + random.below(3); keys > 0; keys--) {
        const low = ((random.below(parts) << 24) | (Math.imul(random.below(variety), 40503) & 0xffffff)) >>> 0;
        const rest = [random.below(2), random.below(2), random.below(2)];
        const key = [low, ...rest].slice(0, keyedItemWords[family] - 1);
        list.push({ key, item });
        if (key.length === 2) items.add(key[0]!, key[1]!, item);
        else items.addContent(key, item);
      }
    const at = aligned(lines.input);
    lines.exports.ensureMemory(at + items.room);
    const { words, starts } = items.inParts(lines, at);
    const facts = { count: size, starts: { [family]: starts } } as unknown as ChunkFile['facts'];
    made.chunks.push(writeStage(join(folder, `chunk-${written++}`), { [family]: words }, facts));
    made.bases.push(base);
    made.keyed.push(list);
    base += size;
  }
  return made;
}

function rowsIn(file: RowsFile): number[][] {
  const starts = readColumn(file, 'starts', Uint32Array);
  const items = readColumn(file, 'items', Uint32Array);
  expect(file.facts).toEqual({ rows: starts.length - 1, items: items.length });
  return Array.from({ length: starts.length - 1 }, (_, row) => [...items.subarray(starts[row], starts[row + 1])]);
}

const path = () => join(folder, `rows-${written++}`);

describe.each(['ids', 'contents', 'elements', 'keys'] as const)('rows of %s', family => {
  it.each([
    { sizes: [40], parts: 1, variety: 10 },
    { sizes: [300, 0, 1, 500], parts: 3, variety: 200 },
    { sizes: [2000, 1500], parts: 256, variety: 5 },
    { sizes: [1000, 1000, 1000], parts: 256, variety: 100_000 },
  ])('are those of plain maps: %o', ({ sizes, parts, variety }) => {
    const { chunks, bases, keyed } = makeChunks(family, sizes, parts, variety);
    const task = { family, from: 0, to: PARTS, pass: 0, of: 1 };
    const all = linkKeyedItems(lines, { ...task, path: path() }, { chunks, bases }, undefined);
    expect(rowsIn(all)).toEqual(rowsByKey(keyed, bases, () => true));

    const active = Uint8Array.from({ length: 5000 }, (_, item) => Number(item % 3 > 0));
    const some = linkKeyedItems(lines, { ...task, path: path() }, { chunks, bases }, active);
    expect(rowsIn(some)).toEqual(rowsByKey(keyed, bases, item => active[item] === 1));
  });

  it('are the same, one sub-part of a part after another', () => {
    const { chunks, bases, keyed } = makeChunks(family, [3000, 3000], 2, 3000);
    const link = (of: number) =>
      Array.from({ length: of }, (_, pass) => {
        const task = { family, from: 1, to: 2, pass, of, path: path() };
        return rowsIn(linkKeyedItems(lines, task, { chunks, bases }, undefined));
      }).flat();
    const expected = rowsByKey(keyed, bases, (_, low) => low >>> 24 === 1);
    for (const of of [1, 2, 7]) expect(link(of)).toEqual(expected);
  });

  it('are the same where a part is larger than a cache', () => {
    const { chunks, bases, keyed } = makeChunks(family, [200_000, 150_000], 1, 2 ** 24);
    const task = { family, from: 0, to: 1, pass: 0, of: 1, path: path() };
    const rows = rowsIn(linkKeyedItems(lines, task, { chunks, bases }, undefined));
    expect(rows.length).toBeGreaterThan(1000);
    expect(rows).toEqual(rowsByKey(keyed, bases, () => true));
  });
});
