/** The static site: built into a folder, served from a path of any static host, without a service. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { launch, openPage } from '../support/browser.ts';
import { temporaryFolder } from '../support/folder.ts';
import { outsideProgram } from '../support/outside.ts';
import { servePages } from '../support/pages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const executablePath = outsideProgram('chromium', 'the static site');

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
    statSync(join(folder, name)).isFile(),
  );
}

describe.skipIf(!executablePath)('the static site', () => {
  test('works under any path, asks nothing of other places, and has no page that needs a service', async () => {
    const folder = join(temporaryFolder(), 'site');
    const { status, stderr } = spawnSync(
      process.execPath,
      ['node_modules/vite/bin/vite.js', 'build', '-c', 'web/vite.config.ts', '--mode', 'site', '--outDir', folder],
      { cwd: root, encoding: 'utf8' },
    );
    expect(stderr).not.toMatch(/error/i);
    expect(status).toBe(0);
    const { server, address } = await servePages(folder, { base: '/some/where/' });
    const browser = await launch(executablePath!);
    try {
      const { page, complaints } = await openPage(browser, address);
      const asked: string[] = [];
      page.on('request', request => asked.push(request.url()));
      await page.reload();
      expect(await page.locator('nav').first().innerText()).toMatch(/^Try it here\s+Compare\s+Tune\s+Learn$/);
      await page.getByRole('button', { name: 'Use an example' }).click();
      await page.locator('.columns').waitFor();
      await page.goto(`${address}#/learn`);
      await page.locator('.bands').waitFor();
      expect(asked.length).toBeGreaterThan(3);
      expect(asked.filter(url => !url.startsWith(address) && !url.startsWith('blob:'))).toEqual([]);
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
      server.close();
    }
  });

  test('what a visitor loads at first is small', () => {
    const folder = join(root, 'dist/web');
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    const first = filesOf(folder).filter(name => page.includes(name));
    const bytes = first.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
    expect(first.some(name => name.endsWith('.js'))).toBe(true);
    expect(bytes).toBeLessThan(30_000);
  });
});
