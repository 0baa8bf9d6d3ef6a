import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatRecord, parseRecord } from './csv/csv-fields.ts';
import { CsvSplitter } from './csv/csv-records.ts';
import { JsonArraySplitter } from './json/json-array.ts';
import { LineSplitter } from './json/lines.ts';
import type { Splitter } from './splitter.ts';

const NO_LIMIT = Number.POSITIVE_INFINITY;

/** Feeds the text in chunks cut at the given places, and gives the records as text. */
function split(splitter: Splitter, text: string, cuts: readonly number[] = []) {
  const bytes = Buffer.from(text);
  const places = [0, ...cuts.map(cut => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const records = places.slice(1).flatMap((end, index) => splitter.push(bytes.subarray(places[index], end)));
  const { records: last, problem } = splitter.end();
  const all = [...records, ...last];
  return {
    texts: all.map(record => record.bytes && Buffer.from(record.bytes).toString()),
    lines: all.map(record => record.line),
    problem,
  };
}

const cuts = fc.array(fc.nat(1000), { maxLength: 8 });

test('lines come out as they went in, wherever the chunks are cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' }).map(line => line.replaceAll('\n', '·'))),
      cuts,
      (lines, at) => {
        const { texts, lines: numbers } = split(
          new LineSplitter(NO_LIMIT),
          lines.map(line => `${line}\n`).join(''),
          at,
        );
        expect(texts).toEqual(lines);
        expect(numbers).toEqual(lines.map((_, index) => index + 1));
      },
    ),
  );
});

test('a last line without a newline is a line, and a carriage return stays', () => {
  expect(split(new LineSplitter(NO_LIMIT), 'a\r\n\nb').texts).toEqual(['a\r', '', 'b']);
});

test('a line past the limit comes out without its bytes, and is not held', () => {
  fc.assert(
    fc.property(cuts, at => {
      expect(split(new LineSplitter(4), 'four\nfive5\nsix\nseven77', at).texts).toEqual([
        'four',
        undefined,
        'six',
        undefined,
      ]);
    }),
  );
  const splitter = new LineSplitter(1000);
  const chunk = new Uint8Array(2 ** 20).fill(97);
  const before = process.memoryUsage().arrayBuffers;
  for (let count = 0; count < 200; count++) splitter.push(chunk.slice());
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(150 * 2 ** 20);
  expect(splitter.end().records).toEqual([{ line: 1, bytes: undefined }]);
});

test('the elements of a JSON array come out as they were written, wherever the chunks are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.boolean(), cuts, (values, isPretty, at) => {
      const { texts, lines, problem } = split(
        new JsonArraySplitter(NO_LIMIT),
        JSON.stringify(values, null, isPretty ? 2 : 0),
        at,
      );
      expect(texts.map(text => JSON.parse(text!))).toEqual(JSON.parse(JSON.stringify(values)));
      expect(lines).toEqual(values.map((_, index) => index + 1));
      expect(problem).toBeUndefined();
    }),
  );
});

test('what is wrong with a JSON array is named, and the elements before it are given', () => {
  const read = (text: string, limit = NO_LIMIT) => split(new JsonArraySplitter(limit), text);
  expect(read('[{"a":1},{"b":').problem).toEqual({ line: 2, reason: 'cut off: the JSON array is never closed' });
  expect(read('[{"a":1},{"b":').texts).toEqual(['{"a":1}']);
  expect(read('{"a":1}').problem?.reason).toMatch(/not a JSON array/);
  expect(read('[1] 2').problem?.reason).toMatch(/something follows/);
  expect(read(' ').problem).toBeUndefined();
  expect(read('["long enough", 1]', 5).texts).toEqual([undefined, '1']);
});

const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\t', '\n', '\r', ' ', '漢') });

test('what is written as CSV is read back, wherever the chunks are cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 1, maxLength: 4 })),
      fc.constantFrom(',', '\t'),
      cuts,
      (rows, by, at) => {
        const text = rows.map(row => `${formatRecord(row, by)}\n`).join('');
        const { texts } = split(new CsvSplitter(NO_LIMIT, by), text, at);
        expect(texts.map(record => parseRecord(record!, by))).toEqual(rows);
      },
    ),
  );
});

test('CSV records are numbered by the line they begin on', () => {
  expect(split(new CsvSplitter(NO_LIMIT, ','), 'a,b\n"x\ny",1\nz,2').lines).toEqual([1, 2, 4]);
});

test('a quote inside a plain field is a quote, and text after a closing quote is kept', () => {
  expect(split(new CsvSplitter(NO_LIMIT, ','), '5" disk,b\nc,d').texts).toEqual(['5" disk,b', 'c,d']);
  expect(parseRecord('5" disk,"a""b" c,', ',')).toEqual(['5" disk', 'a"b c', '']);
});

test('a quoted field that is never closed is named', () => {
  const { texts, problem } = split(new CsvSplitter(NO_LIMIT, ','), 'a\n"b\nc');
  expect(texts).toEqual(['a']);
  expect(problem).toEqual({ line: 2, reason: 'a quoted field is never closed' });
});
