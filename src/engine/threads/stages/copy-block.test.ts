import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../../../bench/random.ts';
import { writeStage } from '../storage/stage-file.ts';
import { BLOCK, type Copying, copyBlock, createBlocks } from './copy-block.ts';

const folder = mkdtempSync(join(tmpdir(), 'neardup-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const random = createRandom(5);
/** Of two files: short lines, empty ones, gaps that are too large to be read across, lines longer than two blocks; the last line has no newline. */
const files = ['a', 'b'].map(name => {
  const lines = Array.from({ length: 3000 }, (_, i) => {
    const length = i % 1000 === 500 ? 2.3 * BLOCK : random.below(i % 50 === 0 ? 100_000 : 900);
    return { text: String.fromCharCode(97 + random.below(26)).repeat(length), stays: random.below(10) < 7 };
  });
  // The longest of the second file goes, and its last line stays.
  if (name === 'b') lines[1500] = { ...lines[1500]!, stays: false };
  lines[2999] = { text: 'the end', stays: true };
  return { name, path: join(folder, name), lines };
});
const expected = Buffer.from(
  files.flatMap(({ lines }) => lines.filter(({ stays }) => stays).map(({ text }) => `${text}\n`)).join(''),
);

/** Chunks of 700 lines of both files one after the other, so that one chunk has pieces of both. */
function plannedCopy(): Copying {
  const all = files.flatMap(({ name, path, lines }, file) => {
    let start = 0;
    return lines.map(({ text, stays }) => {
      const line = { name, path, file, start, length: text.length, stays };
      start += text.length + 1;
      return line;
    });
  });
  const numbers = Array.from({ length: Math.ceil(all.length / 700) }, (_, i) => i);
  const parts = numbers.map(i => all.slice(i * 700, (i + 1) * 700));
  const chunks = parts.map((lines, i) => {
    const firsts = [...new Set(lines.map(({ file }) => lines.findIndex(line => line.file === file)))];
    const pieces = firsts.map(firstItem => ({ firstItem, documents: 0, rejects: 0, lines: 0 }));
    const starts = { ids: [], contents: [], elements: [], keys: [] };
    const facts = { count: lines.length, pieces, reasons: [], rejects: 0, starts, fields: [] };
    const columns = {
      starts: Float64Array.from(lines, ({ start }) => start),
      lengths: Uint32Array.from(lines, ({ length }) => length),
    };
    return writeStage(join(folder, `sketch-${i}`), columns, facts);
  });
  const plan = chunks.map(({ facts }, i) => ({
    pieces: facts.pieces.map(({ firstItem }) => {
      const { name, path, file } = parts[i]![firstItem]!;
      return { name, path, file, start: 0, end: 0, isConverted: false };
    }),
  }));
  const offsets = new Float64Array(chunks.length + 1);
  for (const [i, lines] of parts.entries())
    offsets[i + 1] = lines.reduce((sum, { length, stays }) => sum + (stays ? length + 1 : 0), offsets[i]!);
  const stays = Uint8Array.from(all, line => Number(line.stays));
  return { plan, chunks, bases: numbers.map(i => i * 700), stays, offsets, jobs: 1 };
}

beforeAll(() => {
  for (const { path, lines } of files) writeFileSync(path, lines.map(({ text }) => text).join('\n'));
});

describe('copyBlock', () => {
  it('gathers any stretch of the output', () => {
    const copying = plannedCopy();
    const blockOf = createBlocks();
    const bytesOf = (from: number, to: number) => Buffer.from(blockOf(copying, { from, to }));
    for (let from = 0; from < expected.length; from += BLOCK) {
      const to = Math.min(expected.length, from + BLOCK);
      expect(bytesOf(from, to).equals(expected.subarray(from, to))).toBe(true);
    }
    for (let i = 0; i < 50; i++) {
      const from = random.below(expected.length);
      const to = Math.min(expected.length, from + 1 + random.below(20_000));
      expect(bytesOf(from, to).equals(expected.subarray(from, to))).toBe(true);
    }
  });

  it.each([true, false])('writes blocks in any order, past the cache: %s', isDirect => {
    const output = join(folder, `output-${isDirect}`);
    closeSync(openSync(output, 'w'));
    const copying = { ...plannedCopy(), output, isDirect: isDirect && canBeDirect(output), taken: new Uint32Array(2) };
    const blockOf = createBlocks();
    const count = Math.ceil(expected.length / BLOCK);
    for (let i = count - 1; i >= 0; i--)
      copyBlock(blockOf, copying, { from: i * BLOCK, to: Math.min(expected.length, (i + 1) * BLOCK) });
    truncateSync(output, expected.length);
    expect(readFileSync(output).equals(expected)).toBe(true);
    expect(copying.taken[0]).toBe(count);
  });

  it('fails when a file became shorter', () => {
    const copying = plannedCopy();
    const { path } = files[1]!;
    const bytes = readFileSync(path);
    truncateSync(path, bytes.length - 20);
    try {
      expect(() => createBlocks()(copying, { from: expected.length - 100, to: expected.length })).toThrow(/changed/);
    } finally {
      writeFileSync(path, bytes);
    }
  });
});

/** Not every system, and not every file system, lets us. */
function canBeDirect(path: string): boolean {
  if (!constants.O_DIRECT) return false;
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_DIRECT));
    return true;
  } catch {
    return false;
  }
}
