/** A Redis address → the index there, or room for one. */
import type { StoreSetup } from '../contract.ts';
import type { WrittenIndexOptions } from '../index-options.ts';
import type { Place } from '../open-index.ts';
import { connect, type RedisPlace } from './connection.ts';
import { defaultLimits, type RedisLimits, RedisStore } from './redis-store.ts';

export function redisPlace(location: string, limits: RedisLimits = defaultLimits): Place {
  let place: RedisPlace | undefined;
  const key = () => `neardup:{${place!.name}}:made`;
  return {
    async readMade() {
      place = await connect(location);
      const made = await place.connection.get(key());
      return made === null ? undefined : (JSON.parse(made) as WrittenIndexOptions);
    },
    async open(setup: StoreSetup, make: WrittenIndexOptions | undefined) {
      const { connection, name } = place!;
      // Of several processes that make it at once, one does; the others find it made, and are asked to look again.
      if (make && (await connection.set(key(), JSON.stringify(make), 'NX')) === null) {
        const made = JSON.parse((await connection.get(key()))!) as WrittenIndexOptions;
        if (JSON.stringify(made.options) !== JSON.stringify(make.options))
          throw new Error(`the index ${location} was just made with other options by another process`);
      }
      return new RedisStore(connection, name, location, setup, limits);
    },
    async abandon() {
      place?.connection.disconnect();
    },
  };
}
