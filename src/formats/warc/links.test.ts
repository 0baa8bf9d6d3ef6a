import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Captures, linksOf } from './links.ts';

const record = (...lines: string[]) => Buffer.from(['WARC/1.0', ...lines, '', 'WARC-Type: block'].join('\r\n'));

test('reads what a record names, however it is written, and nothing of its block', () => {
  expect(
    linksOf(
      record(
        'WARC-TYPE: Request',
        'warc-record-id: <urn:a>',
        'WARC-Concurrent-To:\r\n <urn:b>',
        'WARC-Concurrent-To: urn:c',
        'WARC-Refers-To: <urn:d>',
      ),
    ),
  ).toEqual({ type: 'request', id: 'urn:a', concurrentTo: ['urn:b', 'urn:c'], refersTo: 'urn:d' });
  expect(linksOf(Buffer.from('WARC/1.0\nWARC-Type: metadata\n\nWARC-Record-ID: <urn:a>\n'))).toEqual({
    type: 'metadata',
    id: undefined,
    concurrentTo: [],
    refersTo: undefined,
  });
});

test('knows what became of every document, as a Map would', () => {
  const names = fc.integer({ min: 0, max: 3000 }).map(String);
  fc.assert(
    fc.property(fc.array(fc.tuple(names, fc.boolean()), { maxLength: 3000, size: 'max' }), documents => {
      const captures = new Captures();
      const known = new Map<string, boolean>();
      for (const [id, stays] of documents) {
        captures.note({ type: 'response', id, concurrentTo: [], refersTo: undefined }, stays);
        known.set(id, stays || known.get(id) === true);
      }
      expect(captures.size).toBe(known.size);
      for (let id = 0; id <= 3000; id += 7) {
        const fate = captures.fateOf({
          type: 'request',
          id: undefined,
          concurrentTo: [String(id)],
          refersTo: undefined,
        });
        const stays = known.get(String(id));
        expect(fate).toBe(stays === undefined ? 'open' : stays ? 'stays' : 'goes');
      }
    }),
    { numRuns: 10 },
  );
});
