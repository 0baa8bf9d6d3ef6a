/** Real Chromium → pages of a chosen width and theme that remember every complaint. */

import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export interface Seen {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of the console, of scripts and of the policy; dialogs that were opened. */
  readonly complaints: string[];
}

export interface Look {
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
}

export async function openPage(
  browser: Browser,
  address: string,
  { width = 1440, theme = 'light' }: Look = {},
): Promise<Seen> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  page.on('console', message => {
    // An absent service is asked for once, and answers 404.
    if (
      message.type() === 'error' &&
      !/v1\/stats|404 \(Not Found\)/.test(`${message.text()} ${message.location().url}`)
    )
      complaints.push(message.text());
  });
  page.on('pageerror', error => complaints.push(String(error)));
  page.on('dialog', async dialog => {
    complaints.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  await page.goto(address);
  // A page is loaded when it is first shown.
  await page.locator('main h1, main .empty-state').first().waitFor();
  return { context, page, complaints };
}

const axeScript = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What axe finds to be serious or critical, one line each. */
export async function seriousProblems(page: Page): Promise<string[]> {
  // The policy of the page allows no script from elsewhere; evaluate is not subject to it.
  const { readFileSync } = await import('node:fs');
  await page.evaluate(readFileSync(axeScript, 'utf8'));
  return page.evaluate(async () => {
    const axe = (globalThis as unknown as { axe: { run(): Promise<{ violations: AxeViolation[] }> } }).axe;
    interface AxeViolation {
      id: string;
      impact: string;
      nodes: { html: string; failureSummary: string }[];
    }
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
      );
  });
}

/** Nothing sticks out of the window. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const { scroll, client } = await page.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    client: document.documentElement.clientWidth,
  }));
  expect(scroll).toBeLessThanOrEqual(client);
}
