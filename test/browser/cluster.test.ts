/** The page of one cluster in real Chromium: large ones, and ones whose texts are not stored. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNoOverflow, launch, openPage, seriousProblems } from '../support/browser.ts';
import { outsideProgram } from '../support/outside.ts';
import { type ServeProcess, serveProcess } from '../support/serve-process.ts';

const executablePath = outsideProgram('chromium', 'the page of a cluster');
const words = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}${at}`).join(' ');
/** Each adds words of its own to what the first says. */
const members = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    id: `m${at}`,
    text: `${words('all', 60)} ${words(`own${at}x`, at === 0 ? 0 : 1 + (at % 8))}`,
  }));

describe.skipIf(!executablePath)('a cluster', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launch(executablePath!);
  }, 120_000);
  afterAll(() => browser?.close());

  async function visit(
    { address }: ServeProcess,
    view: string,
    act: (page: Page) => Promise<unknown>,
    look = {},
  ): Promise<void> {
    const { context, page, complaints } = await openPage(browser, `${address}#/${view}`, look);
    try {
      await act(page);
      expect(complaints).toEqual([]);
    } finally {
      await context.close();
    }
  }

  async function serving(count: number, store: 'new' | 'all'): Promise<ServeProcess> {
    const service = await serveProcess({}, '--threshold', '0.5', '--store', store);
    await service.add(...members(count));
    return service;
  }

  /** Points that no line ends at. */
  const alone = (page: Page) =>
    page.evaluate(() => {
      const ends = new Set<string>();
      for (const line of Array.from(document.querySelectorAll('.graph .link')))
        for (const end of ['1', '2']) ends.add(`${line.getAttribute(`x${end}`)} ${line.getAttribute(`y${end}`)}`);
      return Array.from(document.querySelectorAll('.graph .node')).filter(
        node => !ends.has(`${node.getAttribute('cx')} ${node.getAttribute('cy')}`),
      ).length;
    });

  test.each([
    { count: 300, isTree: false },
    { count: 301, isTree: true },
    { count: 1000, isTree: true },
  ])(
    'of $count members: each has its value, and each is linked in the graph',
    async ({ count, isTree }) => {
      const service = await serving(count, 'all');
      await visit(service, 'clusters/m0?view=graph', async page => {
        await page
          .locator('.graph .node')
          .nth(count - 1)
          .waitFor();
        expect(await page.locator('.graph .node').count()).toBe(count);
        expect(await alone(page)).toBe(0);
        if (isTree) {
          expect(await page.locator('.graph .link').count()).toBe(count - 1);
          await page.getByText('The strongest links that connect all').waitFor();
        }
        // The last member, far beyond those that are compared with each other.
        await page.getByRole('listbox', { name: 'Members' }).focus();
        await page.keyboard.press('End');
        const last = page.locator('[role=option]', { hasText: `m${count - 1}` });
        await last.waitFor();
        expect(await last.innerText()).toMatch(/0\.\d+/);
        await page.getByLabel('Matrix').check();
        await page.locator('.matrix .cell-value').first().waitFor();
        expect(await page.locator('.matrix .unknown').count()).toBe(0);
        await page.getByText(`60 of ${count.toLocaleString('en')} members, like beside like`).waitFor();
      });
      await service.stop();
    },
    120_000,
  );

  test('whose texts are not stored shows what is known of them, and says what is not', async () => {
    const service = await serving(5, 'new');
    for (const width of [390, 1440])
      for (const theme of ['light', 'dark'] as const)
        await visit(
          service,
          'clusters/m0',
          async page => {
            await page.getByText('The index keeps no text of 4 of these 5 documents').waitFor();
            // One row and one column of five, and the diagonal.
            expect(await page.locator('.matrix .cell-value').count()).toBe(13);
            for (const row of await page.locator('[role=option]').allInnerTexts()) expect(row).toMatch(/0\.\d+/);
            await page.getByText('The index keeps no text of m1,').waitFor();
            await expectNoOverflow(page);
            expect(await seriousProblems(page)).toEqual([]);
          },
          { width, theme },
        );
    await visit(service, 'clusters/m0?view=graph', async page => {
      await page.locator('.graph .node').nth(4).waitFor();
      expect(await page.locator('.graph .link').count()).toBe(4);
      expect(await alone(page)).toBe(0);
    });
    await service.stop();
  }, 120_000);
});
