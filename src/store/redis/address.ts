/** `redis://[user:password@]host:port[/database][?index=NAME&replicas=N]` → its parts, and what errors call it: without the password. */
import { fail } from '../../errors.ts';

export interface RedisAddress {
  /** Of the server alone. */
  readonly server: string;
  readonly host: string;
  readonly port: number;
  readonly database: number;
  /** Several indexes may share a server. */
  readonly index: string;
  /** Replicas of each server that must have a change before it is acknowledged. */
  readonly replicas: number;
  readonly shown: string;
}

export function parseRedisAddress(location: string): RedisAddress {
  const url = urlOf(location);
  const { searchParams, hostname: host } = url;
  const shown = withoutSecrets(url);
  const database = url.pathname.slice(1) || searchParams.get('db') || '0';
  if (!/^\d{1,9}$/.test(database))
    fail('BAD_INPUT', {
      file: shown,
      reason: `a database of Redis is a whole number, not ${JSON.stringify(database)}`,
    });
  for (const name of searchParams.keys())
    if (!parameters.includes(name))
      fail('BAD_INPUT', { file: shown, reason: `an address of Redis has no ${name}; it has ${parameters.join(', ')}` });
  const index = searchParams.get('index') ?? 'default';
  if (index === '') fail('BAD_INPUT', { file: shown, reason: 'the name of its index is empty' });
  const replicas = searchParams.get('replicas') ?? '0';
  if (!/^\d{1,2}$/.test(replicas))
    fail('BAD_INPUT', { file: shown, reason: `replicas is a whole number, not ${JSON.stringify(replicas)}` });
  url.pathname = '';
  for (const name of ['db', 'index', 'replicas']) searchParams.delete(name);
  return {
    server: url.href,
    host,
    port: Number(url.port || 6379),
    database: Number(database),
    index,
    replicas: Number(replicas),
    shown,
  };
}

const parameters = ['index', 'replicas', 'db', 'username', 'password'];

/** What cannot be taken apart may have a password anywhere, and is not shown. */
function urlOf(location: string): URL {
  if (URL.canParse(location)) return new URL(location);
  return fail('BAD_INPUT', {
    file: location.slice(0, location.indexOf('//') + 2),
    reason: 'what follows is not an address of Redis, [user:password@]host:port[/database][?index=NAME]',
  });
}

function withoutSecrets({ href }: URL): string {
  const url = new URL(href);
  url.username = '';
  url.password = '';
  for (const name of ['username', 'password']) url.searchParams.delete(name);
  return url.href;
}
