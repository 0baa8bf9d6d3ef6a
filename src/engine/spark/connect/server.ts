/** A master → a Spark Connect server of our own on a loopback port, which ends with us; or the server that `sc://…` names. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fail } from '../../../errors.ts';
import { type Address, type ConnectClient, openConnect } from './client.ts';

export interface SparkSettings {
  /** `local[2]`, `spark://host:7077`, `yarn` …, or `sc://host:15002` for a Connect server that is there. */
  readonly master: string;
  /** `key=value` for Spark. */
  readonly conf: readonly string[];
  /** The program on the executors, or an archive that holds bin/node and is shipped to them. */
  readonly node?: string | undefined;
}

export interface SparkServer {
  readonly client: ConnectClient;
  stop(): Promise<void>;
}

export interface Shipped {
  readonly files: readonly string[];
  readonly archives: readonly string[];
}

/** Milliseconds. A server that fails ends, which is told at once; one that starts on a busy machine may take minutes. */
const FIRST_ANSWER = 600_000;

export function isConnectUrl(master: string): boolean {
  return master.startsWith('sc://');
}

export async function joinServer(master: string): Promise<SparkServer> {
  const client = await openConnect(addressOf(master));
  await client
    .sql('SELECT 1')
    .catch(error =>
      fail('NO_SPARK', { reason: `no Spark Connect server answers at ${master}: ${errorText(error)}` }, error),
    );
  return { client, stop: () => client.close() };
}

/** `sc://host:port/;token=…;use_ssl=true` */
export function addressOf(master: string): Address {
  const parts = /^sc:\/\/(\[[^\]]+\]|[^:/;]+)(?::(\d+))?\/?(?:;(.*))?$/.exec(master);
  if (!parts) return fail('BAD_OPTION', { option: '--master', expected: 'sc://host:port', got: master });
  const [, host, port = '15002', given = ''] = parts;
  const values = new Map(given.split(';').map(pair => pair.split(/=(.*)/s) as [string, string]));
  const token = values.get('token');
  return { host: host!, port: Number(port), token, tls: values.get('use_ssl') === 'true' || token !== undefined };
}

export async function startServer(
  { master, conf }: SparkSettings,
  { files, archives }: Shipped,
  logPath: string,
  signal?: AbortSignal,
): Promise<SparkServer> {
  const submit = findSubmit();
  requireJava();
  const port = await freePort();
  // Other users of the machine can connect to a loopback port, and would run what they like as us.
  const token = randomBytes(24).toString('hex');
  const isHere = /^local\b|^spark:\/\/(127\.|localhost\b|\[::1\])/.test(master);
  const settings = [
    ...(isHere ? ['spark.driver.host=127.0.0.1', 'spark.driver.bindAddress=127.0.0.1', 'spark.ui.enabled=false'] : []),
    'spark.sql.catalogImplementation=in-memory',
    ...conf,
    'spark.connect.grpc.binding.address=127.0.0.1',
    `spark.connect.grpc.binding.port=${port}`,
  ];
  const list = (flag: string, paths: readonly string[]) => (paths.length > 0 ? [flag, paths.join(',')] : []);
  const child = spawn(
    'sh',
    [
      ...['-c', UNTIL_WE_END, submit, '--master', withRetries(master)],
      ...['--class', 'org.apache.spark.sql.connect.service.SparkConnectServer'],
      ...settings.flatMap(setting => ['--conf', setting]),
      ...list('--files', files),
      ...list('--archives', archives),
      'spark-internal',
    ],
    {
      stdio: ['pipe', openSync(logPath, 'w', 0o600), openSync(logPath, 'a', 0o600)],
      env: {
        ...process.env,
        SPARK_CONNECT_AUTHENTICATE_TOKEN: token,
        ...(isHere && { SPARK_LOCAL_IP: '127.0.0.1' }),
      },
    },
  );
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()));
  child.once('error', () => {});
  // A command that fails does not wait for Spark; that it is gone ends Spark.
  child.unref();
  (child.stdin as unknown as Socket).unref();
  try {
    const client = await firstAnswer(child, { host: '127.0.0.1', port, token }, logPath, signal);
    return {
      client,
      async stop() {
        await client.close();
        child.ref();
        child.stdin!.end();
        await ended;
      },
    };
  } catch (error) {
    child.ref();
    child.stdin!.end();
    await ended;
    throw error;
  }
}

/** Standard input is ours: when it ends, since we are done or were killed, Spark is told to end. */
export const UNTIL_WE_END = `exec 3<&0
"$0" "$@" </dev/null &
spark=$!
(cat <&3 >/dev/null; kill $spark 2>/dev/null) &
watcher=$!
wait $spark
status=$?
kill $watcher 2>/dev/null
exit $status`;

async function firstAnswer(
  child: ChildProcess,
  address: Address,
  logPath: string,
  signal: AbortSignal | undefined,
): Promise<ConnectClient> {
  const client = await openConnect(address);
  const until = performance.now() + FIRST_ANSWER;
  for (;;) {
    signal?.throwIfAborted();
    if (child.exitCode !== null) return fail('NO_SPARK', { reason: `Spark did not start: ${lastWords(logPath)}` });
    try {
      await client.sql('SELECT 1');
      return client;
    } catch (error) {
      if (performance.now() > until)
        fail('NO_SPARK', { reason: `Spark did not answer within ${FIRST_ANSWER / 1000} s: ${errorText(error)}` });
      await pause(200);
    }
  }
}

/** `local[2]` never repeats a failed task; `local[2,4]` does, as clusters do. */
export function withRetries(master: string): string {
  if (master === 'local') return 'local[1,4]';
  return master.replace(/^local\[([^,\]]+)\]$/, 'local[$1,4]');
}

function findSubmit(): string {
  const { SPARK_HOME, PATH = '' } = process.env;
  const places = SPARK_HOME ? [join(SPARK_HOME, 'bin')] : PATH.split(delimiter).filter(place => place !== '');
  const found = places.map(place => join(place, 'spark-submit')).find(path => existsSync(path));
  if (found !== undefined) return found;
  const where = SPARK_HOME ? `there is no bin/spark-submit in SPARK_HOME (${SPARK_HOME})` : 'Spark was not found';
  const how =
    'set SPARK_HOME to an Apache Spark 4.1, or put its spark-submit on the PATH (pip install pyspark==4.1.* gives one)';
  return fail('NO_SPARK', { reason: `${where}; ${how}` });
}

function requireJava(): void {
  const { JAVA_HOME } = process.env;
  const java = JAVA_HOME ? join(JAVA_HOME, 'bin', 'java') : 'java';
  const { error } = spawnSync(java, ['-version'], { stdio: 'ignore' });
  if (error)
    fail('NO_SPARK', {
      reason: `Spark needs Java 17 or later, and ${java} was not found; install it or set JAVA_HOME`,
    });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

const REASON = /^.*\bERROR\b.*\bReason: /;
const CAUSE = /(Exception|Error|ERROR)\b/;

/** What a log says last that looks like a reason, on one line. */
export function lastWords(logPath: string): string {
  const lines = readFileSync(logPath, 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '' && !/^\s+at /.test(line));
  // What ends a driver is told as a reason; exceptions that follow come of it.
  const reason = lines.findLast(line => REASON.test(line))?.replace(REASON, '');
  return (reason ?? lines.findLast(line => CAUSE.test(line)) ?? lines.at(-1) ?? 'it said nothing').slice(0, 500);
}

export function errorText(error: unknown): string {
  const { details, message } = error as { details?: string; message?: string };
  return (details || message || String(error)).replace(/ Resolution note:\s*$/, '').trim();
}
