/** Entries that are duplicates of others → clusters: a document, and those whose verdict names it. */
import type { Cluster } from '../model.ts';
import { parseInteger } from '../options.ts';
import type { Group, Store } from './contract.ts';
import type { ReadEntries } from './read-entries.ts';
import type { Entry } from './record.ts';

export interface ClusterQuery {
  /** Clusters at most. */
  readonly limit?: number;
  /** From a page before this one. */
  readonly cursor?: string;
  /** Documents a cluster must have. */
  readonly minSize?: number;
}

export interface ClusterPage {
  readonly clusters: readonly Cluster[];
  /** The cursor of the next page, when there is one. */
  readonly next?: string;
}

const PAGE = 100;
/** Groups looked at in one go: small ones may all be left out. */
const READ_AHEAD = 256;

type Source = Pick<Store, 'groups' | 'membersOf'>;

/** In the order in which their representatives were added. */
export async function clusterPage(
  store: Source,
  read: ReadEntries,
  { limit = PAGE, cursor = '0', minSize = 2 }: ClusterQuery,
): Promise<ClusterPage> {
  const clusters: Cluster[] = [];
  parseInteger(limit, 'limit', 1, 2 ** 32);
  parseInteger(minSize, 'minSize', 1, 2 ** 32);
  for (let from = parseInteger(cursor, 'cursor', 0, 2 ** 32); ; ) {
    const groups = await store.groups(from, READ_AHEAD);
    for (const group of groups) {
      if (group.members.length + 1 < minSize) continue;
      if (clusters.length === limit) return { clusters, next: String(group.of) };
      const cluster = await clusterOf(read, group);
      if (cluster) clusters.push(cluster);
    }
    if (groups.length < READ_AHEAD) return { clusters };
    from = groups.at(-1)!.of + 1;
  }
}

/** The cluster it represents; if it represents none, the one it is in. */
export async function clusterWith(store: Source, read: ReadEntries, entry: Entry): Promise<Cluster | undefined> {
  const own = await store.membersOf(entry.number);
  if (own.length > 0) return clusterOf(read, { of: entry.number, members: own });
  if (entry.ofNumber === undefined) return undefined;
  return clusterOf(read, { of: entry.ofNumber, members: await store.membersOf(entry.ofNumber) });
}

/** Undefined when it was removed meanwhile. */
async function clusterOf(read: ReadEntries, { of, members }: Group): Promise<Cluster | undefined> {
  const entries = (await read([of, ...members], { of })).filter(entry => entry !== undefined);
  const [representative, ...others] = entries;
  if (representative?.number !== of || others.length === 0) return undefined;
  const { id } = representative;
  return {
    cluster: id,
    size: entries.length,
    representative: id,
    members: entries.map(entry => entry.id),
    minResemblance: Math.min(...others.map(({ verdict }) => verdict.resemblance!)),
  };
}
