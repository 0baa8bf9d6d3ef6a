/** Folders for the files of tests, removed when the tests are done. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** For one test: asked for in it, or in `beforeEach`. */
export function temporaryFolder(): string {
  const folder = make();
  onTestFinished(() => remove(folder));
  return folder;
}

/** For all tests of a file: asked for outside of them. */
export function sharedFolder(): string {
  const folder = make();
  afterAll(() => remove(folder));
  return folder;
}

function make(): string {
  return mkdtempSync(join(tmpdir(), 'neardup-test-'));
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
