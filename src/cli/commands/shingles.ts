/** `neardup shingles`: documents → their words, shingles and hashes, as a table, as JSON, or the normalised text alone. */

import { inputOptionNames } from '../../batch/options.ts';
import type { Shingled } from '../../engine/calls/shingled.ts';
import { fail } from '../../errors.ts';
import { flagOf } from '../../options.ts';
import { alignColumns, count, printable } from '../../report/printable.ts';
import { command, inputArguments } from '../app/command.ts';
import { integerFlag, switchFlag } from '../app/flags.ts';

export const shinglesCommand = command({
  name: 'shingles',
  summary: 'show the normalised words of documents, their shingles and hashes',
  arguments: inputArguments,
  options: ['shingle', 'normalise', 'seed', ...inputOptionNames],
  flags: {
    nonOverlapping: switchFlag('shingles that do not overlap: each word is in one of them'),
    keepMod: integerFlag('M', 'only shingles whose hash is 0 modulo M', 1, 2 ** 32),
    text: switchFlag('only the normalised text, one line per document'),
    json: switchFlag('one JSON object per document: id, words, shingles, hashes'),
  },
  examples: [
    'neardup shingles speech.txt --shingle word:4',
    'neardup shingles page.html --normalise stopwords:en,stem:en --text',
    'neardup shingles corpus.jsonl --shingle char:9 --keep-mod 16 --json',
    'neardup shingles clicks.jsonl --set-field urls',
  ],
  async run(inputs, options, io) {
    const { nonOverlapping, keepMod, text, json } = options;
    requireTogether(options);
    const { sketcherWith } = await import('../../engine/sketcher.ts');
    const { shinglesOf } = await import('../../engine/calls/shingled.ts');
    const { hex64 } = await import('../../similarity/fingerprint.ts');
    const { readInputs } = await import('../input/read-inputs.ts');
    const { writeLines } = await import('../output/write-lines.ts');

    const sketcher = await sketcherWith(options, flagOf);
    const choice = { nonOverlapping: nonOverlapping ?? false, keepMod: keepMod ?? 1 };
    const { unit, size } = options.shingle;
    const name = options.setField === undefined ? `${unit}:${size} shingle` : 'element';
    await writeLines(io, async function* () {
      for await (const document of readInputs(inputs, options, io, { isPrinting: true })) {
        if (text) {
          yield sketcher.words(document.text ?? '').join(' ');
          continue;
        }
        const shingled = shinglesOf(sketcher, document, choice);
        const hashes = Array.from(shingled.hashes, hex64);
        const { words, shingles } = shingled;
        if (json) yield JSON.stringify({ id: document.id, words, shingles, hashes });
        else yield* table(document.id, shingled, hashes, name);
      }
    });
  },
});

function requireTogether(options: {
  text?: boolean;
  json?: boolean;
  nonOverlapping?: boolean;
  setField?: string;
}): void {
  if (options.text && options.json)
    fail('BAD_COMBINATION', { what: '--text with --json', why: 'one shows only the text, the other everything' });
  if (options.setField === undefined) return;
  if (options.text) fail('BAD_COMBINATION', { what: '--text with --set-field', why: 'a set has no text' });
  if (options.nonOverlapping)
    fail('BAD_COMBINATION', { what: '--non-overlapping with --set-field', why: 'elements of a set do not overlap' });
}

function table(id: string, { words, shingles }: Shingled, hashes: readonly string[], name: string): string[] {
  const isSet = name === 'element';
  const head = isSet ? count(shingles.length, name) : `${count(words.length, 'word')}, ${count(shingles.length, name)}`;
  return [
    `${printable(id)}: ${head}`,
    ...(isSet ? [] : [`  words  ${words.join(' ')}`.trimEnd()]),
    ...alignColumns(hashes.map((hash, at) => [`  ${hash}`, printable(shingles[at]!)])),
  ];
}
