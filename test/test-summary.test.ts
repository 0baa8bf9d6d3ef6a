/** scripts/test-summary.mjs: the line that `.ci/run` ends with. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../scripts/test-summary.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'neardup-summary-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Each file of tests is its own state and those of its tests. */
function summary(...files: [status: string, ...tests: string[]][]) {
  const report = join(folder, 'report.json');
  const testResults = files.map(([status, ...tests]) => ({ status, assertionResults: tests.map(asResult) }));
  writeFileSync(report, JSON.stringify({ testResults }));
  const { status, stdout } = spawnSync(process.execPath, [script, report], { encoding: 'utf8' });
  return { status, stdout };
}

const asResult = (status: string) => ({ status });

test('counts the tests of all files', () => {
  expect(summary(['passed', 'passed', 'passed'], ['passed', 'passed'])).toEqual({
    status: 0,
    stdout: '3 passed, 0 failed\n',
  });
});

test('fails when a test failed, or when a file could not be loaded', () => {
  expect(summary(['failed', 'passed', 'failed'])).toEqual({ status: 1, stdout: '1 passed, 1 failed\n' });
  expect(summary(['passed', 'passed'], ['failed'])).toEqual({ status: 1, stdout: '1 passed, 1 failed\n' });
});

test('fails when a test was left out, or when there was none', () => {
  expect(summary(['passed', 'passed', 'pending'])).toEqual({ status: 1, stdout: '1 passed, 0 failed\n' });
  expect(summary(['passed', 'passed', 'todo'])).toEqual({ status: 1, stdout: '1 passed, 0 failed\n' });
  expect(summary()).toEqual({ status: 1, stdout: '0 passed, 0 failed\n' });
});
