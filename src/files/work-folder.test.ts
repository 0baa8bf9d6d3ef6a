import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/folder.ts';
import { makeWorkFolder, removeWorkFolder } from './work-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** More than Linux gives to a process by default, so none has it. */
const DEAD = 4194305;

test.each([[[]], [['.neardup-process']]])(
  'removes the folder of a process killed before it wrote its mark: %j',
  names => {
    const early = join(folder, `.neardup-${DEAD}-AAAAAA`);
    mkdirSync(early, { mode: 0o700 });
    for (const name of names) writeFileSync(join(early, name), '');
    removeWorkFolder(makeWorkFolder(folder, '.neardup-'));
    expect(existsSync(early)).toBe(false);
  },
);

test('leaves the folder of a process that is about to write its mark', () => {
  const begun = join(folder, `.neardup-${process.pid}-AAAAAA`);
  mkdirSync(begun, { mode: 0o700 });
  removeWorkFolder(makeWorkFolder(folder, '.neardup-'));
  expect(existsSync(begun)).toBe(true);
});

test('leaves a folder without a mark that holds something', () => {
  const full = join(folder, `.neardup-${DEAD}-BBBBBB`);
  mkdirSync(full, { mode: 0o700 });
  writeFileSync(join(full, 'precious'), 'precious');
  removeWorkFolder(makeWorkFolder(folder, '.neardup-'));
  expect(existsSync(join(full, 'precious'))).toBe(true);
});
