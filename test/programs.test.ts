/** What the command and its workers load before they begin: every file more costs each of them, and there is a worker for each core. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const dist = fileURLToPath(new URL('../dist', import.meta.url));

/** The files and packages that a program imports, in dist/, without those it loads later. */
function loadedBy(program: string): { readonly files: Set<string>; readonly packages: Set<string> } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (path: string) => {
    if (files.has(relative(dist, path))) return;
    files.add(relative(dist, path));
    for (const [, name] of readFileSync(path, 'utf8').matchAll(/(?:\bfrom|\bimport) ?["']([^"']+)["']/g)) {
      if (name!.startsWith('.')) visit(join(dirname(path), name!));
      else if (!name!.startsWith('node:')) packages.add(name!);
    }
  };
  visit(join(dist, program));
  return { files, packages };
}

describe('the bundle', () => {
  test('lets --version load next to nothing', () => {
    const { files, packages } = loadedBy('cli/main.js');
    expect(files.size).toBeLessThanOrEqual(3);
    expect(packages).toEqual(new Set());
  });

  test('lets a worker load few files, and nothing of the command line', () => {
    const { files, packages } = loadedBy('engine/threads/worker.js');
    expect(files.size).toBeLessThanOrEqual(6);
    expect(packages).not.toContain('commander');
  });

  test('imports no package that an installation does not have', () => {
    const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
      readFileSync(join(dist, '../package.json'), 'utf8'),
    );
    const installed = { ...dependencies, ...optionalDependencies, ...peerDependencies };
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(
      file => file.endsWith('.js') && !file.startsWith('web/'),
    );
    const missing = files.flatMap(file =>
      ts
        .preProcessFile(readFileSync(join(dist, file), 'utf8'))
        .importedFiles.map(({ fileName }) => fileName)
        .filter(name => !/^(\.|node:)/.test(name))
        .filter(name => !(packageOf(name) in installed))
        .map(name => `${file}: ${name}`),
    );
    expect(files.length).toBeGreaterThan(100);
    expect(missing).toEqual([]);
  });
});

/** `@scope/name/path` → `@scope/name` */
function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}
