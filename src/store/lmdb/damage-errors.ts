/** A store on LMDB → the same; what LMDB says when it cannot read its own pages becomes an error that names the index. */
import { fail, NeardupError } from '../../errors.ts';
import type { Store } from '../contract.ts';

export function withDamageErrors(store: Store, index: string): Store {
  const tell = (error: unknown): never => {
    if (error instanceof NeardupError) throw error;
    return fail('INDEX_DAMAGED', { index, what: `LMDB says ${(error as Error).message}` }, error);
  };
  const telling = async function* <Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
    const iterator = items[Symbol.asyncIterator]();
    for (;;) {
      const next = await iterator.next().catch(tell);
      if (next.done) return;
      yield next.value;
    }
  };
  return {
    // What is done there has errors of its own.
    exclusively: work => store.exclusively(work),
    state: () => store.state().catch(tell),
    find: keys => store.find(keys).catch(tell),
    read: numbers => store.read(numbers).catch(tell),
    lost: (numbers, keys) => store.lost(numbers, keys).catch(tell),
    apply: change => store.apply(change).catch(tell),
    membersOf: number => store.membersOf(number).catch(tell),
    groups: (from, limit) => store.groups(from, limit).catch(tell),
    entries: from => telling(store.entries(from)),
    decisions: store.decisions,
    check: () => telling(store.check()),
    size: () => store.size(),
    backup: path => store.backup(path),
    compact: () => store.compact().catch(tell),
    close: () => store.close(),
  };
}
