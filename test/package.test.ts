/** What `npm publish` would send: the command, the library, and whatever its pages link to. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
let packed: string[];

beforeAll(() => {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
  });
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  packed = files.map(({ path }) => path);
}, 60_000);

test('the package has what its manifest points at, and no tests', () => {
  const { bin, exports } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
  const named = [bin.neardup, exports['.'].default, exports['./browser'].default];
  expect(packed).toEqual(expect.arrayContaining(named.map(path => posix.normalize(path))));
  expect(packed.filter(path => path.endsWith('.test.ts'))).toEqual([]);
});

test('the lock file has every package of every platform, with the hash of its contents and no address', () => {
  const { packages } = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8')) as {
    packages: Record<
      string,
      { integrity?: string; resolved?: string; optionalDependencies?: Readonly<Record<string, string>> }
    >;
  };
  const entries = Object.entries(packages).filter(([path]) => path !== '');
  expect(entries.length).toBeGreaterThan(100);
  expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  expect(entries.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
  // npm leaves out what its registry does not have, and `npm ci` then fails on the platform that needs it.
  const asked = entries.flatMap(([, { optionalDependencies = {} }]) => Object.keys(optionalDependencies));
  expect(asked.filter(name => !packages[`node_modules/${name}`])).toEqual([]);
});

test('relative links of its pages lead to files that are in it', () => {
  const pages = packed.filter(path => path.endsWith('.md'));
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'ARCHITECTURE.md', 'docs/hashes.md']));
  const links = pages
    .flatMap(page =>
      Array.from(readFileSync(`${root}/${page}`, 'utf8').matchAll(/\]\(([^)#\s]+)[^)]*\)/g), ([, target]) => ({
        page,
        target: target!,
      })),
    )
    .filter(({ target }) => !/^[a-z]+:/.test(target));
  expect(links.length).toBeGreaterThan(10);
  const broken = links.filter(({ page, target }) => {
    const path = posix.join(posix.dirname(page), target).replace(/\/$/, '');
    return !packed.some(file => file === path || file.startsWith(`${path}/`));
  });
  expect(broken).toEqual([]);
});
