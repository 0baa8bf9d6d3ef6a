/** The pages on `neardup serve`, in real Chromium: what a person does, and what the service then knows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectNoOverflow, launch, openPage, seriousProblems } from '../support/browser.ts';
import { temporaryFolder } from '../support/folder.ts';
import { outsideProgram } from '../support/outside.ts';
import { servePages } from '../support/pages.ts';
import { type ServeProcess, serveProcess } from '../support/serve-process.ts';
import { clientOf } from '../support/service.ts';

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
  let service: ServeProcess;
  let address: string;

  beforeAll(async () => {
    browser = await launch(executablePath!);
  }, 120_000);
  afterAll(() => browser?.close());

  beforeEach(async () => {
    service = await serveProcess({}, '--threshold', '0.5', '--store', 'all');
    await service.add(...documents);
    address = service.address;
    return () => service.stop();
  }, 60_000);

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

  const logged = async () => (await service.decisions()).map(({ a, b, verdict, keep }) => [a, b, verdict, keep]);
  const duplicates = async () => {
    const { body } = await clientOf(address.slice(0, -1)).get('/v1/stats');
    return body.verdicts.exact + body.verdicts.near + body.verdicts.contained;
  };
  const decided = async () => (await service.decisions()).length;

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

  test('the overview of many documents shows what came in last, and a measured recall', async () => {
    await service.add(
      ...Array.from({ length: 5100 }, (_, at) => ({ id: `many-${at}`, text: words(`many${at}x`, 50) })),
      { id: 'the last', text: `${words('boat', 40)} once more` },
    );
    await visit('overview', async page => {
      const recent = page.locator('section:has(#recent) tbody tr');
      await expect.poll(() => recent.count()).toBe(12);
      expect((await recent.allInnerTexts()).map(row => row.split(/\s{2,}|\t/)[0])).toEqual([
        'the last',
        ...Array.from({ length: 11 }, (_, at) => `many-${5099 - at}`),
      ]);
      await service.add({ id: 'even later', text: words('later', 30) });
      await expect.poll(() => recent.first().innerText(), { timeout: 15_000 }).toContain('even later');
      await page.getByText(/the index recognises \d+ of 200 copies/).waitFor();
      const recall = await page.locator('section:has(#recall) strong').innerText();
      expect(Number.parseFloat(recall)).toBeGreaterThan(90);
    });
  }, 60_000);

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
      await expect.poll(decided).toBe(4);
      expect((await logged())[0]).toEqual(['fish-1', 'fish-0', 'same', 'fish-0']);
      // The service may know of the last one before the page does.
      await expect.poll(() => page.locator('[role=option][aria-selected=true]').innerText()).not.toContain('fish-0');
      await page.keyboard.press('u');
      await expect.poll(decided).toBe(8);
      expect((await logged()).at(-1)).toEqual(['fish-4', 'fish-0', 'undecided', undefined]);
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

  test('documents named by long paths can be told apart on a phone, in every list', async () => {
    const path = (at: number) =>
      `release-${at % 2}/usr/share/doc/a-package-of-some-length/html/manual/language-${at}/index.html`;
    await service.add(
      ...Array.from({ length: 3 }, (_, at) => ({
        id: path(at),
        text: `${words('path', 60)} ${words(`end${at}x`, at * 4)}`,
      })),
    );
    const inSight = async (page: Page, list: string) => {
      const rows = page.locator(list);
      await expect.poll(() => rows.count()).toBeGreaterThan(1);
      return rows.evaluateAll(all =>
        all.map(row => {
          const ends = Array.from(row.querySelectorAll('.id-line > :last-child, .number'));
          const right = row.closest('.windowed, table')!.getBoundingClientRect().right;
          return ends.length > 0 && ends.every(end => end.getBoundingClientRect().right <= right + 1);
        }),
      );
    };
    const phone = { width: 390 };
    await visit(
      `clusters/${encodeURIComponent(path(0))}`,
      async page => {
        expect(await inSight(page, '[role=option]')).toEqual([true, true]);
        expect(await page.locator('[role=option]').first().innerText()).toMatch(/language-1\/index\.html\s+0\.\d{4}/);
      },
      phone,
    );
    await visit(
      'clusters',
      async page => {
        const row = page.getByRole('option').filter({ hasText: 'language-0/index.html' });
        await row.getByText('path0 path1').waitFor();
        const [box, note] = [await row.boundingBox(), await row.locator('.note').boundingBox()];
        expect(note!.y + note!.height).toBeLessThanOrEqual(box!.y + box!.height);
      },
      phone,
    );
    await visit(
      'overview',
      async page => {
        const row = page.locator('section:has(#recent) tbody tr').first();
        await row.waitFor();
        expect(await row.innerText()).toContain('language-2/index.html');
        expect((await row.boundingBox())!.height).toBeLessThan(70);
      },
      phone,
    );
  });

  test('the list comes back to the cluster that was seen last, and undo to the one that was decided', async () => {
    await visit('clusters', async page => {
      const chosen = page.locator('[role=option][aria-selected=true]');
      await page.locator('[role=option]').nth(2).waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('s');
      await expect.poll(() => chosen.getAttribute('aria-posinset')).toBe('3');
      await page.keyboard.press('u');
      await expect.poll(() => chosen.getAttribute('aria-posinset')).toBe('2');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: /Cluster of/ }).waitFor();
      await page.goBack();
      await expect.poll(() => chosen.getAttribute('aria-posinset')).toBe('2');
    });
  });

  test('all that the filter shows is decided at once, and taken back as one', async () => {
    const { context, page } = await openPage(browser, `${address}#/clusters?q=fish`);
    page.removeAllListeners('dialog');
    page.on('dialog', dialog => dialog.accept());
    await page.locator('[role=option]').first().waitFor();
    // Not duplicates are also the members among themselves: otherwise the next run would group those that are left.
    for (const [button, verdict, pairs] of [
      ['All shown are the same', 'same', 4],
      ['All shown are different', 'different', 10],
    ] as const) {
      const before = await decided();
      await page.getByRole('button', { name: button }).click();
      await expect.poll(decided).toBe(before + pairs);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(decided).toBe(before + 2 * pairs);
      const lines = (await service.decisions()).slice(before);
      expect(lines.map(line => line.verdict)).toEqual([
        ...Array(pairs).fill(verdict),
        ...Array(pairs).fill('undecided'),
      ]);
      expect(new Set(lines.map(({ a, b }) => [a, b].sort().join(' '))).size).toBe(pairs);
    }
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
        await expect.poll(decided).toBe(count);
        await page.waitForTimeout(100);
      }
      expect(await logged()).toEqual([
        ['fish-1', 'fish-0', 'different', undefined],
        ['fish-2', 'fish-0', 'same', 'fish-2'],
        ['fish-3', 'fish-0', 'same', 'fish-0'],
        ['fish-4', 'fish-0', 'same', 'fish-0'],
      ]);
      // All of it is decided: the next cluster of the list comes by itself.
      await expect.poll(() => page.locator('h1').innerText()).not.toContain('fish-0');
      await page.keyboard.press('u');
      await expect.poll(async () => (await logged()).at(-1)).toEqual(['fish-4', 'fish-0', 'undecided', undefined]);
      // What is taken back is shown, with what was decided on the others.
      await expect.poll(() => page.locator('h1').innerText()).toContain('fish-0');
      expect(await page.locator('[role=option][aria-selected=true]').innerText()).toContain('fish-4');
      expect(await page.getByRole('option').filter({ hasText: 'fish-2' }).innerText()).toMatch(/same, and it stays/);
      expect(await page.getByRole('option').filter({ hasText: 'fish-3' }).innerText()).toMatch(/same$/);
    });
  });

  test('a service that stops is named as the reason, and what was shown stays', async () => {
    const { context, page } = await openPage(browser, `${address}#/clusters`);
    await page.locator('[role=option]').nth(2).waitFor();
    await service.stop();
    await page.keyboard.press('s');
    await page.getByText('The service does not answer. Is it still running?').waitFor();
    expect(await page.locator('[role=option]').count()).toBe(3);
    await context.close();
  });

  test('the bars of the overview count the whole index, and lead to the clusters behind them', async () => {
    const filler = Array.from({ length: 5100 }, (_, at) => ({ id: `many-${at}`, text: words(`many${at}x`, 12) }));
    // Past the first 5,000, of a resemblance that no other has: a cluster whose least alike member is in another bar.
    const late = [100, 56, 90].map((shared, at) => ({
      id: `late-${at}`,
      text: `${words('late', shared + 4)}`,
    }));
    await service.add(...filler, ...late);
    await visit('overview', async page => {
      const bars = page.locator('svg.chart >> nth=0').locator('a');
      await bars.first().waitFor();
      const titles = await bars.locator('title').allTextContents();
      expect(titles).toContainEqual(expect.stringMatching(/^0\.55 – 0\.60: 0 exact, 1 near/));
      const total = titles.flatMap(title =>
        (title.match(/\d+ (?:exact|near|contained)/g) ?? []).map(Number.parseFloat),
      );
      expect(total.reduce((sum, count) => sum + count, 0)).toBe(await duplicates());
      await bars.filter({ has: page.locator('title', { hasText: '0.90 – 0.95' }) }).click();
      await page.locator('h1', { hasText: 'Clusters' }).waitFor();
      await page.locator('[role=option]', { hasText: 'late-0' }).waitFor();
      await page.getByRole('button', { name: 'Show clusters of any resemblance' }).click();
      await expect.poll(() => page.locator('[role=status]').first().innerText()).toContain('4 clusters');
    });
  }, 60_000);

  test('a cluster of more than 300 members is drawn as a tree of its strongest links', async () => {
    // The second of each pair came in as most like the first document, and the first of each pair is more like the second.
    const members = Array.from({ length: 160 }, (_, pair) =>
      [60, 12].map(tail => ({
        id: `of ${pair}/${tail}`,
        text: `${words('root', 300)} ${words(`tail${pair}x`, tail)}`,
      })),
    ).flat();
    await service.add({ id: 'root', text: words('root', 300) }, ...members);
    await visit('clusters/root?view=graph', async page => {
      await page.locator('.graph .node').nth(320).waitFor();
      expect(await page.locator('.graph .link').count()).toBe(320);
      await page.getByText('The strongest links that connect all.').waitFor();
      const values = await page.locator('.graph .link title').allTextContents();
      // Half of the links are not to the representative: 0.8654 of the pair, where it would be 0.8315 to the representative.
      expect(values.filter(value => value === '0.8652')).toHaveLength(160);
    });
  }, 60_000);

  test('where duplicates are not stored, a cluster shows the text that is, and asks for no other', async () => {
    const sparing = await serveProcess({}, '--threshold', '0.5');
    await sparing.add(...documents);
    const { context, page, complaints } = await openPage(browser, `${sparing.address}#/clusters/fish-0`);
    const missing: string[] = [];
    page.on('response', response => response.status() === 404 && missing.push(response.url()));
    await page.getByText('The index keeps no text of fish-1').waitFor();
    await page.locator('.column .text', { hasText: 'fish0 fish1' }).waitFor();
    await page.locator('h1').click();
    await page.keyboard.press('j');
    await page.getByText('The index keeps no text of fish-2').waitFor();
    expect(missing).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
    await sparing.stop();
  });

  test('what was decided in another visit can be taken back, one pair or a whole cluster', async () => {
    const { post } = clientOf(address.slice(0, -1));
    for (const at of [1, 2, 3, 4]) await post('/v1/decisions', { a: `fish-${at}`, b: 'fish-0', verdict: 'different' });
    await visit('clusters/fish-0?member=fish-2', async page => {
      await page.getByText('all decided').waitFor();
      await page.locator('h1').click();
      await page.keyboard.press('u');
      await expect.poll(decided).toBe(5);
      expect((await logged()).at(-1)).toEqual(['fish-2', 'fish-0', 'undecided', undefined]);
      await page.getByText('3 of 4 decided').waitFor();
    });
    await visit('clusters?q=fish', async page => {
      await page.getByText('3 of 4 decided').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(decided).toBe(8);
      expect((await logged()).slice(5).map(([a, , verdict]) => [a, verdict])).toEqual([
        ['fish-1', 'undecided'],
        ['fish-3', 'undecided'],
        ['fish-4', 'undecided'],
      ]);
      await page.locator('[role=option]').getByText('open', { exact: true }).waitFor();
    });
    await visit('compare?a=fish-0&b=fish-1', async page => {
      await page.getByRole('button', { name: 'Same' }).click();
      await expect.poll(decided).toBe(9);
    });
    await visit('compare?a=fish-1&b=fish-0', async page => {
      await page.locator('button[aria-pressed=true]', { hasText: 'Same' }).waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(async () => (await logged()).at(-1)?.[2]).toBe('undecided');
    });
  });

  test('exports pairs and decisions', async () => {
    await clientOf(address.slice(0, -1)).post('/v1/decisions', { a: 'fish-1', b: 'fish-0', verdict: 'same' });
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
      expect([JSON.parse(readFileSync(path, 'utf8'))]).toEqual(await service.decisions());
    });
  });

  test('search finds near-duplicates with their passages, checks and adds', async () => {
    await visit('search', async page => {
      expect(await page.locator('.empty-state').innerText()).toMatch(/Paste or drop a text/);
      await page.getByLabel('Text to look for').fill(`${words('boat', 40)} and a bit more`);
      await page.getByRole('button', { name: 'Search' }).click();
      await page.locator('.columns').waitFor();
      expect(await page.locator('table').first().innerText()).toContain('boat/0');
      expect(await page.locator('table tbody tr').first().innerText()).toMatch(
        /boat\/0\s+0\.9\d+\s+9\d(\.\d)?\s%\s+100\s%/,
      );
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

  test('the passages of a search stay in sight under many results, on a phone, too', async () => {
    await service.add(
      ...Array.from({ length: 40 }, (_, at) => ({ id: `many-${at}`, text: `${words('many', 60)} end${at}` })),
    );
    await visit(
      'search?id=many-0',
      async page => {
        await page.locator('.columns').waitFor();
        await expect.poll(() => page.locator('.found-list tbody tr').count()).toBeGreaterThan(30);
        const [list, passages] = [page.locator('.found-list'), page.locator('section:has(#match)')];
        const [above, below] = [await list.boundingBox(), await passages.boundingBox()];
        expect(below!.y - above!.y).toBeLessThan(600);
        expect(await seriousProblems(page)).toEqual([]);
      },
      { width: 390 },
    );
  });

  test('two documents are compared by their ids, and called the same', async () => {
    await visit('compare?a=fish-0&b=boat%2F0', async page => {
      await page.getByText('no shingle in common').waitFor();
    });
    await visit('compare?a=fish-0&b=fish-1', async page => {
      await page.locator('.columns').waitFor();
      await page.locator('h1').click();
      await page.keyboard.press('s');
      await expect.poll(decided).toBe(1);
      expect(await logged()).toEqual([['fish-0', 'fish-1', 'same', undefined]]);
    });
    await visit('compare', async page => {
      await page.getByLabel('or the id of A').fill('fish-2');
      await page.getByLabel('and the id of B').fill('fish-3');
      await page.getByRole('button', { name: 'Compare these' }).click();
      await page.locator('.columns').waitFor();
      expect(page.url()).toContain('compare?a=fish-2&b=fish-3');
    });
  });

  test('asks for the key where the service wants one, and shows how to start it where there is none', async () => {
    const key = 'secret-key-of-more-than-32-characters';
    const locked = await serveProcess({ key });
    const { context, page } = await openPage(browser, `${locked.address}#/overview`);
    await page.getByLabel('Key of the service').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('does not accept this key').waitFor();
    await page.getByLabel('Key of the service').fill(key);
    await page.keyboard.press('Enter');
    await page.getByText('The index is empty').waitFor();
    expect(page.url()).not.toContain('secret');
    await context.close();
    await locked.stop();
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
    // An index of that many takes a minute to fill: the list alone is made up, all else is the service.
    const { context, page } = await openPage(browser, `${address}#/learn`);
    await page.route('**/v1/clusters?*', route => {
      const { searchParams } = new URL(route.request().url());
      const start = Number(searchParams.get('cursor') ?? 0);
      const end = start + Number(searchParams.get('limit'));
      const next = end < many.length && { next: `${end}` };
      return route.fulfill({ json: { clusters: many.slice(start, end), total: many.length, ...next } });
    });
    await page.goto(`${address}#/clusters`);
    const list = page.getByRole('listbox');
    await list.focus();
    await page.keyboard.press('End');
    await page.getByText('c99999').waitFor({ timeout: 50_000 });
    expect(await page.locator('[role=option]').count()).toBeLessThan(60);
    await page.keyboard.press('Home');
    await page.getByText('c0', { exact: true }).waitFor();
    await context.close();
  });

  test('a decision on a cluster of more members than a list names is about all of them, and lasts', async () => {
    const crowd = Array.from({ length: 120 }, (_, at) => ({ id: `crowd-${at}`, text: `${words('crowd', 60)} n${at}` }));
    await service.add(...crowd);
    await visit('clusters', async page => {
      await page.locator('[role=option]', { hasText: 'crowd-0' }).waitFor();
      await page.locator('h1').click();
      await page.keyboard.press('s');
      await expect.poll(decided, { timeout: 15_000 }).toBe(119);
    });
    expect(new Set((await logged()).map(([a]) => a)).size).toBe(119);
    // Another visit knows what was decided in this one.
    await visit('clusters/crowd-0', async page => {
      await page.getByText('all decided').waitFor();
    });
    await visit('clusters', async page => {
      await page.locator('[role=option]', { hasText: 'crowd-0' }).getByText('decided', { exact: true }).waitFor();
    });
  });

  test('names documents that are nearly in a cluster, and pairs on both sides of a threshold', async () => {
    await service.add({ id: 'nearly', text: `${words('fish', 38)} ${words('own', 20)}` });
    await visit('clusters/fish-0', async page => {
      await page.getByText('Like the representative, but not in its cluster').waitFor();
      await page.locator('section:has(#nearly)').getByRole('link', { name: 'nearly' }).click();
      await expect.poll(() => page.url()).toContain('compare?a=nearly&b=fish-0');
      await page.locator('.columns').waitFor();
    });
    await visit('tune?threshold=0.8', async page => {
      const table = page.locator('.next-pairs');
      await table.waitFor();
      const sides = async () =>
        (await table.locator('tr').allInnerTexts()).map(row => [row.split(/\s/)[0], Number(/[\d.]+$/.exec(row)![0])]);
      for (const [side, value] of await sides()) expect(Number(value) >= 0.8).toBe(side === 'above');
      const before = await table.innerText();
      await page.getByRole('spinbutton', { name: 'Threshold', exact: true }).fill('0.9');
      await page.keyboard.press('Enter');
      await expect.poll(() => table.innerText()).not.toBe(before);
      for (const [side, value] of await sides()) expect(Number(value) >= 0.9).toBe(side === 'above');
    });
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
