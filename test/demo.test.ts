/** `neardup demo`: what a first-time user sees, and what it leaves behind. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { familyName } from '../src/cli/demo/families.ts';
import { call } from './support/call.ts';
import { sharedFolder } from './support/folder.ts';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const folder = sharedFolder();

describe('demo', () => {
  test('shows a summary, families, pairs with their values, and what to try next, within 10 seconds', () => {
    const begun = performance.now();
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'demo'], {
      cwd: folder,
      env: { ...process.env, TMPDIR: folder },
      encoding: 'utf8',
    });
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^\d{3,} licence texts of the SPDX list/m);
    expect(stdout).toMatch(/^ +\d+ +0\.\d\d +GNU Free Documentation License +GFDL-1\.1,/m);
    expect(stdout).toMatch(/^ +\d+ +0\.\d\d +BSD and others +BSD-1-Clause,/m);
    expect(stdout).toMatch(/GPL-2\.0-only +GPL-2\.0-or-later +1\.000 +1\.000 +1\.000/);
    expect(stdout).toMatch(/^ {2}neardup dedup .*licences\.jsonl -o clean\.jsonl/m);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThan(160);

    // Nothing beside the folder it names.
    const [made, ...rest] = readdirSync(folder);
    expect(rest).toEqual([]);
    const page = /side by side +(\S+\.html)$/m.exec(stdout)![1]!;
    expect(page).toBe(join(folder, made!, 'BSD-3-Clause-and-BSD-4-Clause.html'));
    expect(readFileSync(page, 'utf8')).toContain('<title>BSD-3-Clause and BSD-4-Clause compared</title>');
    const report = readFileSync(/on one page +(\S+\.html)$/m.exec(stdout)![1]!, 'utf8');
    expect(report).toContain('<h1>Near-duplicates in <bdi>licences.jsonl</bdi></h1>');
    const [, exact, near] = /would remove \d+ texts: (\d+) exact copies, (\d+) near/.exec(stdout)!;
    expect(report).toContain(`<dt>exact</dt><dd>${exact}</dd>`);
    expect(report).toContain(`<dt>near</dt><dd>${near}</dd>`);
  });

  test('writes where --out says, texts that other commands can read', async () => {
    const out = join(folder, 'a', 'b');
    expect(await call('demo', '--out', out)).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(out)).toEqual(['BSD-3-Clause-and-BSD-4-Clause.html', 'licences.jsonl', 'report.html']);
    const args = ['dedup', join(out, 'licences.jsonl'), '--dry-run', '--json', '--quiet'];
    expect(JSON.parse(execFileSync(process.execPath, [main, ...args], { encoding: 'utf8' }))).toMatchObject({
      rejected: 0,
    });
  });

  test('names the folder it cannot make', async () => {
    const out = join(folder, 'file');
    rmSync(out, { force: true });
    const { writeFileSync } = await import('node:fs');
    writeFileSync(out, '');
    expect(await call('demo', '--out', join(out, 'x'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`cannot write ${join(out, 'x')}:`),
    });
  });
});

describe('a family is called', () => {
  const licence = (id: string, name: string) => ({ id, name, text: '' });

  test('by what the names have in common, without the version', () => {
    const members = [
      licence('GFDL-1.1', 'GNU Free Documentation License v1.1'),
      licence('GFDL-1.2', 'GNU Free Documentation License v1.2'),
    ];
    expect(familyName(members)).toBe('GNU Free Documentation License');
    expect(familyName([...members, licence('X', 'Another License')])).toBe('GNU Free Documentation License and others');
  });

  test('by what the ids have in common when the names have only one word', () => {
    expect(familyName([licence('BSD-1', 'BSD 1-Clause'), licence('BSD-2', 'BSD 2-Clause')])).toBe('BSD');
    expect(familyName([licence('LGPL-2.0', 'GNU Library'), licence('LGPL-2.1', 'GNU Lesser')])).toBe('LGPL');
  });

  test('by its first member when nothing is in common', () => {
    const members = ['A', 'B', 'C', 'D'].map(id => licence(`${id}-1.0`, `${id} License`));
    expect(familyName(members)).toBe('A-1.0 and others');
  });
});
