import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type IndexLocation, locationAt, openIndexIn } from './open-index.ts';

/** An index whose lists of clusters take long to make, as those of a large one do. */
async function openSlowIndex() {
  const place = await locationAt('memory:', false);
  const slow: IndexLocation = {
    ...place,
    async open(...settings) {
      const store = await place.open(...settings);
      return {
        ...store,
        async groups(...range) {
          await setTimeout(50);
          return store.groups(...range);
        },
      };
    },
  };
  return openIndexIn(slow, 'memory:');
}

test('a decision counts at once, even where a list of clusters takes long to make', async () => {
  const index = await openSlowIndex();
  await index.add({ id: 'a', text: 'one two three four five six' });
  await index.add({ id: 'b', text: 'one two three four five six' });
  const decided = async () => (await index.clusters({ state: 'decided' })).clusters.map(({ cluster }) => cluster);
  expect(await decided()).toEqual([]);
  await index.decisions.add({ a: 'a', b: 'b', verdict: 'same' });
  expect(await Promise.all([decided(), decided()])).toEqual([['a'], ['a']]);
  await index.decisions.add({ a: 'a', b: 'b', verdict: 'undecided' });
  expect(await decided()).toEqual([]);
  await index.close();
});
