/** scripts/check-imports.mjs: silent on our tree, and one line for each mistake of a bad one. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { sharedFolder } from './support/folder.ts';

const script = fileURLToPath(new URL('../scripts/check-imports.mjs', import.meta.url));
const { checkImports }: { checkImports: (root: string) => string[] } = await import(pathToFileURL(script).href);
const folder = sharedFolder();

test('our own imports point one way', () => {
  expect(run()).toEqual({ status: 0, lines: [] });
});

test('the script prints a line for each mistake and fails', () => {
  const root = makeTree('one mistake', { 'src/model.ts': "import './errors.ts';", 'src/errors.ts': '' });
  expect(run(root)).toEqual({
    status: 1,
    lines: ['src/model.ts:1: model must not import errors (src/errors.ts)'],
  });
});

describe('a bad tree is told', () => {
  test.each<[string, Record<string, string>, RegExp[]]>([
    [
      'an import upwards',
      { 'src/kernel/a.ts': "\nimport { b } from '../lsh/b.ts';", 'src/lsh/b.ts': '' },
      [/^src\/kernel\/a\.ts:2: kernel must not import lsh \(src\/lsh\/b\.ts\)$/],
    ],
    [
      'a step that imports a sibling, however it is written',
      {
        'src/lsh/a.ts': "import type { B } from '../sketch/b.ts';\nexport * from '../sketch/b.ts';",
        'src/lsh/c.ts': "export const b = () => import('../sketch/b.ts');",
        'src/lsh/d.ts': "export type B = import('../sketch/b.ts').B;",
        'src/sketch/b.ts': '',
      },
      [
        /^src\/lsh\/a\.ts:1: lsh must not import sketch .*; steps do not import one another$/,
        /^src\/lsh\/a\.ts:2: lsh must not import sketch /,
        /^src\/lsh\/c\.ts:1: lsh must not import sketch /,
        /^src\/lsh\/d\.ts:1: lsh must not import sketch /,
      ],
    ],
    [
      'the command line and the service importing each other',
      { 'src/cli/a.ts': "import '../service/b.ts';", 'src/service/b.ts': "import '../cli/a.ts';" },
      [/^src\/cli\/a\.ts:1: cli must not import service/, /^src\/service\/b\.ts:1: service must not import cli/],
    ],
    [
      'a report that imports more than types of a step',
      {
        'src/report/a.ts': "import type { B } from '../lsh/b.ts';\nimport { type C } from '../lsh/b.ts';",
        'src/lsh/b.ts': '',
      },
      [/^src\/report\/a\.ts:2: report must not import lsh .*; only `import type` is allowed here$/],
    ],
    [
      'a package imported in two folders, or not installed with ours',
      {
        'package.json': '{"dependencies":{"@scope/heavy":"1"}}',
        'src/lsh/a.ts': "import '@scope/heavy/part.js';",
        'src/text/b.ts': "import '@scope/heavy';",
        'src/text/c.ts': "import 'absent';",
      },
      [
        /^src\/text\/b\.ts:1: @scope\/heavy is imported in text and in lsh \(src\/lsh\/a\.ts\); one folder owns a package$/,
        /^src\/text\/c\.ts:1: absent is not among the dependencies of package\.json$/,
      ],
    ],
    [
      'a Node module that the browser reaches, with the way to it',
      {
        'src/browser.ts': "export * from './lsh/a.ts';\nexport type * from './lsh/c.ts';",
        'src/lsh/a.ts': "export const b = () => import('./b.ts');",
        'src/lsh/b.ts': "import { readFileSync } from 'node:fs';",
        'src/lsh/c.ts': "import 'node:path';",
      },
      [/^src\/lsh\/b\.ts:1: node:fs is reached by the browser: src\/browser\.ts → src\/lsh\/a\.ts → src\/lsh\/b\.ts$/],
    ],
    ['a folder without a place', { 'src/utils/a.ts': '' }, [/^src\/utils\/a\.ts:1: utils is no part of the design/]],
    [
      'an exception that nobody needs any more',
      { 'src/formats/a.ts': '', 'src/text/b.ts': '' },
      [/the exception formats → text is no longer used$/],
    ],
  ])('%s', (name, files, expected) => {
    const lines = checkImports(makeTree(name, files));
    expect(lines).toHaveLength(expected.length);
    for (const [i, line] of lines.entries()) expect(line).toMatch(expected[i]!);
  });

  test('but not for what its tests import, nor for what comments and strings say', () => {
    const root = makeTree('good', {
      'src/kernel/a.test.ts': "import '../cli/b.ts';",
      'src/kernel/a.ts': "// import '../cli/b.ts'\nexport const example = `import '../cli/b.ts'`;",
      'src/cli/b.ts': '',
    });
    expect(checkImports(root)).toEqual([]);
  });
});

function makeTree(name: string, files: Record<string, string>): string {
  const root = join(folder, name.replace(/\W+/g, '-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { status, lines: `${stdout}${stderr}`.split('\n').filter(line => line !== '') };
}
