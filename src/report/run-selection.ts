/** The removals and clusters of a run, gone through once → counts and a bounded selection of them, whatever their number. */
import type { Cluster, Relation, Removal } from '../model.ts';

export interface ShownCluster {
  readonly id: string;
  readonly size: number;
  /** Smallest resemblance of a member to the representative, perhaps estimated. */
  readonly least: number;
  /** The first removed members in input order; `size - 1 - members.length` more are not shown. */
  readonly members: readonly Removal[];
}

type RelationCounts = Readonly<Record<Relation, number>>;

export interface RunSelection {
  /** Removals by resemblance: hundredth i counts those of i/100 up to (i+1)/100; the last, 100, those of exactly 1. */
  readonly hundredths: readonly RelationCounts[];
  /** Clusters by size: at i those of more than 2^i and up to 2^(i+1) documents. */
  readonly sizes: readonly number[];
  /** Largest first. */
  readonly largest: readonly ShownCluster[];
  /** Removals that are neither exact copies nor decided on by people, of the lowest similarity first. */
  readonly lowest: readonly Removal[];
  /** Taken at equal distances from all removals. */
  readonly spread: readonly Removal[];
}

const limits = { clusters: 50, members: 20, lowest: 25, spread: 25 };

/** Clusters first, so that the removals, when they come, are known to be of one that is shown. */
export function selectOfRun(removed: Iterable<Removal>, clusters: Iterable<Cluster>, removals: number): RunSelection {
  const { sizes, largest, waiting } = selectClusters(clusters);
  const hundredths = Array.from({ length: 101 }, () => ({ exact: 0, near: 0, contained: 0, decided: 0 }));
  const lowest = createBest<Removal>(limits.lowest);
  const spread: Removal[] = [];
  const step = Math.max(1, Math.ceil(removals / limits.spread));
  let at = 0;
  for (const removal of removed) {
    hundredths[hundredthOf(resemblanceOf(removal))]![removal.relation]++;
    waiting.get(removal.id)?.push(removal);
    if (removal.relation !== 'exact' && removal.relation !== 'decided')
      lowest.offer(-similarityOf(removal), () => removal);
    if (at++ % step === 0) spread.push(removal);
  }
  return { hundredths, sizes, largest, lowest: lowest.items(), spread };
}

interface SelectedClusters extends Pick<RunSelection, 'sizes' | 'largest'> {
  /** Id of a removed document → the list of members its removal goes to. */
  readonly waiting: ReadonlyMap<string, Removal[]>;
}

function selectClusters(clusters: Iterable<Cluster>): SelectedClusters {
  const sizes: number[] = [];
  const best = createBest<ShownCluster & { ids: readonly string[]; members: Removal[] }>(limits.clusters);
  for (const cluster of clusters) {
    const power = Math.ceil(Math.log2(cluster.size)) - 1;
    while (sizes.length <= power) sizes.push(0);
    sizes[power]!++;
    best.offer(cluster.size, () => ({
      id: cluster.representative,
      size: cluster.size,
      least: cluster.minResemblance ?? cluster.minEstimatedResemblance ?? 0,
      ids: firstRemoved(cluster),
      members: [],
    }));
  }
  // By the members' ids and not the cluster's: a document of the reference set may have the id of another.
  const waiting = new Map<string, Removal[]>();
  for (const { ids, members } of best.items()) for (const id of ids) waiting.set(id, members);
  return { sizes, largest: best.items(), waiting };
}

/** Members without the representative, which is the first of its id. */
function firstRemoved({ members, representative }: Cluster): string[] {
  const first = members.slice(0, limits.members + 1);
  const at = first.indexOf(representative);
  return at < 0 ? first.slice(0, limits.members) : first.toSpliced(at, 1);
}

export function resemblanceOf({ resemblance, estimatedResemblance }: Removal): number {
  return resemblance ?? estimatedResemblance ?? 0;
}

/** What was held against the threshold. */
function similarityOf(removal: Removal): number {
  const { relation, containment, editSimilarity } = removal;
  if (editSimilarity !== undefined) return editSimilarity;
  return relation === 'contained' && containment !== undefined ? containment : resemblanceOf(removal);
}

/** 0.29 · 100 is 28.999999999999996, and belongs to 29 all the same; nothing below 1 counts as 1. */
function hundredthOf(resemblance: number): number {
  return resemblance >= 1 ? 100 : Math.min(99, Math.max(0, Math.floor(resemblance * 100 + 1e-9)));
}

/** Keeps the items of the highest scores, highest first, of equal ones the earlier; others are not even made. */
function createBest<Item>(capacity: number) {
  const kept: { readonly item: Item; readonly score: number }[] = [];
  return {
    offer(score: number, make: () => Item): void {
      if (kept.length === capacity && score <= kept[capacity - 1]!.score) return;
      const at = kept.findIndex(other => other.score < score);
      kept.splice(at < 0 ? kept.length : at, 0, { item: make(), score });
      if (kept.length > capacity) kept.pop();
    },
    items: (): Item[] => kept.map(({ item }) => item),
  };
}
