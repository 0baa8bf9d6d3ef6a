/** A folder, or a pattern such as `crawl-*.jsonl` → the files in it, or those that match. Every folder is read once, and a name is compared once with each part of the pattern. */
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../errors.ts';
import { failReading, reasonOf } from '../../files/system-errors.ts';
import type { Reject } from '../item.ts';
import { expandBraces } from './expand-braces.ts';
import { hasMagic, matchesName, type NamePattern, parseName } from './match-name.ts';

/** Any folders, or none. */
const FOLDERS = '**';
type Part = NamePattern | typeof FOLDERS;

/** So many patterns one with braces may stand for; each is a walk of its own. */
const MOST_PATTERNS = 1024;

/** Names with brackets or braces that do not close are names. */
export function isPattern(path: string): boolean {
  return /[*?]|\[[^\]]+\]|\{[^}]+\}|[+@!]\([^)]*\)/.test(path);
}

/** Some shells read `+(a|b)` as a pattern. To take it for a name would find other files than they do. */
function refuseGroups(pattern: string): void {
  const [group] = pattern.replaceAll(/\\.|\[[!^]?.[^\]]*\]/gs, '_').match(/[?*+@!]\([^)]*\)/s) ?? [];
  if (group !== undefined)
    fail('BAD_INPUT', {
      file: pattern,
      reason: `patterns such as ${group} are not understood; write {a,b}, or \\( for the letter (`,
    });
}

/** All that are not hidden, in no order. */
export async function filesBelow(folder: string, onBrokenLink: (reject: Reject) => void): Promise<readonly string[]> {
  const found = new Set<string>();
  const parts = [FOLDERS, parseName('*')] as const;
  const walk = { parts, found, onBrokenLink };
  await walkFolder(walk, folder, [await realpath(folder)], reachable(parts, [0]));
  return [...found];
}

/** In no order. */
export async function filesMatching(
  pattern: string,
  onBrokenLink: (reject: Reject) => void,
): Promise<readonly string[]> {
  refuseGroups(pattern);
  const found = new Set<string>();
  for (const one of allPatterns(pattern)) {
    const root = fixedPartOf(one);
    const below = one.split('/').slice(root.parts);
    const parts = below
      .filter(part => part !== '' && part !== '.')
      .map(part => (part === FOLDERS ? FOLDERS : parseName(part)));
    if (parts.at(-1) === FOLDERS) parts.push(parseName('*'));
    const real = await realpath(root.path).catch(() => undefined);
    if (real === undefined || !(await stat(root.path)).isDirectory()) continue;
    const walk = { parts, found, onBrokenLink };
    await walkFolder(walk, root.path, [real], reachable(parts, [0]));
  }
  return [...found];
}

function allPatterns(pattern: string): ReadonlySet<string> {
  const patterns = new Set<string>();
  let count = 0;
  for (const one of expandBraces(pattern)) {
    if (++count > MOST_PATTERNS)
      fail('BAD_INPUT', { file: pattern, reason: `its braces stand for more than ${MOST_PATTERNS} patterns` });
    patterns.add(one);
  }
  return patterns;
}

/** `data/2024-??/?.txt` → `data`, of one part. Without any magic the last part is still looked for. */
export function fixedPartOf(pattern: string): { readonly path: string; readonly parts: number } {
  const all = pattern.split('/');
  const magic = all.findIndex(hasMagic);
  const parts = magic < 0 ? all.length - 1 : magic;
  const path = all.slice(0, parts).join('/') || (parts > 0 && pattern.startsWith('/') ? '/' : '.');
  return { path, parts };
}

interface Walk {
  readonly parts: readonly Part[];
  readonly found: Set<string>;
  readonly onBrokenLink: (reject: Reject) => void;
}

/** `at`: the parts that a name in this folder may match. Links are followed, except back into a folder we are in (`above`: their real paths). */
async function walkFolder(
  walk: Walk,
  folder: string,
  above: readonly string[],
  at: ReadonlySet<number>,
): Promise<void> {
  const { parts, found } = walk;
  const entries = await readdir(folder, { withFileTypes: true }).catch(error => failReading(folder, error));
  // By code units: rejects come in the same order on every machine.
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { name } = entry;
    const matched = [...at].filter(part => parts[part] !== FOLDERS && matchesName(parts[part] as NamePattern, name));
    const isPassed = !name.startsWith('.') && [...at].some(part => parts[part] === FOLDERS);
    if (matched.length === 0 && !isPassed) continue;
    const path = join(folder, name);
    const kind = entry.isSymbolicLink() ? await stat(path).catch(error => error as Error) : entry;
    const isEnd = matched.includes(parts.length - 1);
    if (kind instanceof Error) {
      if (isEnd) walk.onBrokenLink({ file: path, line: 1, reason: `broken link: ${reasonOf(kind)}` });
    } else if (kind.isDirectory()) {
      const passed = isPassed ? [...at].filter(part => parts[part] === FOLDERS) : [];
      const next = reachable(parts, [...passed, ...matched.map(part => part + 1)]);
      if (next.size === 0) continue;
      const real = entry.isSymbolicLink() ? await realpath(path) : join(above.at(-1)!, name);
      if (!above.includes(real)) await walkFolder(walk, path, [...above, real], next);
    } else if (isEnd && kind.isFile()) found.add(path);
  }
}

/** `**` may be no folder at all: then the part after it is next. */
function reachable(parts: readonly Part[], from: Iterable<number>): Set<number> {
  const reached = new Set<number>();
  for (let part of from) {
    for (; parts[part] === FOLDERS; part++) reached.add(part);
    if (part < parts.length) reached.add(part);
  }
  return reached;
}
