/**
 * A seed → a corpus of JSON lines: documents of about 2 KB made of real sentences, a share of them near-copies of others
 * (edit rates 0 to 15 %, clusters of 2 to 21 and one of 300), in random order.
 *
 *   npx tsx bench/make-corpus.ts OUT [--documents N] [--copies 0.3] [--script latin|cyrillic|chinese] [--seed 1]
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createRandom, type Random } from './random.ts';
import { createSentences, type Script } from './sentences.ts';

export interface CorpusPlan {
  readonly documents: number;
  /** Share of the documents that are near-copies of another. */
  readonly copies: number;
  readonly script: Script;
  readonly seed: number;
}

const DOCUMENT_LENGTH = 2000;
const LARGEST_CLUSTER = 300;
const FLUSH = 1 << 20;

export function makeCorpus(path: string, { documents, copies, script, seed }: CorpusPlan): void {
  const random = createRandom(seed);
  const sentence = createSentences(script, random);
  const sizes = clusterSizes(documents, copies, random);
  const file = openSync(path, 'w');
  let buffer = '';
  let number = 0;
  const write = (words: readonly string[]) => {
    buffer += `${JSON.stringify({ id: `d${number++}`, text: words.join(' ') })}\n`;
    if (buffer.length > FLUSH) {
      writeSync(file, buffer);
      buffer = '';
    }
  };
  // Copies wait in a pool and come out at random, so that a cluster is spread over the file.
  const pool: string[][] = [];
  for (const size of sizes) {
    const original = composeDocument(sentence, script, random);
    write(original);
    for (let copy = 1; copy < size; copy++) pool.push(edited(original, random.below(16) / 100, sentence, random));
    while (pool.length > 2000) write(takeAny(pool, random));
  }
  while (pool.length > 0) write(takeAny(pool, random));
  writeSync(file, buffer);
  closeSync(file);
}

/** How many documents each original stands for, itself included; `copies` of all are not originals. */
function clusterSizes(documents: number, copies: number, random: Random): number[] {
  const sizes: number[] = [];
  let copiesLeft = Math.round(documents * copies);
  let left = documents;
  const open = (size: number) => {
    sizes.push(size);
    left -= size;
    copiesLeft -= size - 1;
  };
  if (copiesLeft >= LARGEST_CLUSTER) open(LARGEST_CLUSTER);
  while (copiesLeft > 0) open(Math.min(2 + random.below(random.below(20) + 1), copiesLeft + 1));
  while (left > 0) open(1);
  for (let i = sizes.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [sizes[i], sizes[j]] = [sizes[j]!, sizes[i]!];
  }
  return sizes;
}

function composeDocument(sentence: () => string, script: Script, random: Random): string[] {
  const wanted =
    (DOCUMENT_LENGTH / (script === 'latin' ? 1 : script === 'cyrillic' ? 2 : 3)) * (0.5 + random.below(1000) / 1000);
  const words: string[] = [];
  for (let length = 0; length < wanted; ) {
    const text = sentence();
    length += text.length + 1;
    words.push(...text.split(' '));
  }
  return words;
}

/** Words replaced, dropped and put in, at the given rate. */
function edited(words: readonly string[], rate: number, sentence: () => string, random: Random): string[] {
  const edits = Math.round(words.length * rate);
  const copy = [...words];
  for (let i = 0; i < edits; i++) {
    const place = random.below(copy.length);
    const kind = random.below(3);
    const word = random.pick(sentence().split(' '));
    if (kind === 0) copy[place] = word;
    else if (kind === 1) copy.splice(place, 1);
    else copy.splice(place, 0, word);
  }
  return copy;
}

function takeAny(pool: string[][], random: Random): string[] {
  const place = random.below(pool.length);
  const taken = pool[place]!;
  pool[place] = pool.at(-1)!;
  pool.pop();
  return taken;
}

if (process.argv[1]?.endsWith('make-corpus.ts')) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      documents: { type: 'string', default: '50000' },
      copies: { type: 'string', default: '0.3' },
      script: { type: 'string', default: 'latin' },
      seed: { type: 'string', default: '1' },
    },
  });
  makeCorpus(positionals[0]!, {
    documents: Number(values.documents),
    copies: Number(values.copies),
    script: values.script as Script,
    seed: Number(values.seed),
  });
}
