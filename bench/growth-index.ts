/**
 * An index of documents with shared boilerplate beside one of as many without: add, check, filter, search,
 * bytes, opening.
 *
 *   npm run bench:growth-index [-- --documents 100000 --stores memory,lmdb,redis --corpora none174,boil75]
 *
 * Rates are of CPU time of this process (what a server of Redis takes is not in them) and of time on the clock; ratios are
 * to the first corpus. `filter` is the command, on as many documents as are checked, without what it takes to start. A
 * search `below` asks for a resemblance of 0.6 where the index was made for 0.8.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type GivenOpenOptions, openIndex } from '../dist/index.js';
import { type BoilerplateCorpus, boilerplateCorpora, boilerplateDocuments, writeBoilerplate } from './boilerplate.ts';
import { usedBy } from './used-by.ts';

const CHECKED = 10_000;
/** Before the clock runs: code that is compiled, sets that are in memory. */
const WARMED_UP = 500;
const BELOW = { count: 5, threshold: 0.6 };

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '20000' },
    stores: { type: 'string', default: 'memory,lmdb,redis' },
    corpora: { type: 'string', default: Object.keys(boilerplateCorpora).join(',') },
    measure: { type: 'string', default: 'resemblance' },
    sketch: { type: 'string', default: 'minhash:128' },
  },
});
const documents = Number(values.documents);
// As they were written: the index checks them.
const options = { measure: values.measure, sketch: values.sketch } as GivenOpenOptions;

interface Measured {
  readonly addRate: number;
  readonly addCpu: number;
  readonly checkRate: number;
  readonly checkCpu: number;
  readonly filterCpu: number;
  readonly p50: number;
  readonly p99: number;
  readonly below: number;
  readonly bytes: number;
  readonly opening: number;
}

console.log(
  `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; ${documents} documents, ${JSON.stringify(options)}\n`,
);
console.log(
  '| store | corpus | stored | add/s | add/CPU s | check/s | check/CPU s | filter/CPU s | search p50, p99 ms | below ms | bytes a document | open ms |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |');
for (const store of values.stores.split(',')) {
  let base: Measured | undefined;
  for (const corpus of values.corpora.split(',') as BoilerplateCorpus[]) {
    const { measured, stored } = await withPlace(store, (place, folder) => measure(place, corpus, folder));
    base ??= measured;
    const rate = (name: 'addRate' | 'addCpu' | 'checkRate' | 'checkCpu' | 'filterCpu' | 'bytes' | 'opening') =>
      `${measured[name].toFixed(0)} (${(measured[name] / base![name]).toFixed(2)})`;
    const searching = `${measured.p50.toFixed(2)}, ${measured.p99.toFixed(2)}`;
    console.log(
      `| ${store} | ${corpus} | ${stored} | ${rate('addRate')} | ${rate('addCpu')} | ${rate('checkRate')} | ${rate('checkCpu')} | ${rate('filterCpu')} | ${searching} | ${measured.below.toFixed(1)} | ${rate('bytes')} | ${rate('opening')} |`,
    );
  }
}

async function measure(
  place: string,
  corpus: BoilerplateCorpus,
  folder: string,
): Promise<{ measured: Measured; stored: number }> {
  let index = await openIndex(place, options);
  const add = await timed(documents, async () => {
    for await (const outcome of index.addAll(boilerplateDocuments(corpus, documents)))
      if ('error' in outcome) throw outcome.error;
  });
  for (const document of boilerplateDocuments(corpus, WARMED_UP, 2)) await index.check(document);
  const check = await timed(CHECKED, async () => {
    for (const document of boilerplateDocuments(corpus, CHECKED, 3)) await index.check(document);
  });
  const times: number[] = [];
  for (const { text } of boilerplateDocuments(corpus, CHECKED, 4)) {
    const begun = performance.now();
    await index.search({ text });
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  const belowBegun = performance.now();
  for (const { text } of boilerplateDocuments(corpus, BELOW.count, 5))
    await index.search({ text }, { threshold: BELOW.threshold });
  const below = (performance.now() - belowBegun) / BELOW.count;
  const { documents: stored, bytes } = await index.stats();
  let opening = 0;
  let filterCpu = 0;
  if (place !== 'memory:') {
    await index.close();
    const begun = performance.now();
    index = await openIndex(place, options);
    await index.verdictOf('b1-0');
    opening = performance.now() - begun;
  }
  await index.close();
  if (place !== 'memory:') filterCpu = filterRate(place, corpus, folder);
  const measured = {
    addRate: add.rate,
    addCpu: add.cpu,
    checkRate: check.rate,
    checkCpu: check.cpu,
    filterCpu,
    p50: times[times.length >>> 1]!,
    p99: times[Math.floor(times.length * 0.99)]!,
    below,
    bytes: bytes / documents,
    opening,
  };
  return { measured, stored };
}

/** Documents a second of CPU time. */
function filterRate(place: string, corpus: BoilerplateCorpus, folder: string): number {
  const given = join(folder, 'given.jsonl');
  writeBoilerplate(given, corpus, CHECKED, undefined, 6);
  const args = ['filter', '--index', place, '--quiet'];
  const start = usedBy(args, folder);
  return CHECKED / (usedBy(args, folder, undefined, given).seconds - start.seconds);
}

async function timed(count: number, work: () => Promise<void>): Promise<{ rate: number; cpu: number }> {
  const [clock, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { rate: (count / (performance.now() - clock)) * 1e3, cpu: (count / (user + system)) * 1e6 };
}

/** A place of its own, gone afterwards. */
async function withPlace<Result>(
  store: string,
  work: (place: string, folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'neardup-bench-'));
  let server: ChildProcess | undefined;
  try {
    if (store === 'memory') return await work('memory:', folder);
    if (store === 'lmdb') return await work(join(folder, 'index'), folder);
    const port = await freePort();
    const settings = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      folder,
      '--save',
      '',
      '--appendonly',
      'yes',
    ];
    server = spawn('redis-server', settings, { stdio: 'ignore' });
    await setTimeout(1_000);
    return await work(`redis://127.0.0.1:${port}`, folder);
  } finally {
    if (server) {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    }
    rmSync(folder, { recursive: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
