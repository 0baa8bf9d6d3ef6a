import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { BrokenInput } from './codec.ts';
import { copyWhileRead } from './copy-while-read.ts';
import { decompress } from './decompress.ts';

const text = Buffer.from(Array.from({ length: 20_000 }, (_, i) => `line ${i} of many, ${i * i}\n`).join(''));

/** As a pipe does, it gives its bytes once. */
function onceOnly(bytes: Uint8Array, size: number): () => AsyncIterable<Uint8Array> {
  let at = 0;
  return async function* () {
    for (; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
}

const copies = () => readdirSync(tmpdir()).filter(name => name.startsWith(`neardup-input-${process.pid}-`));

test.each([1000, 65_536, 10_000_000])(
  'gives all that stands before damage in a pipe that is read %i bytes at a time',
  async size => {
    const copied = copyWhileRead(onceOnly(Buffer.concat([gzipSync(text), Buffer.from('garbage')]), size));
    const parts: Uint8Array[] = [];
    const inflate = async () => {
      for await (const part of decompress({ compression: 'gzip', open: copied.open })) parts.push(part);
    };
    await expect(inflate()).rejects.toThrow(BrokenInput);
    expect(Buffer.concat(parts).equals(text)).toBe(true);
    expect(copies()).toHaveLength(1);
    await copied.discard();
    expect(copies()).toEqual([]);
  },
);

test('makes no file of a pipe that gives nothing', async () => {
  const copied = copyWhileRead(onceOnly(new Uint8Array(0), 1));
  for await (const _ of copied.open());
  expect(copies()).toEqual([]);
  await copied.discard();
  expect(existsSync(tmpdir())).toBe(true);
});
