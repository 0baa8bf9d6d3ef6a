/** The pages that need no service, in real Chromium: what a person does, and what they see. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { strToU8, unzipSync, zipSync } from 'fflate';
import type { Browser, Download, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compare, dedup } from '../../src/browser.ts';
import { exampleA, exampleB } from '../../web/compare/examples.ts';
import { expectNoOverflow, launch, openPage, seriousProblems } from '../support/browser.ts';
import { temporaryFolder } from '../support/folder.ts';
import { outsideProgram } from '../support/outside.ts';
import { type PageServer, servePages } from '../support/pages.ts';
import { licenceTexts } from '../support/texts.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const executablePath = outsideProgram('chromium', 'the web pages');

describe.skipIf(!executablePath)('pages without a service', () => {
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

  /** Opens a view, does something in it, and expects that nothing complained. */
  async function visit<Result>(view: string, act: (page: Page) => Promise<Result>, look = {}): Promise<Result> {
    const { context, page, complaints } = await openPage(browser, `${pages.address}#/${view}`, look);
    try {
      const result = await act(page);
      expect(complaints).toEqual([]);
      return result;
    } finally {
      await context.close();
    }
  }

  const fileOf = (name: string, content: string | Uint8Array) => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(content),
  });

  async function downloaded(page: Page, button: string): Promise<{ name: string; bytes: Buffer }> {
    const [download] = (await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ])) as [Download, unknown];
    const path = join(temporaryFolder(), 'download');
    await download.saveAs(path);
    return { name: download.suggestedFilename(), bytes: readFileSync(path) };
  }

  const linesOf = (bytes: Uint8Array) => Buffer.from(bytes).toString().split('\n').filter(Boolean);

  describe('try it here', () => {
    const documents = licenceTexts(120).map((text, at) => ({ id: `licence-${at}`, text, rank: 1.0 }));
    const jsonl = documents.map(document => JSON.stringify(document)).join('\n');

    test('removes what the library removes, and the kept lines are those that came', async () => {
      const { kept, removed } = await dedup(documents, { threshold: 0.6 });
      expect(removed.length).toBeGreaterThan(2);
      await visit('try?threshold=0.6', async page => {
        await page.setInputFiles('input[type=file]', fileOf('licences.jsonl', jsonl));
        await page.getByText('Download what stays').waitFor();
        expect(await page.locator('.figures').innerText()).toContain(`removed\n${removed.length}`);
        const { name, bytes } = await downloaded(page, 'Download what stays');
        expect(name).toBe('licences.kept.jsonl');
        const given = new Map(documents.map((document, at) => [document.id, jsonl.split('\n')[at]!]));
        expect(linesOf(bytes)).toEqual(kept.map(({ id }) => given.get(id)));
        const evidence = await downloaded(page, 'Download the evidence');
        expect(linesOf(evidence.bytes).map(line => JSON.parse(line))).toEqual(removed);
      });
    });

    test('decides pair after pair by keys, takes back, and writes decisions.jsonl', async () => {
      await visit('try', async page => {
        await page.getByRole('button', { name: 'Use an example' }).click();
        await page.locator('.columns').waitFor();
        const state = () => page.locator('#review').innerText();
        const chosen = () => page.locator('[role=option][aria-selected=true] bdi').innerText();
        expect(await state()).toMatch(/0 of 8 pairs decided/i);
        // A difference is chosen in one pair, and none in the next.
        await page.keyboard.press('n');
        await page.getByText('Difference 1 of').waitFor();
        await page.keyboard.press('j');
        await page.getByText('Difference – of').waitFor();
        await page.keyboard.press('k');
        const first = await chosen();
        await page.keyboard.press('d');
        expect(await state()).toMatch(/1 of 8/i);
        expect(await chosen()).not.toBe(first);
        const second = await chosen();
        await page.keyboard.press('s');
        await page.keyboard.press('u');
        expect(await state()).toMatch(/1 of 8/i);
        expect(await chosen()).toBe(second);
        const log = linesOf((await downloaded(page, 'Download decisions.jsonl')).bytes).map(line => JSON.parse(line));
        expect(log.map(({ a, b, verdict, keep }) => [a, b, verdict, keep])).toEqual([
          [first, 'pool-1', 'different', undefined],
          [second, 'pool-1', 'same', 'pool-1'],
          [second, 'pool-1', 'undecided', undefined],
        ]);
        // What was called different stays.
        const kept = linesOf((await downloaded(page, 'Download what stays')).bytes).map(line => JSON.parse(line).id);
        expect(kept).toContain(first);
        expect(kept).not.toContain(second);
      });
    });

    test('reads a zip of all formats, and gives back a zip of what stays', async () => {
      const text = 'four score and seven years ago our fathers brought forth on this continent a new nation';
      const zip = zipSync({
        'notes/a.txt': strToU8(text),
        'notes/b.txt': strToU8(`${text}.`),
        'page.html': strToU8(`<p>${text}</p><script>alert(1)</script>`),
        'table.csv': strToU8(`id,text\nx,"${text}"\ny,"something else, quite different from all the others here"\n`),
        'lines.jsonl': strToU8('{"id":"z","text":"one more text that is not like any of the other ones"}\nnonsense\n'),
        'picture.png': strToU8('not read'),
      });
      await visit('try', async page => {
        await page.setInputFiles('input[type=file]', fileOf('all.zip', zip));
        await page.getByText('Download what stays').waitFor();
        expect(await page.locator('main').innerText()).toMatch(
          /1 file left out, by the ending of the name: picture\.png/,
        );
        expect(await page.locator('.figures').innerText()).toMatch(/documents\n6\n.*kept\n3\n.*removed\n3/s);
        const { name, bytes } = await downloaded(page, 'Download what stays');
        expect(name).toBe('kept.zip');
        const files = Object.entries(unzipSync(bytes)).map(([path, content]) => [
          path,
          Buffer.from(content).toString(),
        ]);
        expect(Object.fromEntries(files)).toEqual({
          'lines.jsonl': '{"id":"z","text":"one more text that is not like any of the other ones"}\n',
          'notes/a.txt': text,
          'table.csv': 'id,text\ny,"something else, quite different from all the others here"\n',
        });
      });
    });

    test('says which lines and archives are broken, and goes on with the rest', async () => {
      const zip = zipSync({ 'a.txt': strToU8('words '.repeat(5000) + Math.random()) });
      await visit('try', async page => {
        await page.setInputFiles('input[type=file]', [
          fileOf('cut.zip', zip.subarray(0, zip.length / 2)),
          fileOf('open.csv', 'id,text\n1,"never closed\n'),
          fileOf('good.jsonl', '{"id":1,"text":"one"}\n{"id":1,"text":"two"}\n{"id":2}\n'),
        ]);
        await page.getByText('Download what stays').waitFor();
        const shown = await page.locator('main').innerText();
        expect(shown).toMatch(/2 files could not be read to the end/);
        expect(shown).toMatch(/1 document with an id that came before/);
        await page.getByText('3 lines that could not be used').click();
        expect(await page.locator('main').innerText()).toMatch(/never closed.*text missing/s);
      });
    });
  });

  test('hostile texts and names are shown as text, and nothing of them runs', async () => {
    const attack = `<script>globalThis.hit = 1</script><img src=x onerror="globalThis.hit = 2"> "'><svg onload=alert(3)>`;
    const odd = `\u202eevil\u202c \ud800 half ${attack} <style>*{display:none}</style> and some more words to share with others`;
    const lines = [
      { id: attack, text: odd },
      { id: '\u202ereversed\ud800', text: `${odd}!` },
      { id: '__proto__', text: odd },
      { id: 'constructor', text: `${odd}?` },
    ].map(document => JSON.stringify(document));
    await visit('try', async page => {
      await page.setInputFiles('input[type=file]', fileOf(`<img src=x onerror=alert(1)>.jsonl`, lines.join('\n')));
      await page.locator('.columns').waitFor();
      expect(await page.locator('.column .text').first().innerText()).toContain('<script>globalThis.hit');
      for (const key of ['j', 'j', 's', 'd', 'k', 'n', 'p', 'u']) await page.keyboard.press(key);
      await page.getByLabel('What is shared').check();
      expect(await page.evaluate(() => (globalThis as { hit?: number }).hit)).toBeUndefined();
      expect(await page.locator('main script, main img, main style').count()).toBe(0);
    });
    await visit('compare', async page => {
      await page.getByLabel('Text A').fill(odd.replace('\ud800', '�'));
      await page.getByLabel('Text B').fill(`${odd.replace('\ud800', '�')} end`);
      await page.getByRole('button', { name: 'Compare', exact: true }).click();
      await page.locator('.columns').waitFor();
      await page.getByText('Why do these match?').click();
      await page.locator('.sketch').waitFor();
      expect(await page.evaluate(() => (globalThis as { hit?: number }).hit)).toBeUndefined();
      expect(await page.locator('main script, main img, main style').count()).toBe(0);
    });
    // Neither does what stands in an address.
    for (const view of [
      '%3Cscript%3E',
      'learn/%',
      'tune?threshold=<svg onload=alert(1)>&mode=__proto__',
      'compare?passage=999&show=x',
    ])
      await visit(view, page => page.locator('main').waitFor());
  });

  describe('compare', () => {
    test('shows the measures of the library, passages, differences and the steps behind a number', async () => {
      const { resemblance, editSimilarity, estimated } = await compare(exampleA, exampleB);
      await visit('compare', async page => {
        expect(await page.locator('.empty-state').innerText()).toMatch(/Fill in both texts/);
        await page.getByLabel('Text A').fill(exampleA);
        await page.getByLabel('Text B').fill(exampleB);
        await page.getByRole('button', { name: 'Compare', exact: true }).click();
        await page.locator('.columns').waitFor();
        const table = await page.locator('table').first().innerText();
        expect(table).toContain(String(resemblance));
        expect(table).toContain(String(editSimilarity));
        const { resemblance: value, standardError } = estimated as { resemblance: number; standardError: number };
        expect(table).toContain(`${value.toFixed(4)} ± ${standardError.toFixed(4)}`);

        await page.keyboard.press('Tab');
        await page.locator('h1').click();
        await page.keyboard.press('n');
        await page.keyboard.press('n');
        expect(page.url()).toContain('passage=2');
        expect(await page.locator('mark.current').count()).toBe(2);
        await page.keyboard.press('p');
        expect(page.url()).toContain('passage=1');
        // A text is in no address.
        expect(page.url()).not.toContain('committee');

        await page.getByLabel('What differs').check();
        expect(await page.locator('mark.gone').allInnerTexts()).toContain('Monday');
        expect(await page.locator('mark.come').allInnerTexts()).toContain('Tuesday');

        await page.getByText('Why do these match?').click();
        await page.locator('.sketch').waitFor();
        const equal = await page.locator('.sketch .equal').count();
        expect(equal / 128).toBe(value);
        await page.locator('.sketch .equal').first().click();
        const shingles = await page.locator('.minimum tbody td:last-child').allInnerTexts();
        expect(shingles[0]).toBe(shingles[1]);
      });
    });

    test('scrolls both texts together, passage by passage', async () => {
      const filler = (name: string) => Array.from({ length: 220 }, (_, at) => `${name}${at}`).join(' ');
      const shared = (number: number) => Array.from({ length: 60 }, (_, at) => `shared${number}x${at}`).join(' ');
      const a = [filler('a'), shared(1), filler('b'), shared(2), filler('c'), shared(3)].join('\n\n');
      const b = [shared(1), filler('d'), filler('e'), shared(2), shared(3), filler('f')].join('\n\n');
      await visit('compare', async page => {
        await page.getByLabel('Text A').fill(a);
        await page.getByLabel('Text B').fill(b);
        await page.getByRole('button', { name: 'Compare', exact: true }).click();
        await page.locator('.columns').waitFor();
        await page.locator('h1').click();
        const places = (passage: number) =>
          page.evaluate(
            number =>
              Array.from(document.querySelectorAll('.column'), column => {
                const chip = column.querySelector(`[data-passage="${number}"]`)!;
                return chip.getBoundingClientRect().top - column.getBoundingClientRect().top;
              }),
            passage,
          );
        await page.keyboard.press('n');
        await page.keyboard.press('n');
        const [inA, inB] = await places(2);
        expect(Math.abs(inA! - inB!)).toBeLessThan(3);
        await page.waitForTimeout(1000);
        await page.locator('.scroll').first().hover();
        await page.mouse.wheel(0, 60);
        await page.waitForTimeout(300);
        const [nextA, nextB] = await places(2);
        expect(nextA).not.toBe(inA);
        expect(Math.abs(nextA! - nextB!)).toBeLessThan(3);
      });
    });

    test('a large text that is pasted is held, not laid out in the field', async () => {
      await visit('compare', async page => {
        const isTaken = await page.getByLabel('Text A', { exact: true }).evaluate(field => {
          const clipboardData = new DataTransfer();
          clipboardData.setData('text/plain', 'a few words '.repeat(100_000));
          const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
          return !field.dispatchEvent(paste);
        });
        expect(isTaken).toBe(true);
        await page.getByText('text A: 1,200,000 characters').waitFor();
      });
    });

    test('two huge texts do not stop the page', async () => {
      const huge = Array.from({ length: 300_000 }, (_, at) => `w${at % 7919}`).join(' ');
      await visit('compare', async page => {
        const [chooseA, chooseB] = await page.locator('input[type=file]').all();
        await chooseA!.setInputFiles(fileOf('\u202ea.txt', huge));
        // What turns letters around in a name turns nothing else around.
        await page.getByText('\ufffda.txt: ').waitFor();
        await chooseB!.setInputFiles(fileOf('b.txt', `${huge.slice(0, 900_000)} something else`));
        await page.getByRole('button', { name: 'Compare', exact: true }).click();
        await page.locator('.columns').waitFor({ timeout: 50_000 });
        expect(await page.locator('.fold').count()).toBeGreaterThan(0);
        expect((await page.locator('.column .text').first().innerText()).length).toBeLessThan(50_000);
      });
    });
  });

  describe('tune', () => {
    test('names real pairs of licences on both sides of the threshold, as it moves', async () => {
      await visit('tune?threshold=0.8', async page => {
        const rows = page.locator('.next-pairs tr');
        const sides = async () =>
          (await rows.allInnerTexts()).map(row => [row.split(/\s/)[0], Number(/[\d.]+$/.exec(row)![0])] as const);
        const expectAround = async (threshold: number) => {
          await page.getByText(`Pairs next to ${threshold}`).waitFor();
          const shown = await sides();
          expect(shown.map(([side]) => side)).toEqual(['above', 'above', 'above', 'below', 'below', 'below']);
          for (const [side, value] of shown) {
            if (side === 'above') expect(value).toBeGreaterThanOrEqual(threshold);
            else expect(value).toBeLessThanOrEqual(threshold);
            expect(Math.abs(value - threshold)).toBeLessThan(0.03);
          }
        };
        await expectAround(0.8);
        expect(await rows.first().innerText()).toMatch(/[A-Z].* and [A-Z]/);
        await page.getByRole('spinbutton', { name: 'Threshold', exact: true }).fill('0.35');
        await page.keyboard.press('Enter');
        await expectAround(0.35);
      });
    });

    test('gives the probabilities of the lectures, and the command to copy', async () => {
      await visit('tune?mode=bands&bands=20&rows=5&threshold=0.5', async page => {
        await page.locator('.chart').waitFor();
        await page.getByText('The curve as a table').click();
        const rows = await page.locator('table.narrow tr').allInnerTexts();
        const found = Object.fromEntries(rows.map(row => row.split(/\s+/)));
        expect(found).toMatchObject({
          0.2: '0.006',
          0.3: '0.047',
          0.4: '0.186',
          0.5: '0.470',
          0.6: '0.802',
          0.7: '0.975',
        });
        expect(await page.locator('main').innerText()).toContain(
          '--threshold 0.5 --sketch minhash:100 --lsh bands:20x5',
        );
      });
      await visit('tune?mode=matches&threshold=0.9', async page => {
        expect(await page.locator('main').innerText()).toContain('0.583');
        expect(await page.locator('.legend').innerText()).toContain('unlike, called similar');
        await page.getByLabel('Threshold').first().fill('0.95');
        expect(await page.locator('main').innerText()).toContain('0.989');
        expect(page.url()).toContain('threshold=0.95');
      });
      await visit('tune', async page => {
        expect(await page.locator('main').innerText()).toContain('25 bands of 5');
        await page.getByLabel('Threshold').first().fill('0.05');
        expect(await page.locator('.error').innerText()).toMatch(/cannot reach recall 0.999/);
        expect(await page.locator('.legend').count()).toBe(0);
      });
    });

    test('counts misses and needless comparisons of your own run', async () => {
      await visit('try', async page => {
        await page.getByRole('button', { name: 'Use an example' }).click();
        await page.locator('.columns').waitFor();
        await page.getByRole('link', { name: 'Tune' }).click();
        await page.getByLabel('Your files').check();
        expect(await page.locator('main').innerText()).toMatch(/of 8 pairs at or above the threshold/);
      });
    });
  });

  describe('learn', () => {
    test('goes through the worked examples step by step, and the address keeps the step', async () => {
      await visit('learn', async page => {
        await page.locator('.bands').waitFor();
        const lesson = (name: string) => page.locator(`#learn-${name}`);
        expect(await lesson('exact').innerText()).toMatch(/508/);
        await lesson('shingles').getByRole('button', { name: 'All' }).click();
        expect(await lesson('shingles').locator('.tokens li').allInnerTexts()).toHaveLength(16);
        expect(await lesson('shingles').innerText()).toMatch(/Hash of “salt water species”: [0-9a-f]{16}/);
        expect(await lesson('permutation').innerText()).toMatch(/π\(A\) = \{3, 5, 7\}, smallest 3.*smallest 5/s);
        expect(await lesson('resemblance').innerText()).toContain('13 / 19 = 0.6842');
        await lesson('minima').getByRole('button', { name: 'All 100' }).click();
        const equal = /So far (\d+) of 100 equal/.exec(await lesson('minima').innerText())![1];
        expect(await lesson('sketch').innerText()).toContain(`${equal} of 100 are equal`);
        expect(await lesson('curve').innerText()).toMatch(
          /0\.006\s+0\.047\s+0\.186\s+0\.470\s+0\.802\s+0\.975\s+0\.9996/,
        );
        expect(await lesson('sets').innerText()).toContain('3 / 5 = 0.6000');
        expect(await lesson('chains').innerText()).toMatch(
          /Direct groups: B is removed, because it resembles A; C stays/,
        );
        expect(await lesson('columns').innerText()).toContain('2 of 5 = 0.4000');
        await lesson('columns').getByLabel('Element 1 in set 1: 0').click();
        expect(await lesson('columns').innerText()).toContain('3 of 5 = 0.6000');
        expect(await lesson('ordering').innerText()).toContain('Round 1: dog and cat, different');
        await lesson('ordering').getByLabel('Round 2').check();
        expect(await lesson('ordering').innerText()).toContain('Round 2: mouse and mouse, equal');
        expect(await lesson('selection').innerText()).toMatch(/horse-ant-dog.*cat-ice-shoe/s);
        for (const name of ['Minimum 1', 'Minimum 2']) await lesson('selection').getByRole('button', { name }).click();
        expect(await lesson('selection').innerText()).toMatch(/mouse-ant-dog.*mouse-ice-shoe/s);
        expect(page.url()).toMatch(/round=100/);
        await page.getByLabel('A rose is a rose').check();
        await lesson('shingles').getByRole('button', { name: 'All' }).click();
        expect(await lesson('shingles').locator('.tokens li').allInnerTexts()).toEqual([
          'a rose is a',
          'rose is a rose',
          'is a rose is',
        ]);
        await page.reload();
        await page.locator('.bands').waitFor();
        expect(await lesson('shingles').locator('.tokens li').count()).toBe(3);
        await page.getByLabel('Four score').check();
        await lesson('shingles').getByRole('button', { name: 'All' }).click();
        expect(await lesson('shingles').locator('.tokens li').count()).toBe(5);
      });
    });

    test('no figure sticks out of its frame on a phone, and no number is broken in two', async () => {
      const problems = await visit(
        'learn',
        async page => {
          await page.locator('.bands').waitFor();
          return page.evaluate(() => {
            const out = Array.from(document.querySelectorAll('.lesson-figure')).filter(
              figure => figure.scrollWidth > figure.clientWidth,
            );
            const lines = (cell: Element) => {
              const range = document.createRange();
              range.selectNodeContents(cell);
              return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size;
            };
            const broken = Array.from(document.querySelectorAll('.lesson .mono')).filter(cell => lines(cell) > 1);
            return [...out, ...broken].map(one => one.textContent);
          });
        },
        { width: 390 },
      );
      expect(problems).toEqual([]);
    });

    test("takes the visitor's own text, which stays out of the address", async () => {
      await visit('learn?example=own', async page => {
        expect(await page.locator('.empty-state').innerText()).toMatch(/Write a few words/);
        await page.getByLabel('Your text A').fill('my own secret words are here today');
        await page.getByLabel('Your text B').fill('my own secret words were here today');
        await page.locator('.bands').waitFor();
        expect(await page.locator('#learn-resemblance').innerText()).toMatch(/2 \/ 8 = 0\.2500/);
        expect(page.url()).not.toContain('secret');
      });
    });
  });

  describe.each([
    { width: 390, theme: 'light' },
    { width: 390, theme: 'dark' },
    { width: 1440, theme: 'light' },
    { width: 1440, theme: 'dark' },
    { width: 2560, theme: 'light' },
  ] as const)('at $width pixels, $theme', look => {
    const views: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
      try: async page => {
        await page.getByRole('button', { name: 'Use an example' }).click();
        await page.locator('.columns').waitFor();
      },
      compare: async page => {
        await page.getByRole('button', { name: 'Show an example' }).click();
        await page.locator('.columns').waitFor();
        await page.getByText('Why do these match?').click();
        await page.locator('.sketch').waitFor();
      },
      tune: page => page.locator('.chart').waitFor(),
      learn: page => page.locator('.bands').waitFor(),
    };
    test.each(Object.keys(views))('%s fits, reads well and has no serious problem', async view => {
      await visit(
        view,
        async page => {
          await views[view]!(page);
          await expectNoOverflow(page);
          expect(await seriousProblems(page)).toEqual([]);
        },
        look,
      );
    });
  });

  test('the theme can be chosen, and is remembered', async () => {
    await visit('tune', async page => {
      const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const light = await paper();
      await page.getByLabel('Dark').check();
      const dark = await paper();
      expect(dark).not.toBe(light);
      await page.reload();
      expect(await paper()).toBe(dark);
    });
  });

  test('can be used with keys alone', async () => {
    await visit('tune', async page => {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the page');
      await page.keyboard.press('Enter');
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
      await page.getByRole('link', { name: 'Learn' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'How near-duplicates are found' }).waitFor();
      expect(await page.title()).toContain('Learn');
    });
  });
});
