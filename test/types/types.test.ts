/** The package as it is published, seen by compilers of users: what they take, and what they refuse. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'neardup-types-'));
afterAll(() => rmSync(project, { recursive: true }));

/** A user's folder: the package as npm packs it, and no types of Node to lean on. */
beforeAll(() => {
  const installed = join(project, 'node_modules', 'neardup');
  mkdirSync(installed, { recursive: true });
  const packed = run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], root);
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  run('tar', ['-xzf', join(project, filename), '-C', installed, '--strip-components', '1'], project);
  cpSync(join(root, 'test/types/cases'), project, { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
});

const resolutions = {
  node16: { module: 'node16', moduleResolution: 'node16' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
};

describe.each([
  { compiler: 'typescript-5.0', files: ['accepted.ts', 'refused.ts'], lib: ['es2022', 'dom'] },
  { compiler: 'typescript-newest', files: ['accepted.ts', 'refused.ts'], lib: ['es2022', 'dom'] },
  {
    compiler: 'typescript-newest',
    files: ['accepted.ts', 'refused.ts', 'disposed.ts'],
    lib: ['es2022', 'dom', 'esnext.disposable'],
  },
])('$compiler with $lib', ({ compiler, files, lib }) => {
  test.each(Object.keys(resolutions) as (keyof typeof resolutions)[])(
    'takes what is right, and refuses what is not, as it resolves modules by %s',
    resolution => {
      const compilerOptions = {
        target: 'es2022',
        lib,
        types: [],
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        noEmit: true,
        ...resolutions[resolution],
      };
      const config = join(project, 'tsconfig.json');
      writeFileSync(config, JSON.stringify({ compilerOptions, files }));
      const tsc = join(root, 'node_modules', compiler, 'bin', 'tsc');
      const { stdout, status } = run(process.execPath, [tsc, '-p', config], project);
      expect(stdout).toBe('');
      expect(status).toBe(0);
    },
    120_000,
  );
});

function run(command: string, args: string[], cwd: string) {
  return spawnSync(command, args, { cwd, encoding: 'utf8' });
}
