/** An address of Redis → a connection to the server, or to the cluster it is part of. */
import { setTimeout } from 'node:timers/promises';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { fail } from '../../errors.ts';
import type { RedisAddress } from './address.ts';

export type Connection = Redis | Cluster;

/** In milliseconds: till there is a connection, and till a server says something when it was asked. */
const CONNECTING = 10_000;
const ANSWERING = 10_000;
const LEAVING = 1_000;

/** Commands of one turn go out together, and in a cluster each to its node. */
const settings = { enableAutoPipelining: true, lazyConnect: true } as const;
const limits = {
  connectTimeout: CONNECTING,
  // Not `commandTimeout`: its timers stay, and keep a process from ending, when the connection is lost.
  socketTimeout: ANSWERING,
  /** A lost connection is made anew so often: about a second where nobody listens. */
  maxRetriesPerRequest: 3,
  /** It is also waited for where the connection is closed already. */
  disconnectTimeout: 100,
} as const;

export async function connect(address: RedisAddress): Promise<Connection> {
  const single = new Redis(address.server, { ...settings, ...limits });
  try {
    await inTime(single, single.connect());
    const isCluster = /^cluster_enabled:1/m.test(await single.info('cluster'));
    if (isCluster) {
      single.disconnect();
      return await connectToCluster(address, single.options);
    }
    // Asked for by hand: one that the server does not have is an error then.
    if (address.database !== 0) await single.select(address.database);
    giveUpSilent(single);
    return single;
  } catch (error) {
    single.disconnect();
    throw error;
  }
}

async function connectToCluster(
  { host, port, database, shown }: RedisAddress,
  options: RedisOptions,
): Promise<Cluster> {
  if (database !== 0) fail('BAD_INPUT', { file: shown, reason: 'a Redis Cluster has only database 0' });
  const { username, password, tls } = options;
  const cluster = new Cluster([{ host, port }], {
    ...settings,
    // Commands would wait for ever for a cluster that is gone.
    enableOfflineQueue: false,
    redisOptions: { ...limits, ...(username && { username }), ...(password && { password }), ...(tls && { tls }) },
  });
  await inTime(cluster, cluster.connect());
  return cluster;
}

/** What was asked of a server that says nothing any more would be kept, and asked again, for ever. It fails; what comes later is asked anew. */
function giveUpSilent(single: Redis): void {
  single.on('error', error => {
    if (!isSilence(error)) return;
    single.once('end', () => void single.connect().catch(() => {}));
    single.disconnect();
  });
}

/** What went wrong is an event; the promise only tells that something did, or not even that. */
async function inTime(connection: Connection, connected: Promise<void>): Promise<void> {
  let cause: unknown;
  connection.on('error', error => {
    cause = error;
  });
  const timer = new AbortController();
  const tooLate = setTimeout(CONNECTING, undefined, { signal: timer.signal }).then(() => {
    throw new Error(NO_ANSWER);
  });
  tooLate.catch(() => {});
  try {
    await Promise.race([connected, tooLate]);
  } catch (error) {
    connection.disconnect();
    throw isSilence(cause) ? new Error(NO_ANSWER) : (cause ?? error);
  } finally {
    timer.abort();
  }
}

const NO_ANSWER = `no answer in ${CONNECTING / 1000} seconds`;

function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Socket timeout');
}

/** A server that is gone is not waited for. */
export async function disconnect(connection: Connection): Promise<void> {
  if (connection.status === 'ready')
    await Promise.race([connection.quit().catch(() => {}), setTimeout(LEAVING, undefined, { ref: false })]);
  connection.removeAllListeners('end');
  connection.disconnect();
}
