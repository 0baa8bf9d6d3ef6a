/** An Apache Spark → a standalone cluster of it on loopback: a master, workers of one core each, and a Connect server. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { UNTIL_WE_END } from '../../src/engine/spark/connect/server.ts';
import { freePort } from './free-port.ts';

/** Runs of tests end before the second compiler of the JVM pays, and there is nothing for several threads to collect: half the processor time. */
const QUICK_JAVA = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

/** `--spark-conf` for the Spark that a run starts. */
export const QUICK_SPARK = ['driver', 'executor'].flatMap(role => [
  '--spark-conf',
  `spark.${role}.extraJavaOptions=${QUICK_JAVA}`,
]);

export interface SparkCluster {
  /** `spark://…` */
  readonly master: string;
  /** `sc://…`; only where it was asked for. */
  readonly connect: string;
  /** Process ids of the executors that run now. */
  executors(): number[];
  stop(): Promise<void>;
}

export async function startCluster(
  home: string,
  folder: string,
  { workers, withConnect }: { readonly workers: number; readonly withConnect: boolean },
): Promise<SparkCluster> {
  const processes: ChildProcess[] = [];
  const start = (program: string, ...args: string[]) => {
    const daemon = { SPARK_DAEMON_MEMORY: '512m', SPARK_DAEMON_JAVA_OPTS: QUICK_JAVA };
    const env = { ...process.env, SPARK_LOCAL_IP: '127.0.0.1', ...daemon };
    const command = ['-c', UNTIL_WE_END, join(home, 'bin', program), ...args];
    const child = spawn('sh', command, { stdio: ['pipe', 'ignore', 'ignore'], env, cwd: folder });
    processes.push(child);
    return child;
  };
  const [port, connectPort] = [await freePort(), await freePort()];
  const master = `spark://127.0.0.1:${port}`;
  const loopback = ['--host', '127.0.0.1', '--webui-port', '0'];
  start('spark-class', 'org.apache.spark.deploy.master.Master', ...loopback, '--port', String(port));
  await untilOpen(port);
  const room = ['-c', '1', '-m', '1g'];
  const workerProcesses = Array.from({ length: workers }, (_, i) =>
    start(
      'spark-class',
      'org.apache.spark.deploy.worker.Worker',
      ...loopback,
      ...room,
      '-d',
      join(folder, `work-${i}`),
      master,
    ),
  );
  if (withConnect) {
    const settings = {
      'spark.driver.host': '127.0.0.1',
      'spark.driver.bindAddress': '127.0.0.1',
      'spark.connect.grpc.binding.address': '127.0.0.1',
      'spark.connect.grpc.binding.port': String(connectPort),
      'spark.ui.enabled': 'false',
      'spark.sql.catalogImplementation': 'in-memory',
      'spark.driver.extraJavaOptions': QUICK_JAVA,
      'spark.executor.extraJavaOptions': QUICK_JAVA,
    };
    const conf = Object.entries(settings).flatMap(([key, value]) => ['--conf', `${key}=${value}`]);
    const server = ['--class', 'org.apache.spark.sql.connect.service.SparkConnectServer', 'spark-internal'];
    start('spark-submit', '--master', master, ...conf, ...server);
    await untilOpen(connectPort);
  }
  return {
    master,
    connect: `sc://127.0.0.1:${connectPort}`,
    executors: () => workerProcesses.flatMap(({ pid }) => javaBelow(pid!).flatMap(javaBelow)),
    async stop() {
      const ended = processes.map(one => new Promise(resolve => one.once('close', resolve)));
      for (const one of processes) one.stdin!.end();
      await Promise.all(ended);
    },
  };
}

/** The JVMs that a process started: the shell its worker, a worker its executors. */
function javaBelow(pid: number): number[] {
  return processes()
    .filter(one => one.parent === pid && one.name === 'java')
    .map(one => one.pid);
}

/** Those that a process started, and those that they started. */
export function processesBelow(pid: number): number[] {
  const all = processes();
  const below = (parent: number): number[] =>
    all.filter(one => one.parent === parent).flatMap(one => [one.pid, ...below(one.pid)]);
  return below(pid);
}

function processes() {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,comm='], { encoding: 'utf8' });
  return [...stdout.matchAll(/^\s*(\d+)\s+(\d+) (.*)$/gm)].map(([, pid, parent, name]) => ({
    pid: Number(pid),
    parent: Number(parent),
    name,
  }));
}

/** A port that passes on what comes to another one, until it is cut. */
export async function startProxy(to: number): Promise<{ readonly port: number; cut(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    const other = connect(to, '127.0.0.1');
    for (const [one, next] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(one);
      one.on('error', () => next.destroy());
      one.pipe(next);
    }
  });
  const port = await new Promise<number>(resolve => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  return {
    port,
    cut() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function untilOpen(port: number): Promise<void> {
  const tryOnce = () =>
    new Promise<boolean>(resolve => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.end());
    });
  while (!(await tryOnce())) await pause(200);
}
