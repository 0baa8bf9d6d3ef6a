/** The compare page on documents of an index, in real Chromium: what is common, and one difference after the other. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launch, openPage, seriousProblems } from '../support/browser.ts';
import { outsideProgram } from '../support/outside.ts';
import { type ServeProcess, serveProcess } from '../support/serve-process.ts';

const executablePath = outsideProgram('chromium', 'the compare page on the service');
const words = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}${at}`).join(' ');

const terms = 'All rights reserved. No part of this page may be copied without the consent of its owner.';
const news = words('news', 30);
const documents = [
  { id: 'first', text: `${news} ${terms} ${words('one', 40)}` },
  { id: 'second', text: `${terms} ${words('two', 40)} ${news}` },
  ...Array.from({ length: 12 }, (_, at) => ({ id: `other-${at}`, text: `${words(`other${at}x`, 60)} ${terms}` })),
  // Every fifth word is another one, so that they share no passage: one long gap.
  { id: 'long-a', text: `${words('head', 40)} ${words('l', 1000)}` },
  { id: 'long-b', text: `${words('head', 40)} ${words('l', 1000).replace(/\bl(\d*[27])\b/g, 'changed$1')}` },
  { id: 'may', text: `${words('m', 30)} on Monday ${words('n', 30)} ${words('o', 30)} at noon ${words('p', 20)}` },
  {
    id: 'june',
    text: `${words('m', 30)} on Friday ${words('n', 30)} sharp ${words('o', 30)} at one ${words('p', 20)}`,
  },
  // Nine versions of one document are one document.
  ...Array.from({ length: 9 }, (_, at) => ({ id: `version-${at}`, text: `${words('version', 80)} v${at}` })),
];

describe.skipIf(!executablePath)('compare', () => {
  let browser: Browser;
  let service: ServeProcess;

  beforeAll(async () => {
    browser = await launch(executablePath!);
  }, 120_000);
  afterAll(() => browser?.close());
  beforeEach(async () => {
    service = await serveProcess({}, '--threshold', '0.5', '--store', 'all');
    await service.add(...documents);
    return () => service.stop();
  }, 60_000);

  async function visit(view: string, act: (page: Page) => Promise<unknown>, look = {}): Promise<void> {
    const { context, page, complaints } = await openPage(browser, `${service.address}#/${view}`, look);
    try {
      await act(page);
      expect(complaints).toEqual([]);
    } finally {
      await context.close();
    }
  }

  test('what many documents of the index share is grey, what only these two share is not', async () => {
    await visit('compare?a=first&b=second', async page => {
      const grey = page.locator('.column .boilerplate');
      await grey.first().waitFor();
      // The full stop is no word.
      expect(await grey.allInnerTexts()).toEqual([terms.slice(0, -1), terms.slice(0, -1)]);
      const [shared, plain] = await page.evaluate(() =>
        ['.column mark .boilerplate', '.column mark'].map(
          one => getComputedStyle(document.querySelector(one)!).backgroundColor,
        ),
      );
      expect(shared).not.toBe(plain);
      await page.getByText(/Grey: boilerplate, found in at least 8 of the 17 other documents compared/).waitFor();
      await page.getByLabel('What differs').check();
      expect(await grey.count()).toBe(0);
    });
  });

  test('versions of one document make no boilerplate, and the page says that there is none', async () => {
    await visit('compare?a=version-0&b=version-1', async page => {
      await page.getByText('No boilerplate').waitFor();
      expect(await page.locator('.column .boilerplate').count()).toBe(0);
    });
  });

  test('pasted texts are not sent anywhere, and nothing of them is grey', async () => {
    await visit('compare?a=first&b=second', async page => {
      await page.locator('.column .boilerplate').first().waitFor();
      const sent: string[] = [];
      page.on('request', request => sent.push(request.url()));
      await page.getByLabel('Text A').fill(`${terms} and more of it`);
      await page.getByRole('button', { name: 'Compare', exact: true }).click();
      await page.getByText('and more of it').last().waitFor();
      await expect.poll(() => page.locator('.column .boilerplate').count()).toBe(0);
      expect(sent.filter(url => url.includes('/v1/boilerplate'))).toEqual([]);
    });
  });

  test('n and p step through the differences when they are shown, and the address names the one', async () => {
    await visit('compare?a=may&b=june', async page => {
      await page.getByLabel('What differs').check();
      await page.getByText('Difference – of 3').waitFor();
      await page.locator('h1').click();
      const current = async () => (await page.locator('.text .current').allInnerTexts()).map(text => text.trim());
      for (const [key, texts] of [
        ['n', ['Monday', 'Friday']],
        ['n', ['', 'sharp']],
        ['n', ['noon', 'one']],
        ['n', ['Monday', 'Friday']],
        ['p', ['noon', 'one']],
        ['p', ['', 'sharp']],
      ] as const) {
        await page.keyboard.press(key);
        await expect.poll(current).toEqual(texts);
      }
      await page.getByText('Difference 2 of 3').waitFor();
      expect(page.url()).toContain('difference=2');
      // Passages have their own place.
      await page.getByLabel('What is shared').check();
      await page.getByText('Passage – of').waitFor();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('Passage 1 of').waitFor();
    });
  });

  test('a difference in folded text is opened and scrolled to, in both columns', async () => {
    await visit('compare?a=long-a&b=long-b&show=differs', async page => {
      await page.locator('.fold').first().waitFor();
      expect(await page.getByText('changed502').count()).toBe(0);
      await page.goto(`${service.address}#/compare?a=long-a&b=long-b&show=differs&difference=101`);
      for (const [side, text] of [
        ['a', 'l502'],
        ['b', 'changed502'],
      ]) {
        const mark = page.locator(`section[aria-labelledby=text-${side}] mark.current`);
        await expect.poll(() => mark.innerText()).toBe(text);
        await expect
          .poll(() =>
            mark.evaluate(one => {
              const [box, column] = [one, one.closest('.scroll')!].map(part => part.getBoundingClientRect());
              return box!.top >= column!.top && box!.bottom <= column!.bottom;
            }),
          )
          .toBe(true);
      }
    });
  });

  test.each([
    { width: 390, theme: 'light' },
    { width: 390, theme: 'dark' },
    { width: 1440, theme: 'light' },
    { width: 1440, theme: 'dark' },
  ] as const)('grey reads well at $width pixels, $theme', async look => {
    await visit(
      'compare?a=first&b=second',
      async page => {
        await page.locator('.column .boilerplate').first().waitFor();
        expect(await seriousProblems(page)).toEqual([]);
      },
      look,
    );
  });
});
