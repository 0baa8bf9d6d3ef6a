/** scripts/test-summary.mjs: the line that `.ci/run` ends with. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sharedFolder } from './support/folder.ts';

const script = fileURLToPath(new URL('../scripts/test-summary.mjs', import.meta.url));
const folder = sharedFolder();

/** Each file of tests is its own state and those of its tests. */
type TestFile = [status: string, ...tests: string[]];

function summary(...files: TestFile[]) {
  return summaryOf(writeReport('report.json', files));
}

function summaryOf(...reports: string[]) {
  const { status, stdout } = spawnSync(process.execPath, [script, ...reports], { encoding: 'utf8' });
  return { status, stdout };
}

function writeReport(name: string, files: readonly TestFile[]): string {
  const report = join(folder, name);
  const testResults = files.map(([status, ...tests]) => ({ status, assertionResults: tests.map(asResult) }));
  writeFileSync(report, JSON.stringify({ testResults }));
  return report;
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
  expect(summary()).toEqual({ status: 1, stdout: '0 passed, 1 failed\n' });
});

test('adds up several reports; one that is empty or not there counts as failed', () => {
  const one = writeReport('one.json', [['passed', 'passed', 'passed']]);
  const two = writeReport('two.json', [['failed', 'passed', 'failed']]);
  expect(summaryOf(one, one)).toEqual({ status: 0, stdout: '4 passed, 0 failed\n' });
  expect(summaryOf(one, two)).toEqual({ status: 1, stdout: '3 passed, 1 failed\n' });
  expect(summaryOf(one, writeReport('none.json', []))).toEqual({ status: 1, stdout: '2 passed, 1 failed\n' });
  expect(summaryOf(one, join(folder, 'missing.json'))).toEqual({ status: 1, stdout: '2 passed, 1 failed\n' });
});
