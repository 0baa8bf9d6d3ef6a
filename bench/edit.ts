/**
 * `--measure edit` on long documents, each corpus 20 MB:
 *   families   2 to 5 versions of a text of 10 KB to 1 MB, with 5 to 40 % of the words edited
 *   unlike     20 texts of 1 MB, of the same words: every two share most shingles, and no two are alike
 *
 *   npm run bench:edit [-- --threshold 0.8] [--megabytes 20] [--seconds 120]
 */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createRandom, type Random } from './random.ts';
import { createSentences } from './sentences.ts';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const { values } = parseArgs({
  options: {
    threshold: { type: 'string', multiple: true, default: ['0.7', '0.8', '0.9'] },
    megabytes: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '120' },
    keep: { type: 'string' },
  },
});

const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'neardup-bench-'));
let countedCpu = 0;
try {
  const size = Number(values.megabytes) * 1e6;
  const corpora = { families: join(folder, 'families.jsonl'), unlike: join(folder, 'unlike.jsonl') };
  writeCorpus(corpora.families, size, familyOf(createRandom(1)));
  writeCorpus(corpora.unlike, size, unlikeOf(createRandom(2)));
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`);
  if (values.keep === undefined)
    for (const [name, corpus] of Object.entries(corpora))
      for (const threshold of values.threshold) measure(name, corpus, threshold);
} finally {
  if (values.keep === undefined) rmSync(folder, { recursive: true });
}

function measure(name: string, corpus: string, threshold: string): void {
  const args = ['dedup', corpus, '--measure', 'edit', '--threshold', threshold, '--tmp', folder, '--json'];
  const start = performance.now();
  const { status, stdout } = spawnSync(process.execPath, [main, ...args, '-o', join(folder, 'kept.jsonl')], {
    timeout: Number(values.seconds) * 1000,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const { documents, removed } = status === 0 ? JSON.parse(String(stdout)) : {};
  const outcome = status === 0 ? `${removed} of ${documents} removed` : 'not done';
  const megabytes = (statSync(corpus).size / 1e6).toFixed(0);
  console.log(
    `${name.padEnd(8)} ${megabytes} MB, threshold ${threshold}: ${seconds} s, ${cpuOfChild()} s of CPU, ${outcome}`,
  );
}

/** Seconds of children since the last call, as Linux counts them. */
function cpuOfChild(): string {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
  const before = countedCpu;
  countedCpu = (Number(fields[13]) + Number(fields[14])) / 100;
  return (countedCpu - before).toFixed(1);
}

function writeCorpus(path: string, size: number, nextTexts: () => readonly string[]): void {
  const file = openSync(path, 'w');
  for (let written = 0, number = 0; written < size; )
    for (const text of nextTexts()) written += writeSync(file, `${JSON.stringify({ id: `d${number++}`, text })}\n`);
  closeSync(file);
}

function familyOf(random: Random): () => string[] {
  const sentence = createSentences('latin', random);
  const word = createWords(random);
  return () => {
    const length = 10_000 * 100 ** (random.below(1000) / 1000);
    // Half of the families are of sentences that the others use too, in another order.
    const next = random.below(2) === 0 ? sentence : word;
    const original = compose(next, length);
    const versions = Array.from({ length: 1 + random.below(4) }, () =>
      edited(original, 0.05 + random.below(36) / 100, word, random),
    );
    return [original, ...versions].map(words => words.join(' '));
  };
}

function unlikeOf(random: Random): () => string[] {
  const word = createWords(random);
  return () => [compose(word, 1e6).join(' ')];
}

/** 20,000 made-up words; the least of two numbers makes some of them frequent, as in any language. */
function createWords(random: Random): () => string {
  const letter = () => 'etaoinshrdlucmfwypvbgkjqxz'[Math.min(random.below(26), random.below(26))]!;
  const words = Array.from({ length: 20_000 }, () => Array.from({ length: 2 + random.below(9) }, letter).join(''));
  return () => words[Math.min(random.below(words.length), random.below(words.length))]!;
}

function compose(next: () => string, length: number): string[] {
  const words: string[] = [];
  for (let size = 0; size < length; ) {
    const text = next();
    size += text.length + 1;
    words.push(...text.split(' '));
  }
  return words;
}

/** Words replaced, left out and put in, at the given rate. */
function edited(words: readonly string[], rate: number, word: () => string, random: Random): string[] {
  return words.flatMap(old => {
    if (random.below(1000) >= rate * 1000) return old;
    const kind = random.below(3);
    return kind === 0 ? word() : kind === 1 ? [] : [old, word()];
  });
}
