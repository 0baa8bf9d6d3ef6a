/** `compare`, `shingles`, `sketch` and `checksum`, built and run as in a shell, and the same through the library. Long, as all of it shares one folder of inputs. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import * as neardupLibrary from '../src/index.ts';
import { compare, compareUsing, compareWithPassages, createSketcher, decodeSketch, shinglesOf } from '../src/index.ts';
import { sharedFolder } from './support/folder.ts';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const folder = sharedFolder();

const fishText =
  'Tropical fish include fish found in tropical environments around the world, including both freshwater and salt water species.';
const fishShingles = (
  'tropical fish include, fish include fish, include fish found, fish found in, found in tropical, in tropical environments, ' +
  'tropical environments around, environments around the, around the world, the world including, world including both, ' +
  'including both freshwater, both freshwater and, freshwater and salt, and salt water, salt water species'
).split(', ');

put('fish.txt', 'Tropical fish');
put('fish-text.txt', fishText);
put('rose.txt', 'a rose is a rose is a rose\n');
put('four.txt', 'Four score and seven years ago our founding\n');
put('empty.txt', '');
put('empty.jsonl', '');
put(
  'page.html',
  '<html><head><style>p { }</style><script>1 < 2</script></head><body><p>Connections &amp; <b>connected</b> fish</p></body></html>',
);
put('animals.jsonl', lines({ id: 'd1', set: ['mouse', 'dog'] }, { id: 'd2', set: ['cat', 'mouse'] }));
put('numbers.jsonl', lines({ id: 'A', set: [2, 4, 6] }, { id: 'B', set: [4, 5, 6] }));
put(
  'eighths.jsonl',
  lines({ id: 'a', set: [1, 2, 3, 4, 5], text: 'x' }, { id: 'b', set: ['3', '4', '5', 6, 7, 8], text: 'x' }),
);
put(
  'corpus.jsonl',
  lines({ id: 1, text: 'one two three' }, { id: 2, text: 'one two four' }, { id: 'x#y', text: 'one' }),
);
const speech = Array.from({ length: 300 }, (_, i) => `w${(i * i * 31) % 997}`);
put('long-a.txt', speech.join(' '));
put('long-b.txt', ['new', 'start', ...speech.slice(0, 250)].join('\n'));

describe('checksum', () => {
  test('gives 508 for "Tropical fish", and what other tools give', () => {
    const { status, stdout, stderr } = neardup('checksum', 'fish.txt', '--json');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const found = JSON.parse(stdout);
    expect(Object.keys(found)).toEqual(['id', 'byteSum', 'crc32', 'md5', 'signature']);
    expect(found).toMatchObject({
      id: 'fish.txt',
      byteSum: '508',
      crc32: '18f14f94',
      md5: '19556670d7c50bae6a81b0f1d7022500',
    });
    expect(found.signature).toMatch(/^[0-9a-f]{16}$/);
  });

  test('prints a table with the id last', () => {
    const [head, row] = neardup('checksum', 'fish.txt').stdout.split('\n');
    expect(head!.trim().split(/\s{2,}/)).toEqual(['byte sum', 'crc-32', 'md5', 'signature', 'id']);
    expect(row).toMatch(/^ +508 {2}18f14f94 {2}19556670d7c50bae6a81b0f1d7022500 {2}[0-9a-f]{16} {2}fish\.txt$/);
  });

  test('takes the bytes of a text file as they are, a byte-order mark and a broken byte included', () => {
    put('odd.txt', Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff]));
    expect(jsonOf('checksum', 'odd.txt', '--json')).toMatchObject({
      byteSum: (0xef + 0xbb + 0xbf + 0x61 + 0xff).toString(16),
    });
    put('packed.txt.gz', gzipSync('Tropical fish'));
    expect(jsonOf('checksum', 'packed.txt.gz', '--json')).toMatchObject({ byteSum: '508' });
  });

  test('gives a text field and a file with the same text the same signature', () => {
    put('fish.jsonl', lines({ id: 'f', text: 'Tropical fish' }));
    const { id: _, ...fromFile } = jsonOf('checksum', 'fish.txt', '--json');
    expect(jsonOf('checksum', 'fish.jsonl', '--json')).toEqual({ id: 'f', ...fromFile });
  });

  test('looks past case, punctuation and markup when it is of the normalised text', () => {
    put('shouted.txt', '  TROPICAL...   Fish!\n');
    put('tropical.html', '<p>Tropical <b>fish</b></p>');
    const all = jsonLinesOf('checksum', 'shouted.txt', 'tropical.html', 'fish.txt', '--normalised', '--json');
    expect(new Set(all.map(({ signature }) => signature)).size).toBe(1);
    expect(new Set(all.map(({ md5 }) => md5)).size).toBe(1);
  });

  test('of the seed depends the signature, and nothing else', () => {
    const [one, two] = [1, 2].map(seed => jsonOf('checksum', 'fish.txt', '--json', '--seed', String(seed)));
    expect(two.signature).not.toBe(one.signature);
    expect({ ...two, signature: one.signature }).toEqual(one);
  });
});

describe('shingles', () => {
  test.each([
    ['rose.txt', 4, ['a rose is a', 'rose is a rose', 'is a rose is']],
    [
      'four.txt',
      4,
      [
        'four score and seven',
        'score and seven years',
        'and seven years ago',
        'seven years ago our',
        'years ago our founding',
      ],
    ],
    ['fish-text.txt', 3, fishShingles],
  ])('of %s, %i words each, are those of the documents', (file, size, shingles) => {
    const found = jsonOf('shingles', file, '--shingle', `word:${size}`, '--json');
    expect(Object.keys(found)).toEqual(['id', 'words', 'shingles', 'hashes']);
    expect(found.shingles).toEqual(shingles);
    expect(found.hashes).toHaveLength(shingles.length);
    for (const hash of found.hashes) expect(hash).toMatch(/^[0-9a-f]{16}$/);
  });

  test('are shown to people with their words and hashes', () => {
    const shown = neardup('shingles', 'rose.txt', '--shingle', 'word:4').stdout.split('\n');
    expect(shown[0]).toBe('rose.txt: 8 words, 3 word:4 shingles');
    expect(shown[1]).toBe('  words  a rose is a rose is a rose');
    expect(shown[2]).toMatch(/^ {2}[0-9a-f]{16} {2}a rose is a$/);
  });

  test('can stand side by side', () => {
    const found = jsonOf('shingles', 'four.txt', '--shingle', 'word:4', '--non-overlapping', '--json');
    expect(found.shingles).toEqual(['four score and seven', 'years ago our founding']);
  });

  test('can be of characters', () => {
    const found = jsonOf('shingles', 'fish.txt', '--shingle', 'char:11', '--json');
    expect(found.shingles).toEqual(['tropical fi', 'ropical fis', 'opical fish']);
  });

  test('can be chosen by 0 mod m, the hashes with them', () => {
    const all = jsonOf('shingles', 'long-a.txt', '--json');
    const kept = jsonOf('shingles', 'long-a.txt', '--keep-mod', '16', '--json');
    const wanted = all.hashes.filter((hash: string) => BigInt(`0x${hash}`) % 16n === 0n);
    expect(wanted.length).toBeGreaterThan(5);
    expect(kept.hashes).toEqual(wanted);
    expect(kept.shingles).toEqual(all.shingles.filter((_: string, at: number) => wanted.includes(all.hashes[at])));
  });

  test('can be left out for the normalised text alone: page to text, stop words, stems', () => {
    expect(neardup('shingles', 'page.html', '--text').stdout).toBe('connections connected fish\n');
    expect(neardup('shingles', 'page.html', '--text', '--normalise', 'stem:en').stdout).toBe('connect connect fish\n');
    expect(neardup('shingles', 'four.txt', '--text', '--normalize', 'stopwords:en').stdout).not.toContain('and');
  });

  test('of a set are its elements', () => {
    const [first] = jsonLinesOf('shingles', 'animals.jsonl', '--set-field', 'set', '--json');
    expect(first).toEqual({
      id: 'd1',
      words: [],
      shingles: ['mouse', 'dog'],
      hashes: [expect.any(String), expect.any(String)],
    });
    const { stdout } = neardup('shingles', 'animals.jsonl', '--set-field', 'set');
    expect(stdout).toMatch(/^d1: 2 elements\n {2}[0-9a-f]{16} {2}mouse\n/);
  });

  test('of a text without words are none', () => {
    expect(jsonOf('shingles', 'empty.txt', '--json')).toEqual({ id: 'empty.txt', words: [], shingles: [], hashes: [] });
  });

  test('do not let a document speak to the terminal', () => {
    put('escape.jsonl', lines({ id: '\u001b[31mred\nline', text: 'a b' }));
    expect(neardup('shingles', 'escape.jsonl').stdout.split('\n')[0]).toBe(
      '\ufffd[31mred line: 2 words, 1 word:5 shingle',
    );
  });

  test('hash alike in the library', async () => {
    const sketcher = await createSketcher({ shingle: 'word:3' });
    const { shingles, hashes } = shinglesOf(sketcher, { text: fishText });
    expect(shingles).toEqual(fishShingles);
    expect([...hashes].sort()).toEqual([...sketcher.set(fishText)].sort());
  });
});

describe('sketch', () => {
  test('gives minima as numbers', () => {
    const found = jsonOf('sketch', 'four.txt', '--sketch', 'minhash:100');
    expect(Object.keys(found)).toEqual(['id', 'kind', 'size', 'shingle', 'normalise', 'seed', 'bits', 'values']);
    expect(found).toMatchObject({ id: 'four.txt', kind: 'minhash', size: 100, shingle: 'word:5', seed: 1, bits: 32 });
    expect(found.values).toHaveLength(100);
    for (const value of found.values) expect(Number.isInteger(value) && value >= 0 && value < 2 ** 32).toBe(true);
  });

  test('keeps one bit of each minimum, as the library does', async () => {
    const bits = jsonOf('sketch', 'four.txt', '--sketch', 'minhash:64', '--bits', '1');
    const sketcher = await createSketcher({ sketch: 'minhash:64', bits: 1 });
    expect(bits.bits).toBe(1);
    expect(bits.values).toEqual([...sketcher.sketch(readFileSync(join(folder, 'four.txt'), 'utf8')).values]);
    expect(new Set(bits.values)).toEqual(new Set([0, 1]));
  });

  test.each([
    ['bottom:10', 'bottom', 10],
    ['mod:2', 'mod', 2],
    ['mod:auto', 'mod', 2],
    ['super', 'super', 84],
    ['simhash', 'simhash', 64],
  ])('gives the 64-bit values of %s as 16 hex digits', (sketch, kind, size) => {
    const found = jsonOf('sketch', 'long-a.txt', '--sketch', sketch);
    expect(found).toMatchObject({ kind, size, elements: 296 });
    expect(found.values.length).toBeGreaterThan(0);
    for (const value of found.values) expect(value).toMatch(/^[0-9a-f]{16}$/);
    if (kind === 'mod') for (const value of found.values) expect(BigInt(`0x${value}`) % 2n).toBe(0n);
  });

  test('cuts super shingles down to a meta-sketch', () => {
    const all = jsonOf('sketch', 'long-a.txt', '--sketch', 'super');
    expect(jsonOf('sketch', 'long-a.txt', '--sketch', 'super', '--meta', '3').values).toEqual(all.values.slice(0, 3));
  });

  test('gives bytes that the library reads again', async () => {
    const { id, sketch, ...rest } = jsonOf('sketch', 'four.txt', '--sketch', 'minhash:32', '--bits', '4', '--binary');
    const sketcher = await createSketcher({ sketch: 'minhash:32', bits: 4 });
    const text = readFileSync(join(folder, 'four.txt'), 'utf8');
    expect({ id, rest }).toEqual({ id: 'four.txt', rest: {} });
    expect(decodeSketch(Buffer.from(sketch, 'base64'))).toEqual(sketcher.sketch(text));
  });

  test('finds the first element of each ordering: rounds 1 and 2', () => {
    const orderings = ['--ordering', 'cat,dog,mouse,banana', '--ordering', 'banana,mouse,cat,dog'];
    // The inputs may follow the flag: it takes one value each time.
    expect(jsonLinesOf('sketch', '--set-field', 'set', ...orderings, 'animals.jsonl')).toEqual([
      { id: 'd1', kind: 'ordering', size: 2, values: ['dog', 'mouse'] },
      { id: 'd2', kind: 'ordering', size: 2, values: ['cat', 'mouse'] },
    ]);
    expect(jsonLinesOf('sketch', 'animals.jsonl', '--set-field', 'set', '--ordering', 'cow,cat')[0].values).toEqual([
      null,
    ]);
  });

  test('permutes by a table: π₃', () => {
    const table = '2,4,3,1,7,6,5,0';
    expect(jsonLinesOf('sketch', 'numbers.jsonl', '--set-field', 'set', '--permutation', table)).toEqual([
      { id: 'A', kind: 'permutation', size: 8, permuted: [3, 5, 7], minimum: 3 },
      { id: 'B', kind: 'permutation', size: 8, permuted: [5, 6, 7], minimum: 5 },
    ]);
  });

  test('permutes 64-bit numbers by the black box BB(i, x)', () => {
    const found = jsonLinesOf('sketch', 'numbers.jsonl', '--set-field', 'set', '--black-box', '3', '--seed', '9');
    const { apply } = neardupLibrary.createPermutation(3, 9);
    const images = [2n, 4n, 6n].map(x => apply(x).toString(16).padStart(16, '0')).sort();
    expect(found[0]).toEqual({
      id: 'A',
      kind: 'black-box',
      size: 1,
      index: 3,
      seed: 9,
      permuted: images,
      minimum: images[0],
    });
  });

  test('notes a set that cannot be permuted, and goes on', () => {
    put('mixed.jsonl', lines({ id: 'A', set: [9] }, { id: 'B', set: ['x'] }, { id: 'C', set: [0] }));
    const { status, stdout, stderr } = neardup('sketch', 'mixed.jsonl', '--set-field', 'set', '--permutation', '1,0');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ id: 'C', permuted: [1] });
    expect(stderr).toMatch(/^mixed\.jsonl:1: 9 is not .+\nmixed\.jsonl:2: "x" is not .+\n$/);
  });

  test('writes JSON lines, compressed ones and Parquet', async () => {
    const options = ['--set-field', 'set', '--sketch', 'minhash:4'];
    const wanted = neardup('sketch', 'animals.jsonl', ...options).stdout;
    const { stdout, stderr } = neardup('sketch', 'animals.jsonl', ...options, '-o', 'out.jsonl');
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '2 sketches written to out.jsonl\n' });
    expect(readFileSync(join(folder, 'out.jsonl'), 'utf8')).toBe(wanted);

    expect(neardup('sketch', 'animals.jsonl', ...options, '-o', 'out.jsonl.gz').status).toBe(0);
    expect(gunzipSync(readFileSync(join(folder, 'out.jsonl.gz'))).toString()).toBe(wanted);

    expect(neardup('sketch', 'animals.jsonl', ...options, '-o', 'out.parquet').status).toBe(0);
    const again = jsonLinesOf('shingles', 'out.parquet', '--set-field', 'values', '--json');
    const values = wanted
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).values.map(String));
    expect(again.map(({ shingles }) => shingles)).toEqual(values.map((list: string[]) => [...new Set(list)]));
  });
});

describe('compare', () => {
  test('prints exactly the measures, unrounded', () => {
    const { status, stdout, stderr } = neardup('compare', 'long-a.txt', 'long-b.txt', '--json');
    const found = JSON.parse(stdout);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(Object.keys(found)).toEqual([
      'resemblance',
      'containmentAB',
      'containmentBA',
      'dice',
      'overlap',
      'editSimilarity',
      'estimated',
    ]);
    expect(Object.keys(found.estimated)).toEqual(['resemblance', 'standardError']);
    // 296 and 248 shingles, 246 in both: two words were put before, fifty cut off.
    expect(found).toMatchObject({
      resemblance: 246 / 298,
      containmentAB: 246 / 296,
      containmentBA: 246 / 248,
      dice: 492 / 544,
      overlap: 246 / 248,
    });
    const { resemblance, standardError } = found.estimated;
    expect(Math.abs(resemblance - 246 / 298)).toBeLessThan(4 * standardError);
  });

  test('agrees with the library', async () => {
    const [a, b] = ['long-a.txt', 'long-b.txt'].map(file => readFileSync(join(folder, file), 'utf8')) as [
      string,
      string,
    ];
    expect(jsonOf('compare', 'long-a.txt', 'long-b.txt', '--json')).toEqual(await compare(a, { text: b }));
  });

  test('finds 3/8 of two sets, by id, with no edit similarity, and takes the set where there is a text too', () => {
    const found = jsonOf('compare', 'eighths.jsonl#a', 'eighths.jsonl#b', '--set-field', 'set', '--json');
    expect(found).toMatchObject({
      resemblance: 3 / 8,
      containmentAB: 3 / 5,
      containmentBA: 1 / 2,
      dice: 6 / 11,
      overlap: 3 / 5,
      editSimilarity: null,
    });
  });

  test('estimates cosine by simhash, containment by mod, and nothing by super or an empty sample', () => {
    const estimate = (sketch: string) =>
      jsonOf('compare', 'long-a.txt', 'long-b.txt', '--sketch', sketch, '--json').estimated;
    expect(Object.keys(estimate('simhash'))).toEqual(['cosine', 'standardError']);
    expect(Object.keys(estimate('mod:2'))).toEqual([
      'resemblance',
      'standardError',
      'containmentAB',
      'standardErrorAB',
      'containmentBA',
      'standardErrorBA',
    ]);
    expect(estimate('mod:1')).toMatchObject({ resemblance: 246 / 298, standardError: 0, containmentAB: 246 / 296 });
    expect(estimate('super')).toBeNull();
    expect(estimate('mod:2147483648')).toBeNull();
  });

  test('shows people a table and the shared passages', () => {
    const { stdout } = neardup('compare', 'long-a.txt', 'long-b.txt');
    expect(stdout).toMatch(/^A {2}long-a\.txt {2}\(296 shingles\)\nB {2}long-b\.txt {2}\(248 shingles\)\n/);
    expect(stdout).toMatch(/\nresemblance +0\.8255 {2}0\.\d{4} ± 0\.\d{4}\n/);
    expect(stdout).toMatch(/\nsketches minhash:128: \d+ of 128 values equal\n/);
    expect(stdout).toMatch(/\n1 shared passage \(lines in A and B\)\n {2}A:1 {2}B:3 {2}\d+ characters {2}w0 w31 /);
  });

  test('says whether enough minima are equal, when asked', () => {
    const of = ['--sketch', 'minhash:100', '--matches'];
    expect(jsonOf('compare', 'four.txt', 'four.txt', ...of, '90', '--json').similar).toBe(true);
    expect(jsonOf('compare', 'four.txt', 'rose.txt', ...of, '90', '--json').similar).toBe(false);
    expect(neardup('compare', 'four.txt', 'four.txt', ...of, '100').stdout).toMatch(/\nsimilar: at least 100 minima/);
  });

  test('writes the page, and says where', () => {
    const { status, stderr } = neardup('compare', 'long-a.txt', 'long-b.txt', '--html', 'page-out.html');
    expect({ status, stderr }).toEqual({ status: 0, stderr: 'page written to page-out.html\n' });
    const page = readFileSync(join(folder, 'page-out.html'), 'utf8');
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain('long-a.txt');
  });

  test('reads HTML in text fields when --html says always', () => {
    put('markup.jsonl', lines({ id: 'a', text: '<p>one <i>two</i> three</p>' }, { id: 'b', text: 'one two three' }));
    const found = jsonOf('compare', 'markup.jsonl#a', 'markup.jsonl#b', '--html', 'always', '--json');
    expect(found).toMatchObject({ resemblance: 1, editSimilarity: 1 });
  });

  test('takes an id with a # in it, and both documents from standard input', () => {
    expect(jsonOf('compare', 'corpus.jsonl#x#y', 'corpus.jsonl#x#y', '--json').resemblance).toBe(1);
    const input = readFileSync(join(folder, 'corpus.jsonl'), 'utf8');
    const { stdout } = neardupWith(input, 'compare', '--shingle', 'word:1', '--json', '--', '-#1', '-#2');
    expect(JSON.parse(stdout)).toMatchObject({ resemblance: 2 / 4 });
  });

  test('notes a document without words, which only an equal text resembles', () => {
    const { stdout, stderr } = neardup('compare', 'empty.txt', 'empty.txt', '--json');
    expect(JSON.parse(stdout)).toEqual({
      ...{ resemblance: 1, containmentAB: 1, containmentBA: 1, dice: 1, overlap: 1, editSimilarity: 1 },
      estimated: { resemblance: 1, standardError: 0 },
    });
    expect(stderr).toContain('empty.txt has no words: only an equal text resembles it\n');
  });
});

describe('compare in the library', () => {
  test('takes texts, documents and lists of elements', async () => {
    const columns = await compare([1, 2, 3], { set: ['2', '3', 4, 5] });
    expect(columns).toMatchObject({ resemblance: 0.4, editSimilarity: null });
    expect(await compare('same', { text: 'Same!' })).toMatchObject({ resemblance: 1, editSimilarity: 1 });
  });

  test('finds equal texts without words and empty sets alike, and other texts without words not', async () => {
    expect(await compare('?!', '?!')).toMatchObject({ resemblance: 1, containmentAB: 1, editSimilarity: 1 });
    expect(await compare('?!', '!?')).toMatchObject({ resemblance: 0, containmentAB: 0, editSimilarity: 0 });
    expect(await compare('', 'word')).toMatchObject({ resemblance: 0, editSimilarity: 0 });
    expect(await compare([], { set: [] })).toMatchObject({ resemblance: 1, overlap: 1, editSimilarity: null });
    expect((await compare('', '', { sketch: 'simhash' })).estimated).toMatchObject({ cosine: 1 });
  });

  test('finds edit similarity over words joined by single spaces', async () => {
    const { editSimilarity } = await compare('ab,  cd', 'AB ce');
    expect(editSimilarity).toBe(1 - 1 / 5);
  });

  test('gives the passages as ranges of the texts as they came; sets have none', async () => {
    const [a, b] = ['Xx. One, two three four  FIVE six', 'one two three four five six!'];
    const { passages } = await compareWithPassages(a, b);
    expect(passages.map(({ a: [start, end] }) => a.slice(start, end))).toEqual(['One, two three four  FIVE six']);
    expect((await compareWithPassages(['x'], ['x'])).passages).toEqual([]);
  });

  test('leaves out an edit similarity that would take longer than allowed', async () => {
    const sketcher = await createSketcher();
    expect(compareUsing(sketcher, 'one two', 'one three', { maxEditCells: 10 }).editSimilarity).toBeNull();
    expect(compareUsing(sketcher, 'one two', 'one three', { maxEditCells: 100 }).editSimilarity).toBeGreaterThan(0);
  });

  test('refuses a text with a set, and what is neither', async () => {
    await expect(compare('a', ['a'])).rejects.toMatchObject({ code: 'BAD_DOCUMENT' });
    await expect(compare('a', {})).rejects.toMatchObject({ code: 'BAD_DOCUMENT' });
    await expect(compare('a', 'b', { sketch: 'minhash:0' })).rejects.toMatchObject({ code: 'BAD_OPTION' });
  });
});

describe('bad input', () => {
  put(
    'bad.jsonl',
    `{"id":1,"text":"one"}\n{"id":2,"text":5}\nnot json\n\n{"id":1,"text":"again"}\n[]\n{"id":6,"text":"six"}\n`,
  );
  const notes = ['bad.jsonl:2: text is not a string', 'bad.jsonl:3: not JSON', 'bad.jsonl:6: not an object'];

  test.each(['shingles', 'sketch', 'checksum'])('%s notes each reject by file and line, and goes on', command => {
    const { status, stdout, stderr } = neardup(command, 'bad.jsonl', ...(command === 'sketch' ? [] : ['--json']));
    expect(status).toBe(0);
    expect(
      stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).id),
    ).toEqual(['1', 'bad.jsonl:5', '6']);
    expect(stderr.trim().split('\n')).toEqual(notes);
  });

  test('is one line when it is to be quiet, and fails the run when it is to be strict', () => {
    const line = 'neardup: 3 lines rejected (first: bad.jsonl:2: text is not a string)\n';
    expect(neardup('checksum', 'bad.jsonl', '--quiet').stderr).toBe(line);
    expect(neardup('checksum', 'bad.jsonl', '--strict')).toMatchObject({
      status: 1,
      stderr: 'neardup: bad.jsonl:2: text is not a string\n',
    });
  });

  test('is counted past the first twenty', () => {
    put('worse.jsonl', `{"text":"one"}\n${'x\n'.repeat(50)}`);
    const noted = neardup('shingles', 'worse.jsonl').stderr.trim().split('\n');
    expect(noted).toHaveLength(21);
    expect(noted.at(-1)).toBe('… and 30 more rejects');
  });

  put('table.csv', 'id,text\n1,one\n');
  put('numbers-only.jsonl', lines({ id: 1, text: 1 }));
  put('words.jsonl', lines({ id: 'w', set: ['x'] }));
  mkdirSync(join(folder, 'nothing'));
  put('unknown.xyz', 'x');

  test.each([
    [
      ['shingles', 'corpus.jsonl', '--text-field', 'body'],
      'corpus.jsonl: no document has a field "body"; fields seen: id, text',
    ],
    [
      ['sketch', 'animals.jsonl', '--set-field', 'terms'],
      'animals.jsonl: no document has a field "terms"; fields seen: id, set',
    ],
    [['checksum', 'table.csv', '--text-field', 'body'], 'table.csv:1: text missing: no column "body" among id, text'],
    [['shingles', 'numbers-only.jsonl'], 'numbers-only.jsonl:1: text is not a string'],
    [['shingles', 'empty.jsonl'], 'empty.jsonl: no document in it'],
    [['shingles', 'missing.txt'], 'cannot read missing.txt: no such file or folder'],
    [['compare', 'missing.jsonl#1', 'rose.txt'], 'cannot read missing.jsonl: no such file or folder'],
    [
      ['compare', 'corpus.jsonl', 'rose.txt'],
      'corpus.jsonl: more than one document in it; say which, as in corpus.jsonl#1',
    ],
    [['compare', 'corpus.jsonl#7', 'rose.txt'], 'corpus.jsonl: no document has the id "7"; the first ids: 1, 2, x#y'],
    [
      ['compare', 'rose.txt', 'four.txt', '--html', 'no/where.html'],
      'cannot write no/where.html: no such file or folder',
    ],
    [['sketch', 'rose.txt', '-o', 'no/where.jsonl'], 'cannot write no/where.jsonl: no such file or folder'],
  ])('neardup %j fails with one line and code 1', (args, line) => {
    expect(neardup(...args)).toEqual({ status: 1, stdout: '', stderr: `neardup: ${line}\n` });
  });

  test('leaves no output file behind when nothing could be read', () => {
    expect(neardup('sketch', 'empty.jsonl', '-o', 'none.jsonl').status).toBe(1);
    expect(() => readFileSync(join(folder, 'none.jsonl'))).toThrow();
    expect(
      neardup('sketch', 'words.jsonl', '--set-field', 'set', '--permutation', '1,0', '-o', 'none.jsonl'),
    ).toMatchObject({
      status: 1,
      stderr: 'words.jsonl:1: "x" is not a whole number of at most 64 bits\n',
    });
    expect(() => readFileSync(join(folder, 'none.jsonl'))).toThrow();
  });

  test.each([
    [['shingles', 'nothing'], /^neardup: cannot read nothing: the folder holds no file with a known ending/],
    [['shingles', 'unknown.xyz'], /^neardup: unknown\.xyz: the ending tells no format/],
  ])('neardup %j says what it looked for', (args, line) => {
    const { status, stderr } = neardup(...args);
    expect(status).toBe(1);
    expect(stderr).toMatch(line);
  });
});

describe('wrong usage', () => {
  test.each([
    [['shingles'], "missing required argument 'inputs'"],
    [['compare', 'rose.txt'], "missing required argument 'b'"],
    [
      ['shingles', 'rose.txt', '--shingle', 'word'],
      '--shingle must be word:K or char:K with K from 1 to 1000, got "word"',
    ],
    [['shingles', 'rose.txt', '--keep-mod', '0'], '--keep-mod must be a whole number between 1 and 4294967296, got 0'],
    [['shingles', 'rose.txt', '--text', '--json'], '--text with --json: one shows only the text, the other everything'],
    [['shingles', 'a.jsonl', '--set-field', 's', '--text'], '--text with --set-field: a set has no text'],
    [
      ['checksum', 'rose.txt', '--normalise', 'nfc'],
      '--normalise without --normalised: the bytes are taken as they are; add --normalised',
    ],
    [['checksum', 'rose.txt', '--normalized'], "unknown option '--normalized' (Did you mean --normalised?)"],
    [
      ['sketch', 'rose.txt', '-o', 'x.csv'],
      '--output must be a name that ends in .jsonl, .jsonl.gz, .jsonl.zst or .parquet, got "x.csv"',
    ],
    [
      ['sketch', 'rose.txt', '--bits', '1', '--sketch', 'oph'],
      '--bits with --sketch oph: only minima of minhash have a b-bit form',
    ],
    [['sketch', 'rose.txt', '--meta', '2'], '--meta without --sketch super: a meta-sketch is made of super shingles'],
    [['sketch', 'rose.txt', '--ordering', 'a,b'], '--ordering without --set-field: it permutes the elements of sets'],
    [
      ['sketch', 'a', '--set-field', 's', '--ordering', 'a,a'],
      '--ordering must be a list that names each element once, such as cat,dog, got "a,a"',
    ],
    [
      ['sketch', 'a', '--set-field', 's', '--permutation', '1,1,0'],
      '--permutation must be each of 0 to 2 once, as there are 3 numbers, got "1,1,0"',
    ],
    [
      ['compare', 'a', 'b', '--set-field', 's', '--html', 'x.html'],
      '--html with --set-field: sets have no text to show side by side',
    ],
    [
      ['compare', 'a', 'b', '--sketch', 'minhash:100', '--matches', '101'],
      '--matches 101: the sketch has only 100 minima',
    ],
    [
      ['compare', 'a', 'b', '--sketch', 'oph', '--matches', '9'],
      '--matches: it counts equal minima: it needs --sketch minhash, all bits kept',
    ],
  ])('neardup %j is refused with one line and code 2, before anything is read', (args, line) => {
    expect(neardup(...args)).toEqual({ status: 2, stdout: '', stderr: `neardup: ${line}\n` });
  });
});

test('the library has what the rows of the mission need, by name', () => {
  const names = [
    ...['createSketcher', 'compare', 'tune', 'createPermutation', 'permuteByTable', 'firstInOrdering'],
    ...['encodeSketch', 'decodeSketch', 'estimateResemblance', 'estimateContainment', 'estimateCosine'],
    ...['byteSum', 'crc32', 'md5', 'checksumsOf', 'fingerprintsOf', 'htmlToText', 'loadNormaliser', 'shingleTexts'],
    ...['bandKeys', 'selectionKeys', 'bandCurve', 'matchCurve', 'createInvertedIndex', 'createHammingIndex'],
    ...['metaSketch', 'superShingles', 'coarsen', 'modulusFor', 'keepBits', 'agreesInAtLeast', 'NeardupError'],
  ];
  const missing = names.filter(name => typeof (neardupLibrary as Record<string, unknown>)[name] !== 'function');
  expect(missing).toEqual([]);
});

function put(name: string, content: string | Uint8Array): void {
  writeFileSync(join(folder, name), content);
}

function lines(...records: object[]): string {
  return records.map(record => `${JSON.stringify(record)}\n`).join('');
}

function neardup(...args: string[]) {
  return neardupWith('', ...args);
}

function neardupWith(input: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    cwd: folder,
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

// biome-ignore lint/suspicious/noExplicitAny: what it is is what the tests look at
function jsonLinesOf(...args: string[]): any[] {
  const { stdout, stderr } = neardup(...args);
  expect(stderr).toBe('');
  return stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function jsonOf(...args: string[]): any {
  const [first, ...more] = jsonLinesOf(...args);
  expect(more).toEqual([]);
  return first;
}
