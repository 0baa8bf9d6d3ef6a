/** Entries that are duplicates of others → clusters: a document, and those whose verdict names it. */
import { contentText } from '../decisions/decision.ts';
import type { DecisionBook } from '../decisions/decision-book.ts';
import type { Cluster } from '../model.ts';
import type { Group, Store } from './contract.ts';
import type { ReadEntries } from './read-entries.ts';
import type { Entry } from './record.ts';

/** `decided`: somebody said of each of its documents whether it is the same as the representative. */
export type ClusterState = 'open' | 'decided';

export interface IndexCluster extends Cluster {
  readonly state: ClusterState;
  /** Its members whose text is stored. */
  readonly stored: readonly string[];
}

export interface ClusterReading {
  readonly read: ReadEntries;
  readonly book: DecisionBook;
  /** Whether the content hashes of entries are those that decisions name. */
  readonly hasTheirContents: boolean;
}

export type ClusterSource = Pick<Store, 'groups' | 'membersOf'>;

/** The cluster it represents; if it represents none, the one it is in. */
export async function clusterWith(
  store: ClusterSource,
  reading: ClusterReading,
  entry: Entry,
): Promise<IndexCluster | undefined> {
  const entries = await clusterEntries(store, reading, entry);
  return entries && describe(reading, entries);
}

/** The entries of the same, the representative first. */
export async function clusterEntries(
  store: ClusterSource,
  reading: ClusterReading,
  entry: Entry,
): Promise<readonly Entry[] | undefined> {
  const own = await store.membersOf(entry.number);
  if (own.length > 0) return entriesOf(reading, { of: entry.number, members: own });
  if (entry.ofNumber === undefined) return undefined;
  return entriesOf(reading, { of: entry.ofNumber, members: await store.membersOf(entry.ofNumber) });
}

/** Undefined when it was removed meanwhile. */
export async function clusterOf(reading: ClusterReading, group: Group): Promise<IndexCluster | undefined> {
  const entries = await entriesOf(reading, group);
  return entries && describe(reading, entries);
}

async function entriesOf({ read }: ClusterReading, { of, members }: Group): Promise<readonly Entry[] | undefined> {
  const entries = (await read([of, ...members], { of })).filter(entry => entry !== undefined);
  return entries[0]?.number === of && entries.length > 1 ? entries : undefined;
}

function describe(reading: ClusterReading, entries: readonly Entry[]): IndexCluster {
  const { id } = entries[0]!;
  return {
    cluster: id,
    size: entries.length,
    representative: id,
    members: entries.map(entry => entry.id),
    minResemblance: leastResemblance(entries.slice(1)),
    state: stateOf(reading, entries),
    stored: entries.filter(({ isStored }) => isStored).map(entry => entry.id),
  };
}

export function leastResemblance(members: readonly Entry[]): number {
  return members.reduce((least, { verdict }) => Math.min(least, verdict.resemblance!), 1);
}

/** The representative comes first. */
export function stateOf({ book, hasTheirContents }: ClusterReading, entries: readonly Entry[]): ClusterState {
  const [representative, ...others] = entries.map(({ id }) => id);
  // Most have nothing said of them, and the others may be many.
  if (book.partnersOf(representative!).size < others.length) return 'open';
  const contents = new Map(hasTheirContents ? entries.map(({ id, content }) => [id, contentText(content)]) : []);
  const isDecided = (id: string) => book.decided(representative!, id, one => contents.get(one)) !== undefined;
  return others.every(isDecided) ? 'decided' : 'open';
}
