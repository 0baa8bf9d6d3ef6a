/** `redis://[user:password@]host:port[/database][?index=NAME]` → a connection to a server, or to the cluster it is part of. */
import { Cluster, Redis } from 'ioredis';
import { fail } from '../../errors.ts';

export type Connection = Redis | Cluster;

export interface RedisPlace {
  readonly connection: Connection;
  /** Several indexes may share a server. */
  readonly name: string;
}

/** Commands of one turn go out together, and in a cluster each to its node. */
const settings = { enableAutoPipelining: true, maxRetriesPerRequest: 3 } as const;

export async function connect(location: string): Promise<RedisPlace> {
  const url = new URL(location);
  const name = url.searchParams.get('index') ?? 'default';
  url.searchParams.delete('index');
  const single = new Redis(url.href, { ...settings, lazyConnect: true });
  // Errors come with the commands that meet them.
  single.on('error', () => {});
  try {
    await single.connect();
    if (!/^cluster_enabled:1/m.test(await single.info('cluster'))) return { connection: single, name };
  } catch (error) {
    single.disconnect();
    fail('CANNOT_READ', { file: `${url.protocol}//${url.host}`, reason: (error as Error).message }, error);
  }
  single.disconnect();
  const { username, password, tls } = single.options;
  const cluster = new Cluster([{ host: url.hostname, port: Number(url.port || 6379) }], {
    enableAutoPipelining: true,
    redisOptions: { ...(username && { username }), ...(password && { password }), ...(tls && { tls }) },
  });
  cluster.on('error', () => {});
  return { connection: cluster, name };
}

/** Each server that holds a part. */
export function servers(connection: Connection): Redis[] {
  return connection instanceof Cluster ? connection.nodes('master') : [connection];
}
