/** Much at once, in real Chromium: a large drop on "Try it here", and the report of a run that removed very many. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch, openPage } from '../support/browser.ts';
import { main } from '../support/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { outsideProgram } from '../support/outside.ts';
import { type PageServer, servePages } from '../support/pages.ts';
import { licenceTexts } from '../support/texts.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const executablePath = outsideProgram('chromium', 'large amounts in a browser');
/** 100 MB, texts of 50 MB and a million removals with `npm run test:extremes`. */
const isFull = process.env.NEARDUP_EXTREMES === 'full';
const [dropBytes, hugeBytes, removals] = isFull ? [100e6, 50e6, 1_000_000] : [12e6, 2e6, 20_000];

/** Lines of documents → a file, a portion at a time: the whole would not fit into one string. */
function writeDocuments(path: string, documents: Iterable<{ id: string; text: string }>): void {
  const file = openSync(path, 'w');
  let lines: string[] = [];
  for (const document of documents) {
    lines.push(`${JSON.stringify(document)}\n`);
    if (lines.length < 1000) continue;
    writeSync(file, lines.join(''));
    lines = [];
  }
  writeSync(file, lines.join(''));
  closeSync(file);
}

/** Licences, each copy with other words in other places: some near-duplicates, most not. */
function* changedLicences(bytes: number): Generator<{ id: string; text: string }> {
  const texts = licenceTexts(300).map(text => text.slice(0, 8000).split(' '));
  for (let at = 0, written = 0; written < bytes; at++) {
    const every = 5 + (at % 60);
    const text = texts[at % texts.length]!.map((word, place) => (place % every === 0 ? `${word}${at}` : word)).join(
      ' ',
    );
    written += text.length + 30;
    yield { id: `n${at}`, text };
  }
}

/** Short texts with ten versions each: some are copies, some differ in a word. */
function* versions(count: number): Generator<{ id: string; text: string }> {
  for (let family = 0; family < count / 10; family++) {
    const text = Array.from({ length: 30 }, (_, at) => `f${family}w${at}`).join(' ');
    for (let version = 0; version <= 10; version++)
      yield { id: `${family}/${version}`, text: version < 4 ? text : `${text} version ${version}` };
  }
}

describe.skipIf(!executablePath)('much at once', () => {
  let browser: Browser;
  let pages: PageServer;

  beforeAll(async () => {
    browser = await launch(executablePath!);
    pages = await servePages(join(root, 'dist/web'));
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    pages?.server.close();
  });

  test(`a drop of ${dropBytes / 1e6} MB shows first results, keeps the page responsive, and can be cancelled`, async () => {
    // By its path: sending the bytes over would block the page.
    const big = join(temporaryFolder(), 'big.jsonl');
    writeDocuments(big, changedLicences(dropBytes));
    const { context, page, complaints } = await openPage(browser, `${pages.address}#/try`);
    page.setDefaultTimeout(isFull ? 300_000 : 60_000);
    await watch(page);
    await page.setInputFiles('input[type=file]', big);
    await page.getByText('First results').waitFor();
    await page.getByText('Download what stays').waitFor();
    expect(await page.locator('.figures').innerText()).toMatch(/removed\s+[1-9]/);
    // Everything heavy is in the worker; a busy machine with two cores still draws.
    expect(await worstOf(page)).toBeLessThan(1000);
    await page.setInputFiles('input[type=file]', big);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled. Run again').waitFor({ timeout: 5000 });
    await page.getByRole('button', { name: 'Use an example' }).click();
    await page.locator('.columns').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  }, 600_000);

  test(`pages of 100,000 nested tags and texts of ${hugeBytes / 1e6} MB are shown, and run nothing`, async () => {
    const folder = temporaryFolder();
    const write = (name: string, content: string) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const attack = '<script>globalThis.hit = 1</script><img src=x onerror="globalThis.hit = 2">';
    const nested = (end: string) =>
      `${'<div><b>'.repeat(50_000)}${attack} ${'some words in the middle '.repeat(20)} ${end}`;
    const huge = Array.from({ length: hugeBytes / 8 }, (_, at) => `w${1_000_000 + (at % 999_983)}`).join(' ');
    const { context, page, complaints } = await openPage(browser, `${pages.address}#/try?threshold=0.5`);
    page.setDefaultTimeout(isFull ? 300_000 : 60_000);
    await watch(page);
    await page.setInputFiles('input[type=file]', [
      write('nested-a.html', nested('one')),
      write('nested-b.html', nested('another')),
      write('huge-a.txt', `${attack} ${huge}`),
      write('huge-b.txt', `${attack} ${huge} and more`),
    ]);
    await page.getByText('Download what stays').waitFor();
    const rows = page.locator('[role=option]');
    expect(await rows.count()).toBe(2);
    for (const name of ['nested-b', 'huge-b']) {
      await rows.filter({ hasText: name }).click();
      await page.locator('.column', { hasText: name }).waitFor();
    }
    expect(await worstOf(page)).toBeLessThan(2000);
    expect(await page.evaluate(() => (globalThis as { hit?: number }).hit)).toBeUndefined();
    expect(complaints).toEqual([]);
    await context.close();
  }, 600_000);

  test(`the report of ${removals} removals is bounded, and opens from disk`, async () => {
    const folder = temporaryFolder();
    const [input, report] = [join(folder, 'in.jsonl'), join(folder, 'report.html')];
    writeDocuments(input, versions(removals));
    const args = ['dedup', input, '-o', join(folder, 'out.jsonl'), '--report', report];
    const { status, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    expect(stderr).toContain(`${removals.toLocaleString('en-US')} removed`);
    expect(statSync(report).size).toBeLessThan(5e6);
    const { context, page, complaints } = await openPage(browser, pathToFileURL(report).href, { width: 390 });
    expect(await page.locator('main').innerText()).toContain(removals.toLocaleString('en-US'));
    // On a phone, too, the largest numbers are in their boxes and the whole curve is in sight.
    const tooWide = await page
      .locator('.figures div, .curve')
      .evaluateAll(all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent));
    expect(tooWide).toEqual([]);
    await page.locator('section:has(#lowest) .pair summary').first().click();
    await page.locator('.pair[open] .text').first().waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  }, 600_000);
});

/** Remembers the longest time without a turn of the page. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = { worst: 0 };
    Object.assign(globalThis, { seen });
    let last = performance.now();
    setInterval(() => {
      seen.worst = Math.max(seen.worst, performance.now() - last);
      last = performance.now();
    }, 10);
  });
}

function worstOf(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as { seen: { worst: number } }).seen.worst);
}
