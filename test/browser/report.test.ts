/** The page of `dedup --report`, opened from disk in real Chromium: texts, filter, decisions, and documents that would do harm. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectNoOverflow, type Look, launch, openPage, seriousProblems } from '../support/browser.ts';
import { temporaryFolder } from '../support/folder.ts';
import { outsideProgram } from '../support/outside.ts';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const executablePath = outsideProgram('chromium', 'the page of a run in a browser');

const words = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}${at}`).join(' ');
const attack = '</script><script>globalThis.hit=1</script><img src=x onerror="globalThis.hit=1"></div></details>\u202e';

const documents = [
  { id: 'fish', text: `${words('fish', 60)} It was monday.` },
  { id: 'fish-tuesday', text: `${words('fish', 60)} It was tuesday.` },
  { id: 'fish-case', text: `${words('Fish', 60)} IT was monday!` },
  { id: 'fish-copy', text: `${words('fish', 60)} It was monday.` },
  { id: `evil ${attack}`, text: `${attack} \ud800 \u0000 ${words('evil', 60)} first` },
  { id: '\u202eevil\u0007\u0085', text: `${attack} \ud800 \u0000 ${words('evil', 60)} second ${attack}` },
  { id: 'alone', text: words('alone', 60) },
];

describe.skipIf(!executablePath)('the page of a run', () => {
  let browser: Browser;
  let folder: string;
  const at = (name: string) => join(folder, name);

  beforeAll(async () => {
    browser = await launch(executablePath!);
  }, 120_000);
  afterAll(() => browser?.close());
  beforeEach(() => {
    folder = temporaryFolder();
  });

  function dedup(lines: readonly object[], ...more: string[]): string {
    writeFileSync(at('in.jsonl'), lines.map(line => `${JSON.stringify(line)}\n`).join(''));
    const args = ['dedup', at('in.jsonl'), '-o', at('out.jsonl'), '--report', at('page.html'), ...more];
    const { status, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    return stderr;
  }

  async function visit(act: (page: Page) => Promise<unknown>, look: Look = {}): Promise<void> {
    const { context, page, complaints } = await openPage(browser, pathToFileURL(at('page.html')).href, look);
    try {
      await act(page);
      expect(await page.evaluate(() => (globalThis as { hit?: number }).hit)).toBeUndefined();
      expect(complaints).toEqual([]);
    } finally {
      await context.close();
    }
  }

  test('shows what differs, switches to what is shared, and filters', async () => {
    dedup(documents);
    await visit(async page => {
      const closest = page.locator('section:has(#lowest)');
      await closest.getByText('fish-tuesday').click();
      const tuesday = closest.locator('.pair[open]');
      const colourOf = (selector: string) =>
        tuesday
          .locator(selector)
          .first()
          .evaluate(element => getComputedStyle(element).backgroundColor);
      const none = 'rgba(0, 0, 0, 0)';
      expect(await tuesday.locator('.other').allInnerTexts()).toEqual(['tuesday', 'monday']);
      expect(await colourOf('.other')).not.toBe(none);
      expect(await colourOf('mark')).toBe(none);
      await page.getByLabel('what is shared').check();
      expect(await colourOf('.other')).toBe(none);
      expect(await colourOf('mark')).not.toBe(none);
      // Equal words, other letters: the page says what "near, resemblance 1" means, and shows it.
      const spread = page.locator('section:has(#spread)');
      await spread.getByText('fish-case').click();
      expect(await spread.locator('.pair[open]').innerText()).toContain('Same shingles, another text');
      expect(await spread.locator('.pair[open] del').first().innerText()).toContain('Fish0');
      const shown = page.locator('.pair:visible');
      await page.getByLabel('Filter').fill('TUESDAY');
      expect(await closest.locator('.pair:visible').count()).toBe(1);
      await page.getByLabel('Filter').fill('');
      await page.getByLabel('Relation').selectOption('exact');
      for (const text of await shown.allInnerTexts()) expect(text).toContain('exact');
      expect(await shown.count()).toBeGreaterThan(0);
    });
  });

  test('saves decisions that the next run goes by', async () => {
    dedup(documents);
    await visit(async page => {
      const closest = page.locator('section:has(#lowest)');
      await closest.getByText('fish-tuesday').click();
      await closest.getByRole('button', { name: 'Different' }).click();
      await closest.locator('.pair', { hasText: 'evil' }).locator('summary').click();
      await page.keyboard.press('s');
      await page.getByText('2 pairs decided').waitFor();
      await page.keyboard.press('u');
      await page.getByText('1 pair decided').waitFor();
      await page.keyboard.press('s');
      await page.getByText('2 pairs decided').waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save decisions.jsonl' }).click(),
      ]);
      expect(download.suggestedFilename()).toBe('decisions.jsonl');
      await download.saveAs(at('decisions.jsonl'));
    });
    const lines = readFileSync(at('decisions.jsonl'), 'utf8').trimEnd().split('\n');
    expect(lines.map(line => JSON.parse(line)).map(({ a, b, verdict, keep }) => [a, b, verdict, keep])).toEqual([
      ['fish-tuesday', 'fish', 'different', undefined],
      [documents[5]!.id, documents[4]!.id, 'same', documents[4]!.id],
    ]);
    const told = dedup(documents, '--decisions', at('decisions.jsonl'));
    expect(told).toMatch(/2 (pairs|decisions)/);
    const kept = readFileSync(at('out.jsonl'), 'utf8');
    expect(kept).toContain('"fish-tuesday"');
    // A decision about a text that has changed since is left out, and counted.
    const changed = documents.map(one => (one.id === 'fish-tuesday' ? { ...one, text: `${one.text} Then` } : one));
    expect(dedup(changed, '--decisions', at('decisions.jsonl'))).toMatch(/1 .*(changed|another|stale)/);
    expect(readFileSync(at('out.jsonl'), 'utf8')).not.toContain('"fish-tuesday"');
  });

  test('reads well without scripts, in both widths and themes, and has no serious problem', async () => {
    dedup(documents);
    for (const look of [
      { width: 390, theme: 'light' },
      { width: 1440, theme: 'dark' },
    ] as const)
      await visit(async page => {
        await page.evaluate(() => {
          for (const one of Array.from(document.querySelectorAll('details'))) one.open = true;
        });
        await expectNoOverflow(page);
        expect(await seriousProblems(page)).toEqual([]);
      }, look);
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 900 } });
    const page = await context.newPage();
    await page.goto(pathToFileURL(at('page.html')).href);
    expect(await page.locator('#tools').isVisible()).toBe(false);
    await page.locator('section:has(#lowest)').getByText('fish-tuesday').click();
    expect(await page.locator('section:has(#lowest) .text:visible').first().innerText()).toContain('tuesday');
    await context.close();
  });

  /** 50 MB with `npm run test:extremes`; what is kept of a text is far less than either. */
  const size = process.env.NEARDUP_EXTREMES === 'full' ? 25_000_000 : 1_000_000;

  test('shows hostile text as text, ids of the decisions exactly, and bounds a huge document', async () => {
    const huge = 'x '.repeat(size);
    dedup([
      ...documents,
      { id: 'huge', text: `${huge}${words('end', 50)}` },
      { id: 'huger', text: `${huge}${words('end', 49)}` },
    ]);
    expect(readFileSync(at('page.html')).length).toBeLessThan(1_000_000);
    await visit(async page => {
      const evil = page.locator('section:has(#lowest) .pair', { hasText: 'evil' });
      await evil.locator('summary').click();
      expect(await evil.locator('.text').first().innerText()).toContain('<script>globalThis.hit=1</script>');
      expect(await page.content()).not.toContain('\u202e');
      expect(JSON.parse((await evil.getAttribute('data-pair'))!).slice(0, 2)).toEqual([
        documents[5]!.id,
        documents[4]!.id,
      ]);
    });
  });

  test('shows what two sets have in common and what only one has', async () => {
    const terms = Array.from({ length: 40 }, (_, place) => `term${place}`);
    const sets = [
      { id: 'a', terms },
      { id: 'b', terms: [...terms.slice(1), '<b>new</b>'] },
    ];
    dedup(sets, '--set-field', 'terms');
    await visit(async page => {
      const pair = page.locator('section:has(#lowest) .pair');
      await pair.locator('summary').click();
      expect(await pair.innerText()).toMatch(/only removed: 1\s+<b>new<\/b>\s+only kept: 1\s+term0\s+shared: 39/);
    });
  });
});
