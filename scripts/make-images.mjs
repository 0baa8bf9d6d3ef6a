/** The licence texts of `neardup demo` → the pictures in docs/images: two pages in Chromium, and the curve of `tune`. */
import { spawnSync } from 'node:child_process';
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
  { page: 'compare.html', image: 'compare.png', height: 715 },
];

try {
  mkdirSync(images, { recursive: true });
  neardup('demo', '--out', '.');
  neardup('dedup', 'licences.jsonl', '-o', 'clean.jsonl', '--threshold', '0.7', '--report', 'report.html');
  neardup('compare', 'licences.jsonl#BSD-3-Clause', 'licences.jsonl#BSD-4-Clause', '--html', 'compare.html');
  neardup('tune', '--svg', join(images, 'curve.svg'));
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
  } finally {
    await browser.close();
  }
}
