/** The licence texts of `neardup demo` → the pictures in docs/images: two pages from disk and those of the service in Chromium, and the curve of `tune`. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const images = join(root, 'docs/images');
const work = mkdtempSync(join(tmpdir(), 'neardup-images-'));

/** Pages as they are first seen, cut where the next section begins. */
const pages = [
  { page: 'report.html', image: 'report.png', height: 480 },
  { page: 'compare.html', image: 'compare.png', height: 800 },
];

/** Pages of the service on an index of the same texts. `wait`: what is there when the page is ready. */
const views = [
  { view: 'overview', image: 'overview.jpg', wait: 'svg.chart >> nth=1' },
  { view: 'clusters', image: 'clusters.jpg', height: 760, wait: '[role=option] >> nth=5' },
  { view: 'clusters/BSD-3-Clause', image: 'cluster.jpg', wait: '.columns' },
  { view: 'compare?a=BSD-3-Clause&b=BSD-4-Clause', image: 'compare.jpg', height: 1000, wait: '.columns' },
  { view: 'search?id=MIT', image: 'search.jpg', height: 1000, wait: '.columns' },
  { view: 'tune', image: 'tune.jpg', wait: '.next-pairs' },
  { view: 'learn', image: 'learn.jpg', wait: 'svg' },
  { view: 'try', image: 'try.jpg', wait: '.columns', click: 'Use an example', top: '.review' },
];

try {
  mkdirSync(images, { recursive: true });
  neardup('demo', '--out', '.');
  neardup('dedup', 'licences.jsonl', '-o', 'clean.jsonl', '--threshold', '0.7', '--report', 'report.html');
  neardup('compare', 'licences.jsonl#BSD-3-Clause', 'licences.jsonl#BSD-4-Clause', '--html', 'compare.html');
  neardup('tune', '--svg', join(images, 'curve.svg'));
  neardup('index', 'add', 'index', 'licences.jsonl', '--threshold', '0.7', '--store', 'all', '--quiet');
  await takePictures();
} finally {
  rmSync(work, { recursive: true });
}

function neardup(...args) {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'dist/cli/main.js'), ...args], {
    cwd: work,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`neardup ${args.join(' ')}: ${stderr}`);
}

async function takePictures() {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-sync', '--disable-component-update'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
    for (const { page: name, image, height } of pages) {
      await page.goto(`file://${join(work, name)}`);
      await page.screenshot({ path: join(images, image), clip: { x: 0, y: 0, width: 1200, height } });
    }
    await withService(address => takeViews(browser, address));
  } finally {
    await browser.close();
  }
}

async function takeViews(browser, address) {
  for (const { view, image, height = 900, wait, click, top } of views) {
    const page = await browser.newPage({ viewport: { width: 1280, height }, reducedMotion: 'reduce' });
    await page.goto(`${address}/#/${view}`);
    if (click) await page.getByRole('button', { name: click }).click();
    await page.locator(wait).first().waitFor();
    await page.waitForTimeout(1000);
    if (top) await page.locator(top).evaluate(element => scrollTo(0, element.getBoundingClientRect().top - 90));
    await page.screenshot({ path: join(images, image), quality: 80 });
    await page.close();
  }
}

/** A service of its own, ended when the work is done. */
async function withService(use) {
  const args = [join(root, 'dist/cli/main.js'), 'serve', '--index', 'index', '--port', '0'];
  const service = spawn(process.execPath, args, { cwd: work, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(service, 'exit');
  try {
    let log = '';
    for await (const data of service.stderr) {
      log += data;
      if (log.includes('the index is open')) break;
    }
    await use(/"url":"([^"]+)"/.exec(log)[1]);
  } finally {
    service.kill();
    await ended;
  }
}
