/** The pages on the service, in real Chromium, over real HTTP: what a person does, and what the service then knows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectNoOverflow, launch, openPage, seriousProblems } from '../support/browser.ts';
import { contractService } from '../support/contract-service.ts';
import { temporaryFolder } from '../support/folder.ts';
import { outsideProgram } from '../support/outside.ts';
import { servePages } from '../support/pages.ts';

const folder = fileURLToPath(new URL('../../dist/web', import.meta.url));
const executablePath = outsideProgram('chromium', 'the pages on the service');

const words = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}${at}`).join(' ');
/** Three families: five versions, two versions, and a text with a hostile id; and texts that are alone. */
const documents = [
  ...Array.from({ length: 5 }, (_, at) => ({
    id: `fish-${at}`,
    text: `${words('fish', 60)} ${words(`end${at}x`, at * 6)}`,
  })),
  ...Array.from({ length: 2 }, (_, at) => ({
    id: `boat/${at}`,
    text: `${words('boat', 40)} ${words(`more${at}x`, at * 8)}`,
  })),
  { id: '<img src=x onerror="globalThis.hit=1">', text: `<script>globalThis.hit=1</script> ${words('evil', 40)}` },
  { id: '\u202eevil', text: `<script>globalThis.hit=1</script> ${words('evil', 40)}` },
  ...Array.from({ length: 4 }, (_, at) => ({ id: `alone-${at}`, text: words(`alone${at}x`, 50) })),
];

describe.skipIf(!executablePath)('pages on the service', () => {
  let browser: Browser;
  let service: Awaited<ReturnType<typeof contractService>>;
  let address: string;

  beforeAll(async () => {
    browser = await launch(executablePath!);
  }, 120_000);
  afterAll(() => browser?.close());

  beforeEach(async () => {
    service = await contractService();
    for (const document of documents) await service.add(document);
    const { server, address: at } = await servePages(folder, { answer: service.answer });
    address = at;
    return async () => {
      server.close();
      await service.close();
    };
  });

  async function visit(view: string, act: (page: Page) => Promise<unknown>, look = {}): Promise<void> {
    const { context, page, complaints } = await openPage(browser, `${address}#/${view}`, look);
    try {
      await act(page);
      expect(await page.evaluate(() => (globalThis as { hit?: number }).hit)).toBeUndefined();
      expect(complaints).toEqual([]);
    } finally {
      await context.close();
    }
  }

  const logged = () => service.decisions.map(({ a, b, verdict, keep }) => [a, b, verdict, keep]);

  test('the overview counts, shows what comes in, and leads to clusters', async () => {
    await visit('overview', async page => {
      await page.getByText('Start with the closest decisions').waitFor();
      expect(await page.locator('.lead').innerText()).toContain('13 documents came in');
      expect(await page.locator('main').innerText()).toContain('0 of 3 clusters decided');
      await page.getByLabel('Logarithmic').check();
      expect(page.url()).toContain('scale=log');
      await service.add({ id: 'late', text: `${words('boat', 40)} once more` });
      await page.getByText('1 document since you opened this page').waitFor();
      expect(await page.locator('#recent ~ table, table').last().innerText()).toContain('late');
      await page.locator('svg a').first().click();
      await page.locator('h1', { hasText: 'Clusters' }).waitFor();
      expect(page.url()).toMatch(/from=0\.\d+&to=0\.\d+/);
      await page.locator('[role=option]').first().waitFor();
      await page.goto(`${address}#/overview`);
      await page.getByText('Start with the closest decisions').click();
      await page.locator('[role=option]').first().waitFor();
      expect(await page.locator('[role=option]').first().innerText()).toContain('fish-0');
    });
  });

  test('clusters are sorted and filtered by the server, and decided by keys', async () => {
    await visit('clusters', async page => {
      const rows = page.locator('[role=option]');
      await rows.nth(2).waitFor();
      expect(await rows.first().innerText()).toMatch(/^5\s/);
      await page.getByText('fish0 fish1').waitFor();
      await page.locator('h1').click();
      await page.keyboard.press('j');
      await page.keyboard.press('k');
      await page.keyboard.press('s');
      await expect.poll(() => service.decisions.length).toBe(4);
      expect(logged()[0]).toEqual(['fish-1', 'fish-0', 'same', 'fish-0']);
      expect(await page.locator('[role=option][aria-selected=true]').innerText()).not.toContain('fish-0');
      await page.keyboard.press('u');
      await expect.poll(() => service.decisions.length).toBe(8);
      expect(logged().at(-1)).toEqual(['fish-4', 'fish-0', 'undecided', undefined]);
      await page.getByLabel('Part of an id').fill('boat');
      await page.keyboard.press('Enter');
      await expect.poll(() => rows.count()).toBe(1);
      expect(page.url()).toContain('q=boat');
      await page.getByLabel('Part of an id').fill('nothing like it');
      await page.keyboard.press('Enter');
      await page.getByText('Show all clusters').click();
      await rows.nth(2).waitFor();
    });
  });

  test('all that the filter shows is decided at once, and taken back as one', async () => {
    const { context, page } = await openPage(browser, `${address}#/clusters?q=fish`);
    page.removeAllListeners('dialog');
    page.on('dialog', dialog => dialog.accept());
    await page.locator('[role=option]').first().waitFor();
    await page.getByRole('button', { name: 'All shown are the same' }).click();
    await expect.poll(() => service.decisions.length).toBe(4);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => service.decisions.length).toBe(8);
    expect(service.decisions.slice(4).every(({ verdict }) => verdict === 'undecided')).toBe(true);
    await context.close();
  });

  test('one cluster: members side by side, matrix, graph, and a decision moves on to the next', async () => {
    await visit('clusters', async page => {
      await page.locator('[role=option]').nth(2).waitFor();
      await page.getByRole('link', { name: 'Open' }).click();
      await page.locator('.columns').waitFor();
      expect(await page.locator('h1').innerText()).toContain('fish-0');
      expect(await page.locator('.matrix .cell-value').count()).toBe(25);
      await page.getByLabel('Graph').check();
      await page.locator('.graph .node').nth(4).waitFor();
      expect(page.url()).toContain('view=graph');
      await page.locator('h1').click();
      for (const [key, count] of [
        ['x', 1],
        ['r', 2],
        ['s', 3],
        ['s', 4],
      ] as const) {
        await page.keyboard.press(key);
        await expect.poll(() => service.decisions.length).toBe(count);
        await page.waitForTimeout(100);
      }
      expect(logged()).toEqual([
        ['fish-1', 'fish-0', 'different', undefined],
        ['fish-2', 'fish-0', 'same', 'fish-2'],
        ['fish-3', 'fish-0', 'same', 'fish-0'],
        ['fish-4', 'fish-0', 'same', 'fish-0'],
      ]);
      // All of it is decided: the next cluster of the list comes by itself.
      await expect.poll(() => page.locator('h1').innerText()).not.toContain('fish-0');
      await page.keyboard.press('u');
      await expect.poll(() => logged().at(-1)).toEqual(['fish-4', 'fish-0', 'undecided', undefined]);
    });
  });

  test('exports pairs and decisions', async () => {
    service.decisions.push({ a: 'x', b: 'y', verdict: 'same' });
    await visit('clusters/fish-0', async page => {
      await page.locator('.matrix').waitFor();
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Export pairs').click()]);
      const path = join(temporaryFolder(), 'pairs');
      await download.saveAs(path);
      expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(10);
    });
    await visit('clusters', async page => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Export decisions').click()]);
      const path = join(temporaryFolder(), 'decisions');
      await download.saveAs(path);
      expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ a: 'x', b: 'y', verdict: 'same' });
    });
  });

  test('search finds near-duplicates with their passages, checks and adds', async () => {
    await visit('search', async page => {
      expect(await page.locator('.empty-state').innerText()).toMatch(/Paste a text/);
      await page.getByLabel('Text to look for').fill(`${words('boat', 40)} and a bit more`);
      await page.getByRole('button', { name: 'Search' }).click();
      await page.locator('.columns').waitFor();
      expect(await page.locator('table').first().innerText()).toContain('boat/0');
      expect(await page.locator('mark').count()).toBeGreaterThan(1);
      expect(page.url()).not.toContain('boat0');
      await page.getByLabel('Add this text to the index as').fill('mine');
      await page.getByRole('button', { name: 'Only check' }).click();
      await page.getByText('It would be').waitFor();
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByText('Added').waitFor();
      await page.getByLabel('or the id of a document').fill('mine');
      await page.getByRole('button', { name: 'Find' }).click();
      await expect.poll(() => page.url()).toContain('id=mine');
      await page.getByText('boat/0').first().waitFor();
    });
  });

  test('two documents are compared by their ids, and called the same', async () => {
    await visit('compare?a=fish-0&b=boat%2F0', async page => {
      await page.getByText('no shingle in common').waitFor();
    });
    await visit('compare?a=fish-0&b=fish-1', async page => {
      await page.locator('.columns').waitFor();
      await page.locator('h1').click();
      await page.keyboard.press('s');
      await expect.poll(() => service.decisions.length).toBe(1);
      expect(logged()).toEqual([['fish-0', 'fish-1', 'same', undefined]]);
    });
  });

  test('asks for the key where the service wants one, and shows how to start it where there is none', async () => {
    const locked = await contractService({ key: 'secret-key' });
    const { server, address: at } = await servePages(folder, { answer: locked.answer });
    const { context, page } = await openPage(browser, `${at}#/overview`);
    await page.getByLabel('The service asks for its key').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('That is not its key').waitFor();
    await page.getByLabel('The service asks for its key').fill('secret-key');
    await page.keyboard.press('Enter');
    await page.getByText('The index is empty').waitFor();
    expect(page.url()).not.toContain('secret');
    await context.close();
    server.close();
    await locked.close();
    const none = await servePages(folder);
    const alone = await openPage(browser, `${none.address}#/overview`);
    await alone.page.getByText('neardup serve').waitFor();
    await alone.context.close();
    none.server.close();
  });

  test('a list of 100,000 clusters scrolls from end to end', async () => {
    const many = Array.from({ length: 100_000 }, (_, at) => ({
      cluster: `c${at}`,
      size: 2,
      representative: `c${at}`,
      members: [`c${at}`, `d${at}`],
      minResemblance: 0.9,
    }));
    const { server, address: at } = await servePages(folder, {
      answer: (request, response) => {
        const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
        if (pathname !== '/v1/clusters') return service.answer(request, response);
        const start = Number(searchParams.get('cursor') ?? 0);
        const end = start + Number(searchParams.get('limit'));
        const page = {
          clusters: many.slice(start, end),
          total: many.length,
          ...(end < many.length && { next: `${end}` }),
        };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
        return true;
      },
    });
    const { context, page } = await openPage(browser, `${at}#/clusters`);
    const list = page.getByRole('listbox');
    await list.focus();
    await page.keyboard.press('End');
    await page.getByText('c99999').waitFor({ timeout: 50_000 });
    expect(await page.locator('[role=option]').count()).toBeLessThan(60);
    await page.keyboard.press('Home');
    await page.getByText('c0', { exact: true }).waitFor();
    await context.close();
    server.close();
  });

  test.each([
    { width: 390, theme: 'light' },
    { width: 390, theme: 'dark' },
    { width: 1440, theme: 'light' },
    { width: 1440, theme: 'dark' },
  ] as const)('all fit, read well and have no serious problem at $width pixels, $theme', async look => {
    const ready: Readonly<Record<string, string>> = {
      overview: 'svg.chart >> nth=1',
      clusters: '[role=option] >> nth=2',
      'clusters/fish-0': '.columns',
      'clusters/fish-0?view=graph': '.graph',
      'search?id=fish-0': '.columns',
      'compare?a=fish-0&b=fish-1': '.columns',
    };
    for (const [view, selector] of Object.entries(ready)) {
      await visit(
        view,
        async page => {
          await page.locator(selector).first().waitFor();
          await expectNoOverflow(page);
          expect(await seriousProblems(page)).toEqual([]);
        },
        look,
      );
    }
  });
});
