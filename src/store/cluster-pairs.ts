/** The entries of a cluster → how alike its members are: by their texts where they are stored, else by what was said when they came in. */
import type { Document } from '../model.ts';
import type { Entry } from './record.ts';
import type { PairValues, Tasks } from './threads/tasks.ts';

export interface ClusterPairsQuery {
  /** Pairs at most: 1000 unless given. */
  readonly limit?: number;
  /** Only the links of a tree that connects all members by the strongest there are, in place of all pairs. */
  readonly tree?: boolean;
}

export interface ClusterPairs {
  /** `a` was added before `b`, but for a tree. First the representative with each member, then each member with each before it. */
  readonly pairs: readonly PairValues[];
  /** Members whose text is not stored. They were compared with the representative when they came in, and are with nobody else. */
  readonly notStored: number;
  /** Pairs there are. */
  readonly total: number;
}

export interface PairTools {
  compareAll(input: Tasks['pairs']['input']): Promise<Tasks['pairs']['output']>;
  /** Shingles of a stored document. */
  sizeOf(entry: Entry): Promise<number>;
}

/** Texts that are compared with each other, and bytes of them as they are stored. */
const MOST_COMPARED = 2000;
const MOST_BYTES = 64 * 2 ** 20;

/**
 * `entries`: the representative first. Each member came in as a duplicate of the document most like it, so its pair with the
 * representative is the one that counts, and needs no text.
 */
export async function clusterPairs(
  entries: readonly Entry[],
  { limit, tree }: Required<ClusterPairsQuery>,
  { compareAll, sizeOf }: PairTools,
): Promise<ClusterPairs> {
  const [representative, ...members] = entries;
  const notStored = entries.filter(({ isStored }) => !isStored).length;
  const size = representative!.isStored ? await sizeOf(representative!) : undefined;
  const total = (entries.length * members.length) / 2;
  if (tree) return { pairs: await treeOf(entries, limit, size, compareAll), notStored, total };
  const known = members.slice(0, limit).map(member => knownPair(representative!, member, size));
  const left = limit - known.length;
  const compared =
    left > 0 ? await compareAll({ documents: comparable(members, documentsFor(left)), limit: left }) : [];
  return { pairs: [...known, ...compared], notStored, total };
}

/** Members whose text is not stored, or that are too many, hang on the representative: of them no other link is known. */
async function treeOf(
  entries: readonly Entry[],
  limit: number,
  size: number | undefined,
  compareAll: PairTools['compareAll'],
): Promise<PairValues[]> {
  const [representative, ...members] = entries;
  const isText = representative!.document?.text !== undefined;
  const alike = entries.filter(({ document }) => document && (document.text !== undefined) === isText);
  const documents = representative!.isStored ? comparable(alike, MOST_COMPARED) : [];
  const links = documents.length > 1 ? await compareAll({ documents, limit, isTree: true }) : [];
  const linked = new Set(documents.map(({ id }) => id));
  const others = members.filter(({ id }) => !linked.has(id));
  return [...links, ...others.map(member => knownPair(representative!, member, size))].slice(0, limit);
}

/** Of n documents there are n(n − 1)/2 pairs. */
function documentsFor(pairs: number): number {
  return Math.min(MOST_COMPARED, Math.ceil((1 + Math.sqrt(1 + 8 * pairs)) / 2));
}

function comparable(entries: readonly Entry[], most: number): Tasks['pairs']['input']['documents'] {
  const documents: (Pick<Document, 'text' | 'set'> & { id: string })[] = [];
  let bytes = 0;
  for (const entry of entries) {
    if (documents.length === most || bytes > MOST_BYTES) break;
    const { document } = entry;
    if (!document) continue;
    bytes += entry.bytes.length;
    const { id, text, set } = document;
    documents.push(text === undefined ? { id, set: set! } : { id, text });
  }
  return documents;
}

/**
 * What its verdict says. With |A∩B| as the unit, B has 1/containment elements and both together have 1/resemblance, which gives the
 * containment of A. Where the size of A is known, the nearest share of it is the exact value.
 */
function knownPair({ id: a }: Entry, { id: b, verdict }: Entry, size: number | undefined): PairValues {
  const { status, resemblance = 0, containment = 0 } = verdict;
  if (status === 'exact' || resemblance === 0)
    return { a, b, resemblance, containmentAB: resemblance, containmentBA: containment };
  const share = Math.min(1, 1 / (1 / resemblance + 1 - 1 / containment));
  const containmentAB = size ? Math.round(share * size) / size : share;
  return { a, b, resemblance, containmentAB, containmentBA: containment };
}
