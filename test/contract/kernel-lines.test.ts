/** JSONL scanning: what JSON.parse reads, the kernel reads; what it refuses, the kernel refuses. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Kernel, LineRecord } from '../../src/kernel/contract.ts';
import { createKernel } from '../../src/kernel/wasm-kernel.ts';
import { ReferenceKernel } from '../support/reference-kernel.ts';
import { randomText } from '../support/texts.ts';

const options = { shingle: { unit: 'word', size: 3 }, keepCase: false, seed: 7, hashes: 12 } as const;
const fields = { text: 'text', id: 'id' };
const encoder = new TextEncoder();
let fast: Kernel;
const slow = new ReferenceKernel(options);
beforeAll(async () => {
  fast = await createKernel(options);
});

function expectEqual(source: string | Uint8Array, last = true): void {
  const bytes = typeof source === 'string' ? encoder.encode(source) : source;
  for (const sketch of ['minhash', 'oph', 'none'] as const) {
    const got = fast.readLines(bytes, last, fields, sketch);
    const want = slow.readLines(bytes, last, fields, sketch);
    expect({ ...got, records: got.records.map(withoutIdPlace) }).toEqual({
      ...want,
      records: want.records.map(withoutIdPlace),
    });
  }
}

const withoutIdPlace = ({ idStart: _start, idEnd: _end, ...record }: LineRecord) => record;

/** JSON with every way to write a string: escapes of all kinds where they are not needed. */
function spell(value: unknown, pick: () => number): string {
  const space = () => ['', '', ' ', '\t', ' \r '][pick() % 5]!;
  if (typeof value === 'string')
    return `"${Array.from({ length: value.length }, (_, i) => spellUnit(value, i, pick)).join('')}"`;
  if (Array.isArray(value))
    return `[${space()}${value.map(item => spell(item, pick)).join(`${space()},${space()}`)}${space()}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([key, item]) => `${spell(key, pick)}${space()}:${space()}${spell(item, pick)}`,
    );
    return `{${space()}${members.join(`${space()},${space()}`)}${space()}}`;
  }
  return JSON.stringify(value);
}

function spellUnit(text: string, i: number, pick: () => number): string {
  const unit = text[i]!;
  const code = text.charCodeAt(i);
  const short = JSON.stringify(unit).slice(1, -1);
  const isHalf = code >= 0xd800 && code <= 0xdfff;
  if (pick() % 4 === 0 || (isHalf && pick() % 2 === 0)) return `\\u${code.toString(16).padStart(4, '0')}`;
  if (unit === '/' && pick() % 2 === 0) return '\\/';
  return isHalf ? unit : short;
}

const anyObject = fc.dictionary(
  fc.oneof(fc.constantFrom('text', 'id', 'te', 'textt', '', '__proto__', 'x'), fc.string({ unit: 'grapheme' })),
  fc.oneof({ weight: 3, arbitrary: randomText }, fc.jsonValue({ maxDepth: 4 })),
);

describe('the line scanner agrees with JSON.parse on', () => {
  test('random objects in random spellings', () => {
    fc.assert(
      fc.property(
        fc.array(anyObject, { maxLength: 4 }),
        fc.array(fc.nat(), { minLength: 50, maxLength: 50 }),
        (objects, choices) => {
          let i = 0;
          const pick = () => choices[i++ % choices.length]!;
          expectEqual(objects.map(object => spell(object, pick)).join('\n'));
        },
      ),
      { numRuns: 400 },
    );
  });

  test('lines with any byte changed', () => {
    const line =
      '{"id": 12, "a":[1,-0.5e+3,{"b":[true,false,null,"\\u0041\\n"]}], "text":"Caf\\u00e9 au lait \\ud83d\\ude00 — ok"}';
    const bytes = encoder.encode(line);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), fc.boolean(), (place, byte, drop) => {
        const changed = drop
          ? Uint8Array.from([...bytes.subarray(0, place), ...bytes.subarray(place + 1)])
          : bytes.slice();
        if (!drop) changed[place] = byte;
        expectEqual(changed);
      }),
      { numRuns: 3000 },
    );
  });

  test('lines cut off anywhere', () => {
    const line = '{"id":"x","list":[[],{},[1,[2]],{"k":{}}],"text":"a \\"quoted\\" \\\\ word \\u00e9","n":-1.5E-7}';
    for (let length = 0; length <= line.length; length++) expectEqual(line.slice(0, length));
  });

  test.each([
    '',
    '\n\n \t\r\n',
    '{}',
    '[]',
    'null',
    '"text"',
    '12',
    '{"text":"a"}{"text":"b"}',
    '{"text":"a"} x',
    '{"text":"a",}',
    '{,"text":"a"}',
    '{"text":}',
    '{"text" "a"}',
    '{"text":"a""id":1}',
    '{text:"a"}',
    "{'text':'a'}",
    '{"text":"tab\there"}',
    '{"text":"bad \\x escape"}',
    '{"text":"bad \\u12g4"}',
    '{"text":"lone \\ud800 and \\udc00 and \\ud800\\ud800\\udc00 end"}',
    '{"text":"\\ud83d\\ude00 pair \\uD83D\\uDE00"}',
    '{"te\\u0078t":"escaped name","\\u0069d":"x"}',
    '{"text":"first","text":"the last counts"}',
    '{"text":"first","text":5}',
    '{"text":5,"text":"the last counts"}',
    '{"a":{"text":"nested does not count"},"text":"top"}',
    '{"a":[{"text":"nested"}]}',
    '{"text":01}',
    '{"text":-}',
    '{"text":1.}',
    '{"text":.5}',
    '{"text":1e}',
    '{"text":+1}',
    '{"text":tru}',
    '{"text":nulll}',
    '{"text":[1,2}',
    '{"text":{"a":1]}',
    '{"text":[1 2]}',
    '{"text":[,1]}',
    '{"text":[1,]}',
    '{"text":{"a"}}',
    '{"id":1e2,"text":"number id"}',
    '{"id":null,"text":"null id"}',
    '{"text":""}',
    '\ufeff{"text":"a mark of order is not JSON"}',
  ])('%j', source => {
    expectEqual(source);
    expectEqual(`${source}\n{"id":"next","text":"the next line stands"}\n`);
  });

  test('a line without its end waits for more, unless it is the last', () => {
    expectEqual('{"text":"one"}\n{"text":"two"', false);
    expectEqual('{"text":"one"}\n{"text":"two"}', false);
    expectEqual('{"text":"one"}\n{"text":"two"}', true);
  });

  test('more lines than one call of the kernel holds', () => {
    const lines = Array.from({ length: 2000 }, (_, i) =>
      i % 7 === 0 ? '' : JSON.stringify({ id: i, text: `line number ${i} of many` }),
    );
    expectEqual(lines.join('\n'));
  });

  test('texts of boundary lengths', () => {
    for (const length of [0, 1, 14, 15, 16, 17, 31, 32, 33, 8180, 8191, 8192, 8193, 20_000]) {
      for (const letter of ['a', '\\n', '\\u00e9', 'é', '中', '\\ud83d\\ude00'])
        expectEqual(`{"text":"${letter.repeat(length)}"}`);
    }
  });
});

test('the place of an id is told', () => {
  const line = '{"text":"t","id":"a\\u0062c"}\n{"id":-1.50,"text":"t"}\n';
  const bytes = encoder.encode(line);
  const { records } = fast.readLines(bytes, true, fields, 'none');
  const ids = records.map(({ idStart, idEnd }) => line.slice(idStart, idEnd));
  expect(ids).toEqual(['a\\u0062c', '-1.50']);
});

test('nesting past 500 levels is told as such, up to it it is fine', () => {
  const nested = (depth: number) => encoder.encode(`{"a":${'['.repeat(depth)}${']'.repeat(depth)},"text":"t"}`);
  expect(fast.readLines(nested(499), true, fields, 'none').records[0]).toMatchObject({
    kind: 'document',
    text: 'string',
  });
  expect(fast.readLines(nested(500), true, fields, 'none').records[0]).toMatchObject({ kind: 'nested too deeply' });
  expect(fast.readLines(nested(100_000), true, fields, 'none').records[0]).toMatchObject({ kind: 'nested too deeply' });
});
