import { expect, it } from 'vitest';
import { sharedFolder } from '../../../test/support/folder.ts';
import { openTables, pairKey, readInPlace } from './tables.ts';

const folder = sharedFolder();

it('gives a value without a copy exactly the bytes it has', async () => {
  const tables = openTables(folder, false);
  const lengths = [1, 15_008, 70_000, 12];
  for (const [at, length] of lengths.entries()) tables.blocks.putSync(pairKey(1, at), Buffer.alloc(length, at + 1));
  for (const [at, length] of lengths.entries()) {
    const bytes = readInPlace(tables.blocks, pairKey(1, at))!;
    expect([bytes.length, bytes.byteLength, bytes.subarray(1).length]).toEqual([length, length, length - 1]);
    expect(bytes.every(byte => byte === at + 1)).toBe(true);
  }
  expect(readInPlace(tables.blocks, pairKey(2, 0))).toBeUndefined();
  await tables.root.close();
});
