/**
 * Four service processes on one Redis Cluster index: documents a second and how long searches take, with one master and with three;
 * then a master is killed while documents are added, its replica takes over, and every document that was acknowledged is looked for.
 *
 *   npm run bench:redis-cluster [-- --seconds 10 --only load,kill]
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '../test/support/free-port.ts';
import { Connection } from './connection.ts';
import { createRandom } from './random.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, only: { type: 'string', default: 'load,kill' } },
});
const wanted = new Set(values.only.split(','));
const seconds = Number(values.seconds);
const SERVICES = 4;
const CLIENTS_A_SERVICE = 8;
const SEARCHERS_A_SERVICE = 1;
const NODE_TIMEOUT = 2000; // ms till a master that says nothing is taken for dead

const folder = mkdtempSync(join(tmpdir(), 'neardup-bench-'));
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const random = createRandom(1);
const text = () => Array.from({ length: 100 }, () => `w${random.below(50_000)}`).join(' ');

/** ms; a lease of the right to write may have to end first. */
const AFTERWARDS = 20_000;
let made = 0;
let acknowledgedTotal = 0;
const acknowledgedNow = () => acknowledgedTotal;

interface RedisCluster {
  readonly ports: readonly number[];
  readonly nodes: Map<number, ChildProcess>;
  stop(): Promise<void>;
}

console.log(
  `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; ${SERVICES} services, ${SERVICES * CLIENTS_A_SERVICE} clients that add, ${SERVICES * SEARCHERS_A_SERVICE} that search, documents of 100 words, ${seconds} s each`,
);
try {
  if (wanted.has('load')) await loadAll();
  if (wanted.has('kill')) await onCluster(3, 1, '&replicas=1', killMaster);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function loadAll(): Promise<void> {
  for (const masters of [1, 3]) {
    await onCluster(masters, 0, '', async services =>
      report(`${masters} master${masters > 1 ? 's' : ''}`, await load(services)),
    );
  }
  await onCluster(3, 1, '&replicas=1', async services =>
    report('3 masters, each with a replica, WAIT 1', await load(services)),
  );
}

async function onCluster(
  masters: number,
  replicas: number,
  settings: string,
  work: (services: readonly number[], cluster: RedisCluster) => Promise<void>,
): Promise<void> {
  const cluster = await startCluster(masters, replicas);
  const address = `redis://127.0.0.1:${cluster.ports[0]}?index=bench${settings}`;
  const services = await Promise.all(Array.from({ length: SERVICES }, () => startService(address)));
  try {
    await work(
      services.map(({ port }) => port),
      cluster,
    );
  } finally {
    await Promise.all(services.map(({ child }) => ended(child, 'SIGKILL')));
    await cluster.stop();
  }
}

interface Load {
  readonly acknowledged: readonly string[];
  readonly failed: number;
  readonly searches: readonly number[];
  readonly wall: number;
}

/** `until` ends it; else it takes the seconds that were asked for. */
async function load(services: readonly number[], until = pause(seconds * 1000)): Promise<Load> {
  const acknowledged: string[] = [];
  const searches: number[] = [];
  let [isOver, failed] = [false, 0];
  const began = performance.now();
  void until.then(() => {
    isOver = true;
  });
  const add = async (port: number) => {
    const connection = await Connection.open(port);
    while (!isOver) {
      const id = `d${made++}`;
      const status = await connection.post('/v1/documents', JSON.stringify({ id, text: text() }));
      if (status === 201 || status === 200) acknowledgedTotal = acknowledged.push(id);
      else {
        failed++;
        await pause(50);
      }
    }
    connection.close();
  };
  const search = async (port: number) => {
    const connection = await Connection.open(port);
    const body = JSON.stringify({ text: text() });
    while (!isOver) {
      const asked = performance.now();
      if ((await connection.post('/v1/search', body)) === 200) searches.push(performance.now() - asked);
      await pause(5);
    }
    connection.close();
  };
  await Promise.all(
    services.flatMap(port => [
      ...Array.from({ length: CLIENTS_A_SERVICE }, () => add(port)),
      ...Array.from({ length: SEARCHERS_A_SERVICE }, () => search(port)),
    ]),
  );
  return { acknowledged, failed, searches, wall: (performance.now() - began) / 1000 };
}

function report(what: string, { acknowledged, failed, searches, wall }: Load): void {
  const sorted = searches.toSorted((a, b) => a - b);
  const at = (share: number) => `${sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(1)} ms`;
  console.log(
    `${what}: ${Math.round(acknowledged.length / wall)} adds/s, searches p50 ${at(0.5)}, p99 ${at(0.99)} of ${sorted.length}; ${failed} adds failed`,
  );
}

async function killMaster(services: readonly number[], { ports, nodes }: RedisCluster): Promise<void> {
  const over = (async () => {
    await pause(3000);
    const victim = masterOf(ports[0]!)!;
    nodes.get(victim)!.kill('SIGKILL');
    const killed = performance.now();
    const other = ports.find(port => port !== victim)!;
    // Without `appendonly` a master that comes back before comes back empty, and its replica copies that.
    while ([undefined, victim].includes(masterOf(other))) await pause(100);
    console.log(`master killed; its replica took over after ${((performance.now() - killed) / 1000).toFixed(1)} s`);
    // A master without a replica acknowledges nothing here, so the one that was killed comes back as its replica.
    nodes.set(victim, await startNode(victim));
    const before = acknowledgedNow();
    await pause(AFTERWARDS);
    console.log(
      `${acknowledgedNow() - before} documents acknowledged in ${AFTERWARDS / 1000} s after the killed one came back`,
    );
  })();
  const { acknowledged, failed } = await load(services, over);
  await over;
  let lost = 0;
  const answers = new Map<string, number>();
  for (const id of acknowledged) {
    const response = await fetch(`http://127.0.0.1:${services[0]}/v1/documents/${id}`);
    if (response.status === 200) continue;
    lost++;
    const answer = `${response.status} ${(await response.text()).replaceAll(id, 'ID')}`;
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
  }
  console.log(
    `${acknowledged.length} documents acknowledged, ${lost} of them lost; ${failed} adds failed and were not acknowledged`,
  );
  for (const [answer, count] of answers) console.log(`${count} × ${answer}`);
  if (lost > 0) process.exitCode = 1;
}

/** Who has the slot of lock, journal and state, as a node knows it; undefined while nobody has. */
function masterOf(port: number): number | undefined {
  const slot = Number(cli(port, 'cluster', 'keyslot', 'neardup:{bench}:state'));
  for (const line of cli(port, 'cluster', 'nodes').split('\n')) {
    const [, address = '', flags = '', , , , , , ...ranges] = line.split(' ');
    const kinds = flags.split(',');
    if (!kinds.includes('master') || kinds.includes('fail')) continue;
    const hasSlot = ranges.some(range => {
      const [from, to = from] = range.split('-').map(Number) as [number, number?];
      return slot >= from && slot <= to;
    });
    if (hasSlot) return Number(/:(\d+)@/.exec(address)?.[1]);
  }
  return undefined;
}

function cli(port: number, ...args: string[]): string {
  return execFileSync('redis-cli', ['-p', String(port), ...args], { encoding: 'utf8' });
}

async function startCluster(masters: number, replicas: number): Promise<RedisCluster> {
  const nodes = new Map<number, ChildProcess>();
  for (let node = 0; node < masters * (1 + replicas); node++) {
    const port = await freePort();
    const child = await startNode(port);
    nodes.set(port, child);
  }
  const ports = [...nodes.keys()];
  if (masters === 1) cli(ports[0]!, 'cluster', 'addslotsrange', '0', '16383');
  else {
    const addresses = ports.map(port => `127.0.0.1:${port}`);
    const asked = ['--cluster', 'create', ...addresses, '--cluster-replicas', String(replicas), '--cluster-yes'];
    execFileSync('redis-cli', asked, { stdio: 'ignore' });
  }
  const isReady = () =>
    ports.every(port => /cluster_state:ok/.test(cli(port, 'cluster', 'info'))) &&
    (replicas === 0 ||
      ports.every(
        port =>
          !/role:slave/.test(cli(port, 'info', 'replication')) ||
          /master_link_status:up/.test(cli(port, 'info', 'replication')),
      ));
  while (!isReady()) await pause(100);
  return {
    ports,
    nodes,
    stop: async () => void (await Promise.all([...nodes.values()].map(child => ended(child, 'SIGKILL')))),
  };
}

async function startNode(port: number): Promise<ChildProcess> {
  const child = spawn(
    'redis-server',
    [
      ...['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
      ...['--cluster-enabled', 'yes', '--cluster-config-file', `nodes-${port}.conf`],
      ...['--cluster-node-timeout', String(NODE_TIMEOUT), '--cluster-announce-ip', '127.0.0.1'],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  for await (const data of child.stdout!) if (String(data).includes('Ready to accept connections')) break;
  child.stdout!.resume();
  return child;
}

async function startService(address: string): Promise<{ readonly port: number; readonly child: ChildProcess }> {
  const child = spawn(process.execPath, [main, 'serve', '--index', address, '--port', '0']);
  let log = '';
  child.stderr.on('data', data => {
    if (log.length < 10_000) log += data;
  });
  child.stdout.resume();
  while (!log.includes('the index is open')) await pause(20);
  return { port: Number(/127\.0\.0\.1:(\d+)/.exec(log)![1]), child };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}
