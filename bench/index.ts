/**
 * The online index on LMDB, one process: check-and-add in batches, by one client, by 64; search; disk, memory, opening.
 * With --peer also datasketch in memory, on the first of the same documents.
 *
 *   npm run bench:index [-- --documents 1000000 --measure resemblance --script latin --peer --venv FOLDER]
 */
import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { deflateRawSync } from 'node:zlib';
import { type Document, type GivenOpenOptions, openIndex } from '../dist/index.js';
import { makeCorpus } from './make-corpus.ts';
import { prepareEnvironment } from './peers/environment.ts';
import type { Script } from './sentences.ts';

const ONE_CLIENT = 1_000;
const CLIENTS = 64;
const MANY_CLIENTS = 10_000;
const SEARCHES = 3_000;
const SAMPLE = 100;
const BLOCK = 10_000;
const REPORTED = 50_000;
const PEER_DOCUMENTS = 10_000;

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '200000' },
    measure: { type: 'string', default: 'resemblance' },
    script: { type: 'string', default: 'latin' },
    peer: { type: 'boolean', default: false },
    venv: { type: 'string', default: 'node_modules/.cache/neardup-peers' },
  },
});
const documents = Number(values.documents);
const folder = mkdtempSync(join(tmpdir(), 'neardup-bench-'));
const place = join(folder, 'index');
// As it was written: the index checks it.
const options = { measure: values.measure } as GivenOpenOptions;
console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; measure ${values.measure}`);
try {
  const corpus = join(folder, 'corpus.jsonl');
  makeCorpus(corpus, {
    documents: documents + ONE_CLIENT + MANY_CLIENTS + SEARCHES,
    copies: 0.3,
    script: values.script as Script,
    seed: 1,
  });
  if (values.peer) reportPeer(corpus);
  const source = readCorpus(corpus);
  let index = await openIndex(place, options);

  const counts: Record<string, number> = {};
  const text = { bytes: 0, sampled: 0, compressed: 0 };
  let [added, seconds] = [0, 0];
  // Documents are read and parsed before the clock runs: what is measured is the index.
  for (
    let block = await next(source, BLOCK);
    block.length > 0;
    block = added < documents ? await next(source, BLOCK) : []
  ) {
    for (const { text: one } of block) {
      text.bytes += one!.length;
      if (text.bytes % SAMPLE > 0) continue;
      text.sampled += one!.length;
      text.compressed += deflateRawSync(one!).length;
    }
    const begun = performance.now();
    for await (const outcome of index.addAll(block)) {
      if ('error' in outcome) throw outcome.error;
      counts[outcome.status] = (counts[outcome.status] ?? 0) + 1;
    }
    const took = (performance.now() - begun) / 1000;
    added += block.length;
    seconds += took;
    if (added % REPORTED > 0 && added < documents) continue;
    const { heapUsed, rss, arrayBuffers } = process.memoryUsage();
    console.log(
      `${added} added: ${(block.length / took).toFixed(0)}/s; heap ${megabytes(heapUsed)} MB, buffers ${megabytes(arrayBuffers)} MB, resident ${megabytes(rss)} MB`,
    );
  }
  console.log(`in batches: ${(added / seconds).toFixed(0)} documents/s`);
  console.log(`verdicts: ${JSON.stringify(counts)}`);

  const { documents: stored, bytes } = await index.stats();
  const compressed = (text.compressed / text.sampled) * text.bytes * (stored / documents);
  console.log(
    `disk: ${(bytes / stored).toFixed(0)} bytes a stored document; 1.5 × its text compressed + 600: ${((1.5 * compressed) / stored + 600).toFixed(0)}`,
  );

  const single = await next(source, ONE_CLIENT);
  const one = performance.now();
  for (const document of single) await index.add(document);
  report('by one client', ONE_CLIENT, one);

  const waiting = await next(source, MANY_CLIENTS);
  const many = performance.now();
  const client = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await index.add(next);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  report(`by ${CLIENTS} clients`, MANY_CLIENTS, many);

  const times: number[] = [];
  for (const { text: query } of await next(source, SEARCHES)) {
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

/** One process, and nothing durable or verified: what MinHashLSH by itself can do. */
function reportPeer(corpus: string): void {
  const { python, versions } = prepareEnvironment(values.venv);
  const runner = fileURLToPath(new URL('./peers/runners/online_datasketch.py', import.meta.url));
  const rate = execFileSync(python, [runner, corpus, String(PEER_DOCUMENTS)])
    .toString()
    .trim();
  console.log(`datasketch ${versions.get('datasketch')}, sketch, query and insert in memory: ${rate} documents/s`);
}

async function* readCorpus(path: string): AsyncGenerator<Document> {
  for await (const line of createInterface({ input: createReadStream(path) })) yield JSON.parse(line);
}

async function next(documents: AsyncGenerator<Document>, count: number): Promise<Document[]> {
  const taken: Document[] = [];
  while (taken.length < count) {
    const { done, value } = await documents.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

function report(what: string, count: number, begun: number): void {
  console.log(`${what}: ${((count / (performance.now() - begun)) * 1000).toFixed(0)} documents/s`);
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}
