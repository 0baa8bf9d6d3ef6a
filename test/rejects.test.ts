/** Millions of lines that are no documents: listed in input order, in bounded memory, whatever the output is. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { main, words } from './support/command.ts';

let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'neardup-rejects-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const document = (n: number) => JSON.stringify({ id: n, text: words(n % 500, (n % 500) + 40) });
const bad = ['{}', '{"text":1}', '[]', '"', '{"text":"a"', 'no', '{"text": no}'];
const reasons = [
  'text missing',
  'text is not a string',
  'not an object',
  'not JSON',
  'not JSON',
  'not JSON',
  'not JSON',
];

/** So many lines, every third a document; the last line has no end, and others end as on Windows. */
function mixedLines(count: number): string {
  const lines = Array.from({ length: count }, (_, n) => (n % 3 === 0 ? document(n) : bad[n % bad.length]!));
  return `${lines.map((line, n) => (n % 5 === 0 ? `${line}\r` : line)).join('\n')}\n\n${document(count)}`;
}

/** Through a shell and `cat`: Node would give the child a socket, which cannot be opened by name. */
function dedup(input: string, output: string): string {
  const command = '"$0" "$@" | cat';
  const args = [main, 'dedup', input, '-o', output, '--rejects', at('rejects.jsonl'), '--quiet'];
  const { stdout, stderr } = spawnSync('sh', ['-c', command, process.execPath, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  expect(stderr).toMatch(/^neardup: [\d,]+ lines rejected \(first: .*\)\n$/);
  return stdout;
}

test.each([
  ['in memory', 3000],
  ['on threads', 60_000],
])('%s, the lines that stay and the rejects are the same for every output', (_, count) => {
  const text = mixedLines(count);
  writeFileSync(at('in.jsonl'), text);
  dedup(at('in.jsonl'), at('kept.jsonl'));
  const [kept, rejects] = [readFileSync(at('kept.jsonl'), 'utf8'), readFileSync(at('rejects.jsonl'), 'utf8')];
  expect(kept.split('\n').length).toBeGreaterThan(50);
  expect(rejects).toBe(
    text
      .split('\n')
      .slice(0, count)
      .map((_, n) =>
        n % 3 === 0
          ? ''
          : `${JSON.stringify({ file: at('in.jsonl'), line: n + 1, reason: reasons[n % bad.length] })}\n`,
      )
      .join(''),
  );
  for (const output of ['-', '/dev/stdout']) {
    expect(dedup(at('in.jsonl'), output)).toBe(kept);
    expect(readFileSync(at('rejects.jsonl'), 'utf8')).toBe(rejects);
  }
});

test('a small compressed file of millions of bad lines is read in bounded memory', () => {
  const count = 1_500_000;
  writeFileSync(at('bad.jsonl.gz'), gzipSync(`${document(1)}\n${'{}\n'.repeat(count)}`));
  const report = at('used.json');
  // Of this program alone: resourceUsage() begins with what the process that started it had, a whole test run.
  const hook = `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
    const told = existsSync('/proc/self/status') ? () => /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status'))[1] : () => process.resourceUsage().maxRSS;
    process.on('exit', () => writeFileSync(${JSON.stringify(report)}, String(told())));`;
  writeFileSync(at('hook.mjs'), hook);
  const args = ['--import', at('hook.mjs'), main, 'dedup', at('bad.jsonl.gz'), '-o', at('kept.jsonl')];
  const { status } = spawnSync(process.execPath, [...args, '--rejects', at('rejects.jsonl'), '--memory', '256MB']);
  expect(status).toBe(0);
  const rejects = readFileSync(at('rejects.jsonl'), 'utf8');
  expect(rejects.split('\n').length).toBe(count + 1);
  expect(rejects.slice(rejects.lastIndexOf('{'))).toContain(`"line":${count + 1},`);
  // 150 to 280 MB, as the garbage collector gets to it; an object for each of 2.7 million took 1.9 GB.
  expect(Number(readFileSync(report, 'utf8')) / 1024).toBeLessThan(400);
}, 60_000);
