/** `dedup --report`: the page of a real run, on both engines, in real Chromium, and what a failed run leaves of it. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeCorpus } from '../bench/make-corpus.ts';
import { call } from './support/call.ts';
import { temporaryFolder } from './support/folder.ts';
import { outsideProgram } from './support/outside.ts';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
const at = (name: string) => join(folder, name);
const get = (name: string) => readFileSync(at(name), 'utf8');

const fox = 'the quick brown fox jumps over the lazy dog and runs far away into the dark green wood';
const attack = '<script>document.title="taken"</script><img src="http://127.0.0.1:1/x">';

/** Two copies and one with a word more, under ids that would be markup or turn the page around; and a bad line. */
function putDocuments(): string {
  const documents = [
    { id: attack, text: fox },
    { id: 'نسخة \u202e', text: fox },
    { id: 'third', text: `${fox} again` },
    { id: 'other', text: 'an entirely different text about the price of fish in the harbour towns' },
  ];
  const lines = [...documents.map(document => JSON.stringify(document)), 'not <b>JSON</b>'];
  writeFileSync(at('in.jsonl'), `${lines.join('\n')}\n`);
  return at('in.jsonl');
}

describe('dedup --report', () => {
  test('lists damaged files, and counts repeated ids', async () => {
    const lines = Array.from({ length: 200 }, (_, id) => JSON.stringify({ id: id % 2, text: `${fox} ${id ** 3}` }));
    const whole = gzipSync(lines.join('\n'));
    writeFileSync(at('cut<b>.jsonl.gz'), whole.subarray(0, whole.length - 20));
    const args = ['dedup', at('cut<b>.jsonl.gz'), '-o', at('out.jsonl'), '--report', at('page.html')];
    expect(await call(...args, '--damaged', 'skip', '--quiet')).toMatchObject({ code: 0 });
    const page = get('page.html');
    expect(page).toContain('cut&lt;b&gt;.jsonl.gz');
    expect(page).toMatch(/cut off: .*documents|documents read before it[\s\S]*cut off: /);
    expect(page).toMatch(/\d+ documents with an id that came before/);
    expect(page).not.toContain('Everything could be read.');
  });

  test('writes the figures that --json prints', async () => {
    const { code, stdout } = await call(
      ...['dedup', putDocuments(), '-o', at('out.jsonl'), '--report', at('page.html'), '--json', '--quiet'],
    );
    expect(code).toBe(0);
    const summary = JSON.parse(stdout);
    expect(summary).toMatchObject({ documents: 4, kept: 2, removed: 2, exact: 1, near: 1, clusters: 1, rejected: 1 });
    const page = get('page.html');
    for (const name of ['documents', 'kept', 'removed', 'exact', 'near', 'contained', 'clusters', 'rejected'])
      expect(page).toContain(`<dt>${name}</dt><dd>${summary[name]}</dd>`);
    expect(page).toContain(`<dt>seconds</dt><dd>${summary.seconds.toFixed(1)}</dd>`);
    for (const [name, value] of Object.entries(summary.options).filter(([, value]) => value !== ''))
      expect(page).toContain(`<code>${name} ${value}</code>`);
    expect(page).toContain('becomes a candidate with probability 0.999951');
    expect(page).toContain(`<bdi>${at('in.jsonl')}</bdi></td><td class="number">5</td>`);
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(page).toContain(`neardup ${version} on <time`);
  });

  test('has the evidence that --removed has', async () => {
    await call('dedup', putDocuments(), '-o', '/dev/null', '--report', at('page.html'), '--removed', at('r.jsonl'));
    const removals = get('r.jsonl')
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(removals).toHaveLength(2);
    const page = get('page.html');
    for (const { relation, resemblance, containment } of removals) {
      expect(page).toContain(
        `${relation}</span><span class="number" title="${resemblance}">${shown(resemblance)}</span>`,
      );
      expect(page).toContain(`containment <b title="${containment}">${shown(containment)}</b>`);
    }
  });

  test('tells the text of a reference document from that of an input with the same id', async () => {
    writeFileSync(at('known.jsonl'), `${JSON.stringify({ id: 'other', text: `${fox} in the reference` })}\n`);
    await call('dedup', putDocuments(), '-o', '/dev/null', '--protect', at('known.jsonl'), '--report', at('page.html'));
    const page = get('page.html');
    expect(page).toContain('kept in the reference set');
    expect(page).toMatch(/<ins>[^<]* in the reference<\/ins>|<b class="other">[^<]*in the reference<\/b>/);
    expect(page).not.toContain('price of fish');
  });

  test('has the texts of every format, and of documents that were only marked', async () => {
    const near = `${fox} again`;
    writeFileSync(at('in.csv'), `id,text\n1,${fox}\n2,${near}\n`);
    writeFileSync(at('a.html'), `<title>x</title><p>${fox}</p>`);
    writeFileSync(at('b.html'), `<title>x</title><p>${near}</p>`);
    for (const inputs of [[at('in.csv')], [at('a.html'), at('b.html')]]) {
      await call(
        'dedup',
        ...inputs,
        '-o',
        '/dev/null',
        '--report',
        at('page.html'),
        '--format',
        inputs.length > 1 ? 'html' : 'csv',
      );
      expect(get('page.html')).toContain('<b class="other"> again</b>');
    }
    await call('dedup', at('in.csv'), '--mark', '-o', at('marked.csv'), '--report', at('page.html'));
    expect(get('page.html')).toContain('<b class="other"> again</b>');
  });

  test('is written neither with --dry-run, which says so, nor when the brake stops the run, nor when it fails', async () => {
    const input = putDocuments();
    const dry = await call('dedup', input, '--dry-run', '--report', at('page.html'));
    expect(dry).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`--dry-run: ${at('page.html')} was not written\n`),
    });
    const braked = ['--max-removed', '10%', '--report', at('page.html')];
    expect((await call('dedup', input, '-o', at('out.jsonl'), ...braked)).code).toBe(3);
    const strict = ['--strict', '--report', at('page.html')];
    expect((await call('dedup', input, '-o', at('out.jsonl'), ...strict)).code).toBe(1);
    const nowhere = await call('dedup', input, '-o', at('out.jsonl'), '--report', at('no/page.html'));
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining(`cannot write ${at('no/page.html')}:`) });
    expect(readdirSync(folder)).toEqual(['in.jsonl']);
  });

  test('takes the place of no input and no other output, and of standard output only when nothing else goes there', async () => {
    const input = putDocuments();
    const refused = (...more: string[]) => call('dedup', input, ...more);
    symlinkSync(input, at('page.html'));
    expect(await refused('-o', at('o'), '--report', at('page.html'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('it would write over the input'),
    });
    expect((await refused('-o', at('o'), '--report', at('o'))).code).toBe(2);
    expect((await refused('-o', at('o'), '--report', '-', '--json')).code).toBe(2);
    expect((await refused('--report', '-')).code).toBe(2);
    const { stdout } = spawnSync(process.execPath, [main, 'dedup', input, '-o', at('o'), '--report', '-', '--quiet'], {
      encoding: 'utf8',
    });
    expect(stdout).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
  });

  test('is compressed when its name says so', async () => {
    await call('dedup', putDocuments(), '-o', '/dev/null', '--report', at('page.html.gz'));
    expect(gunzipSync(readFileSync(at('page.html.gz'))).toString()).toMatch(/^<!doctype html>/);
  });

  test('is the same from both engines, and bounded', () => {
    makeCorpus(at('corpus.jsonl'), { documents: 900, copies: 0.4, script: 'latin', seed: 7 });
    writeFileSync(at('corpus.jsonl.gz'), gzipSync(readFileSync(at('corpus.jsonl')), { level: 1 }));
    const pages = ['corpus.jsonl', 'corpus.jsonl.gz'].map(name => {
      const args = ['dedup', at(name), '-o', '/dev/null', '--report', at(`${name}.html`), '--quiet'];
      expect(spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' })).toMatchObject({
        status: 0,
        stderr: '',
      });
      return get(`${name}.html`)
        .replace(/<div><dt>(seconds|MB compressed|MB|MB\/s)<\/dt><dd>[\d.]+<\/dd><\/div>/g, '')
        .replace(/<time[\s\S]*?<\/time>/, '')
        .replaceAll('corpus.jsonl.gz', 'corpus.jsonl');
    });
    expect(pages[0]).toBe(pages[1]);
    expect(pages[0]).toContain(', largest first.');
    expect(pages[0]).toContain('<del>');
    expect(pages[0]).toContain('Text of the kept document');
    expect(pages[0]!.length).toBeLessThan(1_500_000);
  });
});

describe('the expected recall of containment', () => {
  test('is told by the summary and the page, and only where containment is measured', async () => {
    const input = putDocuments();
    const containment = ['--measure', 'containment', '--report', at('page.html')];
    const told = await call('dedup', input, '-o', '/dev/null', ...containment);
    const [, recall] = /^containment candidates: expected recall (0\.9\d+) for parts of 66 shingles and more$/m.exec(
      told.stderr,
    )!;
    expect(Number(recall)).toBeGreaterThanOrEqual(0.999);
    // (1 − 1/m)^(66 · 0.8) for the m that the run takes, a power of two.
    expect([1, 2, 4, 8, 16].map(modulus => (1 - (1 - 1 / modulus) ** 52.8).toFixed(recall!.length - 2))).toContain(
      recall,
    );
    expect(get('page.html')).toContain(`the expected recall is ${recall} for parts of 66 shingles and more`);
    expect((await call('clusters', input, '-o', '/dev/null', '--measure', 'containment')).stderr).toContain(recall);
    expect((await call('pairs', input, '-o', '/dev/null', '--measure', 'containment')).stderr).toContain(recall);
    expect((await call('pairs', input, '-o', '/dev/null', '--measure', 'containment', '--exact')).stderr).not.toContain(
      'recall',
    );
    expect((await call('dedup', input, '-o', '/dev/null')).stderr).not.toContain('recall');
  });
});

const executablePath = outsideProgram('chromium', 'the page of a run in a browser');

test.skipIf(!executablePath)('Chromium shows the page from disk, runs nothing of it and asks for nothing', async () => {
  await call('dedup', putDocuments(), '-o', '/dev/null', '--report', at('page.html'));
  const quiet = ['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
  const browser = await chromium.launch({
    executablePath: executablePath!,
    args: ['--no-sandbox', '--disable-gpu', ...quiet],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 420, height: 800 } });
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on('request', request => asked.push(request.url()));
    page.on('console', message => complaints.push(message.text()));
    page.on('pageerror', error => complaints.push(String(error)));
    await page.goto(pathToFileURL(at('page.html')).href);
    expect(await page.title()).toBe('Near-duplicates in in.jsonl');
    expect(asked).toEqual([pathToFileURL(at('page.html')).href]);
    expect(complaints).toEqual([]);
    expect(await page.locator('.cluster > summary bdi').first().textContent()).toBe(attack);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(1);
    // Nothing runs out of a narrow window: wide tables scroll by themselves.
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(420);
  } finally {
    await browser.close();
  }
});

function shown(value: number): string {
  return value === 1 ? '1' : value.toFixed(4);
}
