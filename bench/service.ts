/**
 * The service against the library it stands on, in one run on the same machine: single documents from 64 clients, a
 * batch, 1,000 connections, and searches while documents of 10 MB are added. What counts is the ratios.
 *
 *   npm run bench:service [-- --documents 12000 --rounds 3 --only single,batch,mixed,large --seconds 30]
 *
 * Library and service take turns, each in a process of its own that adds as many documents before it is measured, so that the code
 * of both is as much compiled. The best round of each counts. The clients run on the same cores: what they take is in the time by
 * the clock, but not in the CPU time.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Document, openIndex } from '../dist/index.js';
import { Connection } from './connection.ts';
import { createRandom } from './random.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '8000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: 'single,batch,mixed,large' },
    /** Of mixed requests on 1,000 connections. */
    seconds: { type: 'string', default: '30' },
    /** What a process of the library does: it prints what it took. */
    library: { type: 'string' },
  },
});
const documents = Number(values.documents);
const wanted = new Set(values.only.split(','));
const CLIENTS = 64;
const folder = mkdtempSync(join(tmpdir(), 'neardup-bench-'));
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const random = createRandom(1);
const text = (words: number) => Array.from({ length: words }, () => `w${random.below(50_000)}`).join(' ');
const corpusOf = (name: string, length: number) =>
  Array.from({ length }, (_, at): Document => ({ id: `${name}${at}`, text: text(300) }));
const corpus = corpusOf('d', documents);
const first = corpusOf('first', documents);

type Index = Awaited<ReturnType<typeof openIndex>>;
type Work<Target> = (target: Target, list: readonly Document[]) => Promise<void>;
const libraryWork: Record<string, Work<Index>> = {
  single: (index, list) => manyClients(list, async document => void (await index.add(document))),
  batch: async (index, list) => {
    for await (const _ of index.addAll(list));
  },
};

try {
  if (values.library === undefined) await measureAll();
  else console.log(JSON.stringify(await library(libraryWork[values.library]!)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measureAll(): Promise<void> {
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; ${documents} documents of 300 words`);
  if (wanted.has('single')) {
    const single: Work<number> = async (port, list) => {
      const sockets = await Promise.all(Array.from({ length: CLIENTS }, () => Connection.open(port)));
      await manyClients(list, (document, client) => sockets[client]!.post('/v1/documents', JSON.stringify(document)));
      for (const socket of sockets) socket.close();
    };
    report('64 clients, one document a request', ...(await inTurns('single', single)), 0.6);
  }
  if (wanted.has('batch')) report('one batch', ...(await inTurns('batch', sendBatch)), 0.8);
  if (wanted.has('mixed')) await service('mixed', mixed);
  if (wanted.has('large')) await service('large', searchesBesideLarge);
}

/** The least that the service took, and the library. */
async function inTurns(name: string, asked: Work<number>): Promise<[Taken, Taken]> {
  const [ours, theirs]: [Taken[], Taken[]] = [[], []];
  for (let round = 0; round < Number(values.rounds); round++) {
    theirs.push(libraryApart(name));
    ours.push(await service(`${name}${round}`, asked, true));
  }
  return [least(ours), least(theirs)];
}

function least(all: readonly Taken[]): Taken {
  return { wall: Math.min(...all.map(({ wall }) => wall)), cpu: Math.min(...all.map(({ cpu }) => cpu)) };
}

interface Taken {
  readonly wall: number;
  readonly cpu: number;
}

function report(what: string, { wall, cpu }: Taken, library: Taken, wanted: number): void {
  const rate = (seconds: number) => Math.round(documents / seconds).toLocaleString('en');
  console.log(
    `${what}: ${rate(wall)}/s, ${rate(cpu)} per CPU second of the service; library ${rate(library.wall)}/s, ${rate(library.cpu)}; ` +
      `ratio ${(library.wall / wall).toFixed(2)} by the clock, ${(library.cpu / cpu).toFixed(2)} by CPU time (wanted: ${wanted})`,
  );
}

function libraryApart(name: string): Taken {
  const args = [...process.execArgv, process.argv[1]!, '--documents', values.documents, '--library', name];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

async function library(work: Work<Index>): Promise<Taken> {
  const index = await openIndex(join(folder, 'library'));
  await work(index, first);
  const [began, before] = [performance.now(), process.cpuUsage()];
  await work(index, corpus);
  const wall = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before);
  await index.close();
  return { wall, cpu: (user + system) / 1e6 };
}

async function service(name: string, work: Work<number>, isWarmed = false): Promise<Taken> {
  const child = spawn(process.execPath, [main, 'serve', '--index', join(folder, `service-${name}`), '--port', '0']);
  let log = '';
  child.stderr.on('data', data => {
    if (log.length < 10_000) log += data;
  });
  while (!log.includes('the index is open')) await new Promise(resolve => setTimeout(resolve, 20));
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(log)![1]);
  if (isWarmed) await work(port, first);
  const before = await cpuOf(port);
  const began = performance.now();
  await work(port, corpus);
  const wall = (performance.now() - began) / 1000;
  const cpu = (await cpuOf(port)) - before;
  child.kill('SIGTERM');
  await once(child, 'exit');
  return { wall, cpu };
}

async function cpuOf(port: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (.+)$/m.exec(metrics)![1]);
}

async function manyClients(
  list: readonly Document[],
  add: (document: Document, client: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const work = async (client: number) => {
    while (next < list.length) await add(list[next++]!, client);
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)));
}

async function sendBatch(port: number, batch: readonly Document[]): Promise<void> {
  const headers = { 'content-type': 'application/x-ndjson' };
  const sent = request({ port, host: '127.0.0.1', path: '/v1/documents/batch', method: 'POST', headers });
  const answered = once(sent, 'response').then(async ([response]) => {
    for await (const _ of response);
  });
  for (const document of batch) if (!sent.write(`${JSON.stringify(document)}\n`)) await once(sent, 'drain');
  sent.end();
  await answered;
}

async function mixed(port: number): Promise<void> {
  await sendBatch(port, corpus);
  const connections: Connection[] = [];
  for (let at = 0; at < 1000; at++) {
    const connection = await Connection.open(port);
    // Answered once, so that it is accepted: a busy process accepts few connections in a turn of its event loop.
    await connection.post('/v1/search', '{"text":"x"}');
    connections.push(connection);
  }
  const times: number[] = [];
  const statuses = new Map<number, number>();
  const began = performance.now();
  const end = began + Number(values.seconds) * 1000;
  await Promise.all(
    connections.map(async (connection, client) => {
      for (let turn = client; performance.now() < end; turn++) {
        const document = corpus[(client * 7 + turn) % corpus.length]!;
        const asked = performance.now();
        const status = await (turn % 2 === 0
          ? connection.post('/v1/documents?dryRun=true', JSON.stringify(document))
          : connection.post('/v1/search', JSON.stringify({ text: document.text })));
        times.push(performance.now() - asked);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      connection.close();
    }),
  );
  const rate = Math.round((times.length / (performance.now() - began)) * 1000);
  const said = Array.from(statuses, ([status, count]) => `${count} × ${status}`).join(', ');
  console.log(
    `1,000 connections for ${values.seconds} s, checking and searching: ${rate}/s, ${quantiles(times)}; ${said}`,
  );
}

async function searchesBesideLarge(port: number): Promise<void> {
  await sendBatch(port, corpus.slice(0, 2000));
  const body = JSON.stringify({ text: corpus[7]!.text });
  const searcher = await Connection.open(port);
  const search = async (till: () => boolean) => {
    const times: number[] = [];
    while (!till()) {
      const asked = performance.now();
      await searcher.post('/v1/search', body);
      times.push(performance.now() - asked);
      await new Promise(resolve => setTimeout(resolve, 2));
    }
    return times;
  };
  const end = performance.now() + 3000;
  console.log(`searches alone: ${quantiles(await search(() => performance.now() > end))}`);
  const large = Array.from({ length: 6 }, (_, at) =>
    Buffer.from(JSON.stringify({ id: `large${at}`, text: text(1_500_000) })),
  );
  const adder = await Connection.open(port);
  let isDone = false;
  const adding = (async () => {
    for (const one of large) await adder.post('/v1/documents', one);
    isDone = true;
  })();
  console.log(
    `searches while documents of 10 MB are added: ${quantiles(await search(() => isDone))} (wanted: p99 below 50 ms)`,
  );
  await adding;
  adder.close();
  searcher.close();
}

function quantiles(times: number[]): string {
  times.sort((a, b) => a - b);
  const at = (share: number) => `${times[Math.min(times.length - 1, Math.floor(share * times.length))]!.toFixed(1)} ms`;
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)} of ${times.length}`;
}
