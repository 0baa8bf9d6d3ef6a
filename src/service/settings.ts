/** What a service is started with → the same with defaults; what would be unsafe is refused. */
import { fail } from '../errors.ts';
import { type NameOf, plainName } from '../options.ts';
import type { GivenOpenOptions } from '../store/open-index.ts';

export interface ServiceLimits {
  /** Bytes of the body of a request, and of a line of a batch. */
  readonly body: number;
  /** Bytes of a whole batch. */
  readonly batch: number;
  /** Bytes of all bodies that are being worked on. */
  readonly bodies: number;
  /** Requests that are being worked on. */
  readonly requests: number;
  /** Requests a client may make in a minute; 0: as many as it likes. */
  readonly rate: number;
  /** Milliseconds in which a body must have come; of a batch, in which its next bytes must. */
  readonly receiving: number;
  /** Milliseconds that requests have to finish when the service is stopped. */
  readonly grace: number;
}

export const defaultLimits: ServiceLimits = {
  body: 64 * 2 ** 20,
  batch: 16 * 2 ** 30,
  bodies: 512 * 2 ** 20,
  requests: 2_000,
  rate: 0,
  receiving: 60_000,
  grace: 10_000,
};

export interface GivenServiceSettings {
  /** A folder, `memory:` or `redis://…`. */
  readonly index: string;
  readonly indexOptions?: GivenOpenOptions;
  readonly host?: string;
  readonly port?: number;
  readonly apiKey?: string | undefined;
  readonly readKey?: string | undefined;
  /** Origins whose pages may call the service. */
  readonly cors?: readonly string[];
  /** A folder of pages; those that come with the package unless given. */
  readonly pages?: string;
  readonly limits?: Partial<ServiceLimits>;
  readonly version?: string;
}

export type ServiceSettings = Required<Omit<GivenServiceSettings, 'apiKey' | 'readKey' | 'pages' | 'limits'>> &
  Pick<GivenServiceSettings, 'apiKey' | 'readKey' | 'pages'> & { readonly limits: ServiceLimits };

export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_PORT = 7700;
const SHORTEST_KEY = 32;

/** Host names by which a service on this machine is called. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i;

export function isLoopback(host: string): boolean {
  return loopback.test(host);
}

export function readServiceSettings(given: GivenServiceSettings, nameOf: NameOf = plainName): ServiceSettings {
  const { host = DEFAULT_HOST, port = DEFAULT_PORT, apiKey, readKey, cors = [] } = given;
  for (const [name, key] of Object.entries({ NEARDUP_API_KEY: apiKey, NEARDUP_READ_KEY: readKey }))
    if (key !== undefined && key.length < SHORTEST_KEY)
      fail('BAD_OPTION', {
        option: name,
        expected: `${SHORTEST_KEY} characters or more`,
        got: key.length,
      });
    else if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
      fail('BAD_OPTION', {
        option: name,
        expected: 'ASCII without spaces, as a header has it',
        got: 'other characters',
      });
  if (readKey !== undefined && apiKey === undefined)
    fail('BAD_COMBINATION', { what: 'NEARDUP_READ_KEY without NEARDUP_API_KEY', why: 'everybody could write' });
  if (readKey !== undefined && readKey === apiKey)
    fail('BAD_COMBINATION', { what: 'NEARDUP_READ_KEY equal to NEARDUP_API_KEY', why: 'it could write' });
  if (!isLoopback(host) && apiKey === undefined)
    fail('BAD_COMBINATION', {
      what: `${nameOf('host')} ${host} without NEARDUP_API_KEY`,
      why: 'anybody who reaches this machine could read and change the index',
    });
  for (const origin of cors) requireOrigin(origin, nameOf('cors'));
  return {
    indexOptions: {},
    version: '0.0.0',
    ...given,
    host,
    port,
    cors,
    limits: { ...defaultLimits, ...given.limits },
  };
}

function requireOrigin(origin: string, option: string): void {
  const isOne = URL.canParse(origin) && new URL(origin).origin === origin;
  if (!isOne) fail('BAD_OPTION', { option, expected: 'an origin such as https://example.org', got: origin });
}
