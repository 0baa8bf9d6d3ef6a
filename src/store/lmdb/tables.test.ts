import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openTables, pairKey, readInPlace } from './tables.ts';

const folder = mkdtempSync(join(tmpdir(), 'neardup-test-tables-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
