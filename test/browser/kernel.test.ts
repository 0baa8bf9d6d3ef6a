/** The built `neardup/browser` in real Chromium, in its workers and in Node's: bit for bit what Node computes. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build, type Format } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as core from '../../src/browser.ts';
import { launch } from '../support/browser.ts';
import { outsideProgram } from '../support/outside.ts';
import { licenceTexts } from '../support/texts.ts';
import { probe } from './probe.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const texts = [
  '',
  '…!?',
  'one',
  'a rose is a rose is a rose',
  'Ça va? ÉTÉ à Łódź, ǅungla, ΟΔΥΣΣΕΥΣ, Straße, İstanbul',
  '近似重複文書の検出 ทดสอบภาษาไทย ភាសាខ្មែរ မြန်မာ',
  '\ud83d\ude00 half \ud800 pair, 𐐀𐐁 DESERET, ﬁne ①②③',
  'word '.repeat(2000),
  ...licenceTexts(4),
];

let expected: string[];
beforeAll(async () => {
  expected = await probe(core, texts);
});

/** dist/browser.js and the probe as one file; `platform: browser` makes every Node module an error. */
async function bundle(use: string, format: Format, external: string[] = []): Promise<string> {
  const entry = `import * as core from './dist/browser.js';
import { probe } from './test/browser/probe.ts';
${use}`;
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: root },
    bundle: true,
    write: false,
    platform: 'browser',
    format,
    external,
    target: 'es2022',
    logLevel: 'silent',
  });
  return outputFiles[0]!.text;
}

test('a Node worker thread computes the same', async () => {
  const script = await bundle(
    `const { parentPort, workerData } = require('node:worker_threads');
probe(core, workerData).then(lines => parentPort.postMessage(lines));`,
    'cjs',
    ['node:worker_threads'],
  );
  const worker = new Worker(script, { eval: true, workerData: texts });
  const lines = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  await worker.terminate();
  expect(lines).toEqual(expected);
});

const executablePath = outsideProgram('chromium', 'the core in a browser');

describe.skipIf(!executablePath)('Chromium', () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    const files = new Map([
      ['/', { type: 'text/html', content: '<!doctype html><title>neardup</title><script src="page.js"></script>' }],
      ['/page.js', { type: 'text/javascript', content: await bundle('window.probe = t => probe(core, t);', 'iife') }],
      [
        '/worker.js',
        {
          type: 'text/javascript',
          content: await bundle('onmessage = async ({ data }) => postMessage(await probe(core, data));', 'iife'),
        },
      ],
    ]);
    server = createServer((request, response) => {
      const file = files.get(request.url!);
      response.writeHead(file ? 200 : 404, { 'content-type': `${file?.type ?? 'text/plain'}; charset=utf-8` });
      response.end(file?.content);
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    browser = await launch(executablePath!);
    page = await browser.newPage();
    page.on('pageerror', error => complaints.push(String(error)));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test('computes the same in a page', async () => {
    const lines = await page.evaluate(
      given => (window as unknown as { probe(texts: readonly string[]): Promise<string[]> }).probe(given),
      texts,
    );
    expect(complaints).toEqual([]);
    expect(lines).toEqual(expected);
  });

  test('computes the same in a worker', async () => {
    const lines = await page.evaluate(
      given =>
        new Promise<unknown>((resolve, reject) => {
          const worker = new window.Worker('worker.js');
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = ({ message }) => reject(new Error(message));
          worker.postMessage(given);
        }),
      texts,
    );
    expect(lines).toEqual(expected);
  });
});
