/** A Redis address → the index there, or room for one. */
import { fail } from '../../errors.ts';
import type { StoreSetup } from '../contract.ts';
import type { WrittenIndexOptions } from '../index-options.ts';
import type { IndexLocation } from '../open-index.ts';
import { parseRedisAddress } from './address.ts';
import { type Connection, connect } from './connection.ts';
import { decodeMade } from './made.ts';
import { defaultLimits, type RedisLimits, RedisStore } from './redis-store.ts';
import { telling, withServerErrors } from './server-errors.ts';

export function redisLocation(location: string, limits: RedisLimits = defaultLimits): IndexLocation {
  const address = parseRedisAddress(location);
  const { index, shown, replicas } = address;
  const key = `neardup:{${index}}:made`;
  let connection: Connection | undefined;
  return {
    name: shown,
    readMade: () =>
      telling(shown, async () => {
        connection = await connect(address);
        const made = await connection.get(key);
        return made === null ? undefined : decodeMade(made, shown);
      }),
    open: (setup: StoreSetup, make: WrittenIndexOptions | undefined) =>
      telling(shown, async () => {
        // Of several processes that make it at once, one does; the others find it made, and are asked to look again.
        if (make && (await connection!.set(key, JSON.stringify(make), 'NX')) === null) {
          const made = decodeMade((await connection!.get(key))!, shown);
          if (JSON.stringify(made.options) !== JSON.stringify(make.options))
            fail('INDEX_OPTIONS', { index: shown, differences: ['other options, by another process, just now'] });
        }
        return withServerErrors(new RedisStore(connection!, index, shown, setup, { ...limits, replicas }), shown);
      }),
    async abandon() {
      connection?.disconnect();
    },
  };
}
