/** Redis servers on free ports of this machine, alone and as a cluster, for the tests of one file; ended by their own ids. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';
import { outsideProgram } from './outside.ts';

export const redisServer = outsideProgram('redis-server', 'the index on Redis');

export interface RedisServers {
  /** Addresses; each call is of an index of its own. */
  single(): string;
  cluster(): string;
}

const NODES = 3;

/** Started before the tests of the file that calls this, ended after them. */
export function redisForTests(): RedisServers {
  const children: ChildProcess[] = [];
  let folder: string | undefined;
  let ports: number[] = [];
  let indexes = 0;
  beforeAll(async () => {
    if (!redisServer) return;
    folder = mkdtempSync(join(tmpdir(), 'neardup-redis-'));
    for (let node = 0; node <= NODES; node++) {
      const port = await freePort();
      ports.push(port);
      children.push(await start(port, node > 0, folder));
    }
    const nodes = ports.slice(1).map(port => `127.0.0.1:${port}`);
    execFileSync('redis-cli', ['--cluster', 'create', ...nodes, '--cluster-yes'], { stdio: 'ignore' });
    await clusterIsReady(ports[1]!);
  }, 60_000);
  afterAll(async () => {
    for (const child of children) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    if (folder) rmSync(folder, { recursive: true, force: true });
    ports = [];
  });
  return {
    single: () => `redis://127.0.0.1:${ports[0]}?index=t${++indexes}`,
    cluster: () => `redis://127.0.0.1:${ports[1]}?index=t${++indexes}`,
  };
}

/** One more, with settings of its own, for one test. */
export async function startRedis(
  settings: readonly string[] = [],
  inCluster = false,
): Promise<{ readonly port: number; readonly child: ChildProcess }> {
  const folder = mkdtempSync(join(tmpdir(), 'neardup-redis-'));
  const port = await freePort();
  const child = await start(port, inCluster, folder, settings);
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  return { port, child };
}

/** A cluster of one server, which has all slots. */
export async function startSmallCluster(): Promise<{ readonly port: number; readonly child: ChildProcess }> {
  const started = await startRedis(['--cluster-announce-ip', '127.0.0.1'], true);
  execFileSync('redis-cli', ['-p', String(started.port), 'cluster', 'addslotsrange', '0', '16383']);
  await clusterIsReady(started.port);
  return started;
}

async function start(
  port: number,
  inCluster: boolean,
  folder: string,
  settings: readonly string[] = [],
): Promise<ChildProcess> {
  const child = spawn(
    redisServer!,
    [
      ...['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder],
      ...['--cluster-enabled', inCluster ? 'yes' : 'no', '--cluster-config-file', `nodes-${port}.conf`],
      ...settings,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  for await (const data of child.stdout) if (String(data).includes('Ready to accept connections')) break;
  child.stdout.resume();
  return child;
}

async function clusterIsReady(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const info = execFileSync('redis-cli', ['-p', String(port), 'cluster', 'info'], { encoding: 'utf8' });
    if (info.includes('cluster_state:ok') && info.includes('cluster_slots_ok:16384')) return;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error('the Redis cluster did not come up');
}
