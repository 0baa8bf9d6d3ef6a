import fc from 'fast-check';
import { expect, test } from 'vitest';
import { elementTexts, fieldText, fieldTexts, minified, withFieldTexts } from './raw-json.ts';

/** JSON text as people and programs write it: space anywhere, escapes, names that come twice, numbers of any form. */
const space = fc.constantFrom('', '', ' ', '\n', '\t\r ');
const number = fc.constantFrom(
  '0',
  '-0',
  '1.0',
  '1e400',
  '-1.50E+2',
  '1790000000000000001',
  '0.1',
  '12345678901234567890',
);
const names = fc.constantFrom(
  'a',
  'b',
  '',
  '__proto__',
  'constructor',
  '2',
  '1',
  'a.b',
  'é',
  '"',
  '\\',
  '\ud800',
  '{}',
);
const escaped = (text: string) =>
  `"${Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`;
const string = (texts: fc.Arbitrary<string>) =>
  fc.tuple(texts, fc.boolean()).map(([text, isEscaped]) => (isEscaped ? escaped(text) : JSON.stringify(text)));
const { value } = fc.letrec<{ value: string; object: string; list: string }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    number,
    fc.constantFrom('true', 'false', 'null'),
    string(fc.string({ unit: 'binary' })),
    string(fc.constantFrom('\\', '\\\\"', '[', '}{', ',:')),
    tie('object'),
    tie('list'),
  ),
  list: fc
    .array(fc.tuple(space, tie('value'), space))
    .map(elements => `[${elements.map(parts => parts.join('')).join(',') || ' '}]`),
  object: fc
    .array(fc.tuple(space, string(names), space, fc.constant(':'), space, tie('value'), space))
    .map(members => `{${members.map(parts => parts.join('')).join(',') || ' '}}`),
}));
const members = fc.array(fc.tuple(space, string(names), space, fc.constant(':'), space, value, space));
const object = fc
  .tuple(space, members, space)
  .map(([before, list, after]) => `${before}{${list.map(parts => parts.join('')).join(',') || ' '}}${after}`);
const list = fc
  .array(fc.tuple(space, value, space))
  .map(all => `[${all.map(parts => parts.join('')).join(',') || ' '}]`);

/** In the order in which JSON.parse meets them, which objects of JavaScript do not keep for names like "2". */
const parsedFields = (json: string) => new Map(Object.entries(JSON.parse(json) as object));
const sorted = (fields: ReadonlyMap<string, unknown>) => [...fields].sort(([a], [b]) => (a < b ? -1 : 1));

test('finds the fields that JSON.parse finds, each with its own text', () => {
  fc.assert(
    fc.property(object, json => {
      const found = fieldTexts(json);
      const values = new Map(Array.from(found, ([name, text]) => [name, JSON.parse(text)]));
      expect(sorted(values)).toEqual(sorted(parsedFields(json)));
      for (const text of found.values()) expect(text).toBe(text.trim());
      for (const [name, text] of found) expect(fieldText(json, name)).toBe(text);
    }),
  );
});

test('finds the elements that JSON.parse finds', () => {
  fc.assert(
    fc.property(list, json => {
      expect(elementTexts(json).map(text => JSON.parse(text))).toEqual(JSON.parse(json));
    }),
  );
});

test('keeps every token when it takes the space away', () => {
  fc.assert(
    fc.property(value, json => {
      const text = minified(json);
      expect(JSON.parse(text)).toEqual(JSON.parse(json));
      expect(minified(text)).toBe(text);
    }),
  );
  expect(minified('{ "a b" : [ 1.0 , "\\" " ]\n}')).toBe('{"a b":[1.0,"\\" "]}');
});

test('replaces fields in their place, adds the others, and leaves the rest alone', () => {
  fc.assert(
    fc.property(object, fc.dictionary(names, number, { maxKeys: 3 }), (json, given) => {
      const fields = new Map(Object.entries(given));
      const text = Buffer.from(withFieldTexts(Buffer.from(json), fields)).toString();
      const expected = new Map([...fieldTexts(json), ...fields]);
      expect([...fieldTexts(text)]).toEqual([...expected]);
      if (fields.size === 0) expect(text).toBe(Buffer.from(json).toString());
    }),
  );
  const bytes = Buffer.from('{"\\u0061" : 1, "b":"\xff", "a":[2]} \r', 'latin1');
  expect(Buffer.from(withFieldTexts(bytes, new Map([['a', '3']]))).toString('latin1')).toBe(
    '{"\\u0061" : 3, "b":"\xff", "a":3} \r',
  );
});

test('looks inside nested fields, and takes a field of the whole name first', () => {
  const json = '{"meta":{"id":1.0,"x":{"y":2e5}},"meta.x":{"y":7},"a.b":{"c":1}}';
  expect(fieldText(json, 'meta.id')).toBe('1.0');
  expect(fieldText(json, 'meta.x.y')).toBe('2e5');
  expect(fieldText(json, 'meta.x')).toBe('{"y":7}');
  expect(fieldText(json, 'a.b.c')).toBe('1');
  expect(fieldText(json, 'meta.no')).toBeUndefined();
  expect(fieldText(json, 'meta.id.no')).toBeUndefined();
});

test('takes text that is long and deep in linear time', () => {
  const deep = `${'['.repeat(200_000)}1${']'.repeat(200_000)}`;
  const escapes = `"${'\\\\'.repeat(500_000)}\\"${'\\"'.repeat(500_000)}"`;
  const json = `{"deep":${deep},"escapes":${escapes},"n":1.0}`;
  const start = performance.now();
  expect(fieldTexts(json)).toEqual(
    new Map([
      ['deep', deep],
      ['escapes', escapes],
      ['n', '1.0'],
    ]),
  );
  expect(performance.now() - start).toBeLessThan(2000);
});
