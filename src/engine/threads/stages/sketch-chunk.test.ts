/** The columns of a chunk, as the kernel takes its documents and as JavaScript takes them one by one. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createRandom } from '../../../../bench/random.ts';
import { sharedFolder } from '../../../../test/support/folder.ts';
import { runRequest } from '../../../../test/support/run-request.ts';
import type { Chunk } from '../plan/plan.ts';
import { PARTS } from '../storage/keyed-items.ts';
import { readColumn } from '../storage/stage-file.ts';
import { createContext, type WorkerContext } from '../worker-context.ts';
import { sketchChunk } from './sketch-chunk.ts';

const folder = sharedFolder();
const LONGEST = 3000;

async function openContext(): Promise<WorkerContext> {
  const { reading, options } = await runRequest([], { reading: { maxDocument: LONGEST } });
  const rest = { fields: [], exact: false, byKernel: true, setsByKernel: true, resumes: false };
  return createContext({ reading, options, ...rest, setBytes: 2 ** 20, manyComparisons: 1e9 }, () => {});
}

/** Every record goes to JavaScript. */
async function openSlowContext(): Promise<WorkerContext> {
  const context = await openContext();
  const exports = { ...context.lines.exports, takeRecords: () => 0 };
  return Object.assign(context, { lines: Object.assign(context.lines, { exports }) });
}

const random = createRandom(11);
const word = () => `w${random.below(300)}`;
const words = (most: number) => Array.from({ length: random.below(most) }, word).join(' ');
const ids = [
  () => `"id":"d${random.below(1e6)}",`,
  () => `"id":${random.below(1e6)},`,
  () => '"id":0,',
  () => '"id":007,',
  () => '"id":-1,',
  () => '"id":1.50,',
  () => '"id":null,',
  () => '"id":"",',
  () => '"id":"a\\n\\u0041",',
  () => '"id":"größe",',
  () => '"id":["x"],',
  () => '',
];

function line(isOdd: boolean): string {
  if (!isOdd) return `{${ids[random.below(2)]!()}"text":"${words(120)}"}`;
  const others = [
    '',
    '   ',
    '{',
    '[1]',
    '{"id":"only"}',
    '{"text":7}',
    '{"text":null}',
    `{"text":"${'x '.repeat(LONGEST)}"}`,
  ];
  if (random.below(3) === 0) return random.pick(others);
  return `{${random.pick(ids)()}"text":"${words(60)}"}`;
}

it.each([
  { lines: 3000, odd: 2, name: 'half of them odd' },
  { lines: 6000, odd: 200, name: 'few of them odd' },
  { lines: 5000, odd: Number.POSITIVE_INFINITY, name: 'all plain' },
])('are the same: $name', async ({ lines, odd, name }) => {
  const path = join(folder, `${name}.jsonl`);
  const text = Array.from({ length: lines }, () => line(odd < lines && random.below(odd) === 0)).join('\n');
  writeFileSync(path, text);
  const piece = { file: 0, path, name: path, isConverted: false };
  const half = text.length >> 1;
  const pieces = [
    { ...piece, start: 0, end: half },
    { ...piece, start: half, end: Buffer.byteLength(text) },
  ];
  const chunk = { pieces } as unknown as Chunk;
  const fast = sketchChunk(await openContext(), chunk, join(folder, `${name}-fast`));
  const slow = sketchChunk(await openSlowContext(), chunk, join(folder, `${name}-slow`));
  expect(readFileSync(fast.path).equals(readFileSync(slow.path))).toBe(true);
  expect(fast.facts.count).toBeGreaterThan(lines / 2);
  expect(fast.facts.rejects > 0).toBe(odd < lines);

  const keys = readColumn(fast, 'keys', Uint32Array);
  const parts = keys.filter((_, i) => i % 3 === 0).map(low => low >>> 24);
  expect(parts).toEqual(parts.slice().sort());
  const starts = new Array(PARTS + 1).fill(parts.length);
  for (let i = parts.length - 1; i >= 0; i--) starts.fill(i, 0, parts[i]! + 1);
  expect(fast.facts.starts.keys).toEqual(starts);
});
