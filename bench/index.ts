/**
 * The online index on LMDB, one process: check-and-add in batches, by one client, by 64; search; disk, memory, opening.
 *
 *   npm run bench:index [-- --documents 1000000 --measure resemblance]
 */
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { deflateRawSync } from 'node:zlib';
import type { Document } from '../src/model.ts';
import { openIndex } from '../src/store/open-index.ts';
import { makeCorpus } from './make-corpus.ts';

const ONE_CLIENT = 1_000;
const CLIENTS = 64;
const MANY_CLIENTS = 10_000;
const SEARCHES = 3_000;
const SAMPLE = 100;

const { values } = parseArgs({
  options: { documents: { type: 'string', default: '200000' }, measure: { type: 'string', default: 'resemblance' } },
});
const documents = Number(values.documents);
const folder = mkdtempSync(join(tmpdir(), 'neardup-bench-'));
const place = join(folder, 'index');
const options = { measure: values.measure };
console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; measure ${values.measure}`);
try {
  const corpus = join(folder, 'corpus.jsonl');
  makeCorpus(corpus, {
    documents: documents + ONE_CLIENT + MANY_CLIENTS + SEARCHES,
    copies: 0.3,
    script: 'latin',
    seed: 1,
  });
  const source = readCorpus(corpus);
  let index = await openIndex(place, options);

  const counts: Record<string, number> = {};
  const text = { bytes: 0, sampled: 0, compressed: 0 };
  const measured = async function* () {
    let number = 0;
    for await (const document of take(source, documents)) {
      text.bytes += document.text!.length;
      if (number++ % SAMPLE === 0) {
        text.sampled += document.text!.length;
        text.compressed += deflateRawSync(document.text!).length;
      }
      yield document;
    }
  };
  const begun = performance.now();
  let [added, addedBefore, timeBefore] = [0, 0, begun];
  for await (const outcome of index.addAll(measured())) {
    if ('error' in outcome) throw outcome.error;
    counts[outcome.status] = (counts[outcome.status] ?? 0) + 1;
    if (++added % 50_000 > 0 && added !== documents) continue;
    const now = performance.now();
    const rate = ((added - addedBefore) / (now - timeBefore)) * 1000;
    const { heapUsed, rss, arrayBuffers } = process.memoryUsage();
    console.log(
      `${added} added: ${rate.toFixed(0)}/s; heap ${megabytes(heapUsed)} MB, buffers ${megabytes(arrayBuffers)} MB, resident ${megabytes(rss)} MB`,
    );
    [addedBefore, timeBefore] = [added, now];
  }
  report('in batches', added, begun);
  console.log(`verdicts: ${JSON.stringify(counts)}`);

  const { documents: stored, bytes } = await index.stats();
  const compressed = (text.compressed / text.sampled) * text.bytes * (stored / documents);
  console.log(
    `disk: ${(bytes / stored).toFixed(0)} bytes a stored document; 1.5 × its text compressed + 600: ${((1.5 * compressed) / stored + 600).toFixed(0)}`,
  );

  const one = performance.now();
  for await (const document of take(source, ONE_CLIENT)) await index.add(document);
  report('by one client', ONE_CLIENT, one);

  const waiting: Document[] = [];
  for await (const document of take(source, MANY_CLIENTS)) waiting.push(document);
  const many = performance.now();
  const client = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await index.add(next);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  report(`by ${CLIENTS} clients`, MANY_CLIENTS, many);

  const times: number[] = [];
  for await (const { text: query } of take(source, SEARCHES)) {
    const start = performance.now();
    await index.search({ text: query! });
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)]!.toFixed(2);
  console.log(`search: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${times.at(-1)!.toFixed(2)} ms`);

  await index.close();
  const opening = performance.now();
  index = await openIndex(place, options);
  console.log(`open: ${(performance.now() - opening).toFixed(0)} ms`);
  await index.close();
} finally {
  rmSync(folder, { recursive: true });
}

async function* readCorpus(path: string): AsyncGenerator<Document> {
  for await (const line of createInterface({ input: createReadStream(path) })) yield JSON.parse(line);
}

async function* take(documents: AsyncGenerator<Document>, count: number): AsyncGenerator<Document> {
  for (let taken = 0; taken < count; taken++) {
    const next = await documents.next();
    if (next.done) return;
    yield next.value;
  }
}

function report(what: string, count: number, begun: number): void {
  console.log(`${what}: ${((count / (performance.now() - begun)) * 1000).toFixed(0)} documents/s`);
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}
