/** WARC to WARC: every record that is no document is in the output, too, unless it belongs to a document that was removed. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Zstd } from '@hpcc-js/wasm-zstd';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ReadOptions } from '../src/formats/item.ts';
import { call } from './support/call.ts';
import { temporaryFolder } from './support/folder.ts';
import { runRequest } from './support/run-request.ts';
import { concurrentTo, idsIn, image, refersTo, request, response, warcRecord } from './support/warc-records.ts';

// As built: worker threads cannot run TypeScript.
const [built, builtWriting] = ['../dist/engine/choose-engine.js', '../dist/batch/write-documents.js'];
const { decideFiles }: typeof import('../src/engine/choose-engine.ts') = await import(built);
const { writeDocuments }: typeof import('../src/batch/write-documents.ts') = await import(builtWriting);

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const path = (name: string) => join(folder, name);
const put = (name: string, ...records: Uint8Array[]) => {
  writeFileSync(path(name), Buffer.concat(records));
  return path(name);
};
const get = (name: string) => readFileSync(path(name));

/** No two of them alike. */
const textOf = (n: number) => Array.from({ length: 12 }, (_, i) => `w${n}x${i}`).join(' ');

const info = warcRecord('warcinfo', 'info', 'software: x\r\n', ['Content-Type', 'application/warc-fields']);
const metadata = (id: string, ...headers: (readonly [string, string])[]) =>
  warcRecord('metadata', id, 'fetchTimeMs: 5\r\n', ['Content-Type', 'application/warc-fields'], ...headers);

const engines = [
  ['in memory', Number.POSITIVE_INFINITY],
  ['on threads', 0],
] as const;

describe.each(engines)('dedup %s', (_, threadsFrom) => {
  async function dedup(inputs: readonly string[], output: string, more: Partial<ReadOptions> = {}) {
    const asked = await runRequest(inputs, { reading: more, threadsFrom });
    const { files, reading } = asked;
    const decided = await decideFiles(asked);
    const form = { kind: 'records', format: output.includes('.warc') ? 'warc' : 'jsonl' } as const;
    const written = await writeDocuments({
      inputs: files.inputs,
      reading,
      decided,
      path: path(output),
      form,
      mark: false,
    });
    const rejects = [...decided.read.rejects].map(({ line, reason }) => `${line}: ${reason}`);
    decided.release(true);
    return { ...written, rejects };
  }

  test('writes other records through in input order, without those of removed responses', async () => {
    const records = [
      info,
      request('q1', concurrentTo('a')), // before its response
      response('a', textOf(1)),
      metadata('m1', concurrentTo('a')),
      request('q2', concurrentTo('b')),
      response('b', textOf(1)),
      metadata('m2', concurrentTo('x'), concurrentTo('b')),
      metadata('m3', refersTo('b')),
      image('picture', 100, concurrentTo('b')),
      warcRecord('revisit', 'again', '', refersTo('b'), concurrentTo('b')),
      warcRecord('continuation', 'more', 'rest', ['WARC-Segment-Origin-ID', '<urn:b>']),
      request('q3'),
      response('c', textOf(1), concurrentTo('q3')), // the response names its request
      request('q4', ['warc-concurrent-to', 'urn:a'], concurrentTo('c')), // of one that stays, too
    ];
    const result = await dedup([put('in.warc', ...records)], 'out.warc');
    expect(idsIn(get('out.warc'))).toEqual('info q1 a m1 picture again more q4'.split(' '));
    expect(result.otherRecords).toEqual({ written: 7, removed: 4 });
    const staying = [0, 1, 2, 3, 8, 9, 10, 13].map(at => records[at]!);
    expect(get('out.warc')).toEqual(Buffer.concat(staying));
    await dedup([path('in.warc')], 'out.warc.gz');
    expect(get('out.warc.gz')).toEqual(Buffer.concat(staying.map(record => gzipSync(record))));
  });

  test('takes files one by one: a copy of a file leaves nothing but its other records', async () => {
    const records = [info, request('q', concurrentTo('a')), response('a', textOf(1)), response('b', textOf(2))];
    const zstd = await Zstd.load();
    const inputs = [
      put('a.warc', ...records),
      put('b.warc.gz', ...records.map(record => gzipSync(record))),
      put('c.warc.zst', zstd.compress(Buffer.concat(records))),
    ];
    expect((await dedup(inputs, 'out.warc.zst')).otherRecords).toEqual({ written: 4, removed: 2 });
    expect(idsIn(zstd.decompress(get('out.warc.zst')))).toEqual(['info', 'q', 'a', 'b', 'info', 'info']);
    // Within one file, what a document that stays is known by stays.
    put('twice.warc', ...records, ...records);
    expect((await dedup([path('twice.warc')], 'out.warc')).otherRecords).toEqual({ written: 4, removed: 0 });
  });

  test('passes large records through in parts, and rejects large documents', async () => {
    const large = [
      image('video', 500_000),
      warcRecord('metadata', 'log', 'x'.repeat(200_000)),
      warcRecord('resource', 'zip', 'x'.repeat(70_000), ['Content-Type', 'application/zip']),
    ];
    const small = response('a', textOf(1));
    const inputs = [put('in.warc', ...large, small, response('big', textOf(2).repeat(1000)))];
    const { otherRecords, rejects } = await dedup(inputs, 'out.warc', { maxDocument: 1000 });
    expect({ otherRecords, rejects }).toEqual({
      otherRecords: { written: 3, removed: 0 },
      rejects: ['5: too large: over 1000 bytes'],
    });
    expect(get('out.warc').equals(Buffer.concat([...large, small]))).toBe(true);
    await dedup(inputs, 'out.warc.gz', { maxDocument: 1000 });
    expect(gunzipSync(get('out.warc.gz')).equals(Buffer.concat([...large, small]))).toBe(true);
    expect(get('out.warc.gz').subarray(-gzipSync(small).length)).toEqual(gzipSync(small));
  });

  test('writes no part of a record that the damage is in, and no reject', async () => {
    const broken = warcRecord('response', 'broken', 'no http', ['Content-Type', 'application/http']);
    const good = [info, response('a', textOf(1)), request('q', concurrentTo('broken'))];
    const large = image('large', 300_000);
    const skip = { maxDocument: 1000, damaged: 'skip' } as const;
    put('cut.warc', ...good, broken, large.subarray(0, -9));
    const plain = await dedup([path('cut.warc')], 'out.warc', skip);
    expect(get('out.warc')).toEqual(Buffer.concat(good));
    expect(plain).toEqual({
      otherRecords: { written: 2, removed: 0 },
      rejects: ['4: broken WARC record: not an HTTP response'],
    });
    put('cut.warc.gz', ...good.map(record => gzipSync(record)), gzipSync(large, { level: 0 }).subarray(0, -100_000));
    expect((await dedup([path('cut.warc.gz')], 'again.warc', skip)).otherRecords).toEqual({ written: 2, removed: 0 });
    expect(get('again.warc')).toEqual(Buffer.concat(good));
    await expect(dedup([path('cut.warc')], 'none.warc', { maxDocument: 1000 })).rejects.toThrow(
      /cut\.warc:5: cut off: the file ends within a WARC record/,
    );
    expect(existsSync(path('none.warc'))).toBe(false);
  });

  test('counts what other formats cannot hold', async () => {
    const inputs = [put('in.warc', info, request('q', concurrentTo('a')), response('a', textOf(1)))];
    expect(await dedup(inputs, 'out.jsonl')).toEqual({ otherRecordsLeftOut: 2, rejects: [] });
  });
});

test('the summary of dedup counts other records', async () => {
  const input = put(
    'in.warc',
    info,
    response('a', textOf(1)),
    request('q', concurrentTo('b')),
    response('b', textOf(1)),
  );
  const { stderr, stdout } = await call('dedup', input, '-o', path('out.warc'), '--json');
  expect(stderr).toContain('\n1 other WARC record written through, 1 removed with their response\n');
  const summary = JSON.parse(stdout);
  expect(summary).toMatchObject({ documents: 2, kept: 1, otherRecords: { written: 1, removed: 1 } });
  expect(Object.keys(summary).at(-1)).toBe('otherRecords');
  const lines = await call('dedup', input, '-o', path('out.jsonl'), '--json');
  expect(lines.stderr).toContain('\n2 other WARC records left out: only a WARC file can hold them\n');
  expect(JSON.parse(lines.stdout)).not.toHaveProperty('otherRecords');
});

describe('filter', () => {
  const filter = (input: string, output: string, ...more: string[]) =>
    call('filter', input, '--index', path('seen'), '-o', path(output), ...more);

  test('passes other records on in input order, without those of responses that were left out', async () => {
    const first = [info, request('q1'), response('a', textOf(1), concurrentTo('q1')), image('picture'), metadata('m1')];
    expect((await filter(put('first.warc', ...first), 'first-out.warc')).stderr).toContain(
      '\n4 other WARC records written through, 0 removed with their response\n',
    );
    expect(get('first-out.warc')).toEqual(Buffer.concat(first));
    const second = [
      info,
      request('q2', concurrentTo('b')),
      response('b', textOf(1)),
      metadata('m2', concurrentTo('b')),
      request('q3', concurrentTo('c')),
      request('q4', concurrentTo('d')), // waits for its response, over another
      response('c', textOf(2)),
      image('picture', 10, concurrentTo('d')),
      response('d', textOf(2)),
      request('q5'),
      response('a', textOf(1), concurrentTo('q5')), // known under its address
      response('e', textOf(3)),
      request('q6', concurrentTo('nowhere')),
      metadata('m6', concurrentTo('e')),
    ];
    const { stderr } = await filter(put('second.warc', ...second), 'second-out.warc');
    expect(stderr).toContain('5 documents: 2 new, 1 known, 2 exact, 0 near');
    expect(stderr).toContain('\n5 other WARC records written through, 4 removed with their response\n');
    expect(idsIn(get('second-out.warc'))).toEqual('info q3 c picture e q6 m6'.split(' '));
  });

  test('waits for a bounded number of documents, and takes many of both', async () => {
    const many = Array.from({ length: 3000 }, (_, n) => [
      request(`q${n}`, concurrentTo(`a${n}`)),
      response(`a${n}`, textOf(n % 3 === 2 ? n - 1 : n)),
      metadata(`m${n}`, concurrentTo(`a${n}`)),
    ]);
    const late = request('late', concurrentTo('a29'));
    const { stderr } = await filter(put('in.warc', info, late, ...many.flat()), 'out.warc');
    expect(stderr).toContain('3,000 documents: 2,000 new');
    expect(stderr).toContain('\n4,002 other WARC records written through, 2,000 removed with their response\n');
    const ids = many.flatMap((_, n) => (n % 3 === 2 ? [] : [`q${n}`, `a${n}`, `m${n}`]));
    expect(idsIn(get('out.warc')).filter(id => id !== 'late')).toEqual(['info', ...ids]);
  });

  test('passes large records on whole, or not at all', async () => {
    const large = image('large', 300_000);
    const good = [info, response('a', textOf(1)), large, response('b', textOf(2))];
    await filter(put('in.warc', ...good), 'out.warc', '--max-document', '1KB');
    expect(get('out.warc').equals(Buffer.concat(good))).toBe(true);
    put('cut.warc', response('c', textOf(3)), large.subarray(0, -9));
    const cut = await filter(path('cut.warc'), 'cut-out.warc', '--max-document', '1KB', '--damaged', 'skip');
    expect(cut.stderr).toContain('cut.warc:2: cut off: the file ends within a WARC record');
    expect([cut.code, idsIn(get('cut-out.warc'))]).toEqual([0, ['c']]);
  });

  test('counts what JSON lines cannot hold', async () => {
    const { stderr } = await filter(put('in.warc', info, response('a', textOf(1))), 'out.jsonl');
    expect(stderr).toContain('\n1 other WARC record left out: only a WARC file can hold them\n');
  });
});
