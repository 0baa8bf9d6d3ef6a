/** The pages point at what is there: every link leads to a file and a heading, every path that a guide names exists. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as library from '../src/index.ts';
import { readPage, root } from './support/shown-commands.ts';

const pagesIn = (folder: string) =>
  readdirSync(join(root, folder))
    .filter(name => name.endsWith('.md'))
    .map(name => join(folder, name));

const pages = ['.', 'docs', 'docs/decisions', 'bench/runs', 'examples'].flatMap(pagesIn);
const guides = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/finding-your-way.md', 'docs/postings.md'];

/** Files and folders that guides may name, each with its whole path; folders end in a slash. */
const known = [
  ...readdirSync(root),
  ...['kernel', 'src', 'web', 'test', 'scripts', 'docs', 'bench', 'examples'].flatMap(folder => [
    `${folder}/`,
    ...readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).map(entry => {
      const path = join(entry.parentPath, entry.name).slice(root.length);
      return entry.isDirectory() ? `${path}/` : path;
    }),
  ]),
];

const isThere = (name: string) => known.some(path => path === name || path.endsWith(`/${name}`));

describe.each(pages)('%s', page => {
  const links = Array.from(readPage(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g), match => match[1]!);

  test('links to files that are there', () => {
    const files = links.map(link => link.replace(/#.*$/, '')).filter(file => file !== '');
    expect(files.filter(file => !existsSync(join(root, dirname(page), file)))).toEqual([]);
  });

  test('links to headings that are there', () => {
    const lost = links.filter(link => {
      if (!/^(?:[^#]*\.md)?#/.test(link)) return false;
      const [file, anchor] = link.split('#') as [string, string];
      return !headingsOf(file === '' ? page : normalize(join(dirname(page), file))).has(anchor);
    });
    expect(lost).toEqual([]);
  });
});

test.each(guides)('%s names files and folders that are there', page => {
  expect(namesIn(readPage(page)).filter(name => !isThere(name))).toEqual([]);
});

test('the tree of ARCHITECTURE.md shows every folder of src, web and test', () => {
  const tree = treeOf('ARCHITECTURE.md').flatMap(name => [name, ...name.split(/(?<=\/)/)]);
  const folders = known.filter(path => /^(?:src\/(?!kernel\/).*|web\/.*|test\/[a-z]+|[a-z]+)\/$/.test(path));
  expect(folders.filter(path => !tree.includes(`${path.split('/').at(-2)}/`))).toEqual([]);
  expect(tree.filter(name => !isThere(name))).toEqual([]);
});

test('docs/library.md names every function and class that is exported', () => {
  const page = readPage('docs/library.md');
  expect(Object.keys(library).filter(name => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([]);
});

test('npm scripts that pages name are there, and CONTRIBUTING.md names those that people run', () => {
  const { scripts } = JSON.parse(readPage('package.json')) as { scripts: Record<string, string> };
  const named = pages.flatMap(page => Array.from(readPage(page).matchAll(/npm run ([\w:-]+)/g), match => match[1]!));
  expect(named.filter(name => !(name in scripts))).toEqual([]);
  const forPeople = Object.keys(scripts).filter(name => /^(?:test|bench|docs):/.test(name));
  const told = readPage('CONTRIBUTING.md');
  expect(forPeople.filter(name => !told.includes(`npm run ${name}\``))).toEqual([]);
});

test('a name that is not there is noticed', () => {
  expect(namesIn('`engine/no-such-file.ts`, `no-such-file.ts`, `src/nowhere/`').filter(isThere)).toEqual([]);
  expect(namesIn('`engine/engine.ts`, `engine.ts`, `src/engine/`').filter(isThere)).toHaveLength(3);
});

/** Anchors as GitHub makes them. */
function headingsOf(page: string): Set<string> {
  const withoutBlocks = readPage(page).replace(/^```[\s\S]*?^```$/gm, '');
  return new Set(
    Array.from(withoutBlocks.matchAll(/^#+ (.*)$/gm), match =>
      match[1]!
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** What stands between backticks and is the name of a file or a folder of ours; what a build makes is none. */
function namesIn(text: string): string[] {
  const quoted = Array.from(text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\/?)`/g), match => match[1]!);
  return quoted.filter(
    name => /(?:\w\.(?:ts|tsx|mjs|md|css|py)|[^/]\/)$/.test(name) && !/^(?:dist|site|node_modules)\//.test(name),
  );
}

/** The names in the drawn tree: words with an ending or a slash. */
function treeOf(page: string): string[] {
  const drawn = /^```\nkernel\/[\s\S]*?^```$/m.exec(readPage(page))![0];
  return drawn.split(/[\s,;:()]+/).filter(word => /^[\w/-]+(?:\.(?:ts|mjs|md)|\/)$/.test(word));
}
