/** Components of documents → shares: whole components, each share small enough to be decided on in the memory there is. */
import { createUnionFind } from '../../../cluster/union-find.ts';
import { readColumn } from '../storage/stage-file.ts';
import { type Catalogue, eachRow } from './catalogue.ts';
import type { Numbered, RowsFile } from './link-keyed-items.ts';

/** Arrays have an entry for each document, unless said otherwise; threads share them. */
export interface Dealt {
  /** Of files that hold for this dealing only: another --jobs or --memory has other shares, perhaps as many. */
  readonly name: string;
  readonly shares: number;
  /** The document that stands for its component; `ALONE` for those that are in none. */
  readonly roots: Uint32Array;
  /** The share of a document, of the first one of each text. */
  readonly shareOf: Uint32Array;
  /** The documents of each share, ascending, one share after another; copies of texts are with the first of them. */
  readonly items: Uint32Array;
  /** Where the shares start in `items`, one more at the end. */
  readonly starts: Uint32Array;
  /** Where a document is in its share. */
  readonly places: Uint32Array;
}

export const ALONE = 0xffffffff;

/** Bytes that deciding takes for a document, for each of its buckets, and for each byte of its line, as a set of shingles. */
const BYTES = { document: 64, bucket: 24, line: 1.5 };

export interface DealLimits {
  /** Bytes that a share may take. */
  readonly bytes: number;
  readonly least: number;
  /** Buckets that a document may be in. */
  readonly buckets: number;
}

/** `copiesToo`: documents that only have copies are dealt out, too. */
export function dealOut(
  roots: Uint32Array,
  { chunks, bases }: Numbered,
  catalogue: Catalogue,
  limits: DealLimits,
  copiesToo: boolean,
): Dealt {
  const { firstOf } = catalogue;
  const count = firstOf.length;
  if (copiesToo) addCopies(roots, firstOf);
  const rootOf = (item: number) => roots[firstOf[item]!]!;

  const shareOf = sharedWords(count);
  let total = 0;
  for (const [i, chunk] of chunks.entries()) {
    const lengths = readColumn(chunk, 'lengths', Uint32Array);
    for (let place = 0; place < lengths.length; place++) {
      const item = bases[i]! + place;
      const root = rootOf(item);
      if (root === ALONE) continue;
      const isFirst = firstOf[item] === item;
      const bytes = BYTES.document + (isFirst ? BYTES.bucket * limits.buckets + BYTES.line * lengths[place]! : 0);
      shareOf[root]! = Math.min(0xffffffff, shareOf[root]! + bytes);
      total += bytes;
    }
  }
  const most = Math.min(limits.bytes, Math.max(1, total / limits.least));
  const shares = assignShares(roots, shareOf, most);

  const starts = sharedWords(shares + 1);
  for (let item = 0; item < count; item++) {
    if (roots[item] !== ALONE) shareOf[item] = shareOf[roots[item]!]!;
    if (rootOf(item) !== ALONE) starts[shareOf[rootOf(item)]! + 1]!++;
  }
  for (let share = 0; share < shares; share++) starts[share + 1]! += starts[share]!;
  const items = sharedWords(starts[shares]!);
  const places = sharedWords(count);
  const next = starts.slice();
  for (let item = 0; item < count; item++) {
    const root = rootOf(item);
    if (root === ALONE) continue;
    const share = shareOf[root]!;
    places[item] = next[share]! - starts[share]!;
    items[next[share]!++] = item;
  }
  const name = `${shares}-of-${Math.round(most)}${copiesToo ? '-copies' : ''}`;
  return { name, shares, roots, shareOf, items, starts, places };
}

export function sharedWords(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(length * 4));
}

/** For each document the one that stands for its component, of documents that share a row; `ALONE` for those in none. */
export function findComponents(files: readonly RowsFile[], count: number): Uint32Array {
  const roots = sharedWords(count);
  const components = createUnionFind(count, roots);
  const isLinked = new Uint8Array(count);
  eachRow(files, (items, start, end) => {
    const first = items[start]!;
    isLinked[first] = 1;
    for (let i = start + 1; i < end; i++) {
      components.union(first, items[i]!);
      isLinked[items[i]!] = 1;
    }
  });
  for (let item = 0; item < count; item++) roots[item] = isLinked[item] ? components.find(item) : ALONE;
  return roots;
}

/** All that take part, whether they share anything or not. */
export function oneComponent(active: Uint8Array): Uint32Array {
  const first = active.indexOf(1);
  return sharedWords(active.length).map((_, item) => (active[item] ? first : ALONE));
}

function addCopies(roots: Uint32Array, firstOf: Uint32Array): void {
  for (let item = 0; item < firstOf.length; item++) {
    const first = firstOf[item]!;
    if (first !== item && roots[first] === ALONE) roots[first] = first;
  }
}

/** Puts the share in place of the bytes of each component; returns the number of shares. A component that is too large is a share by itself. */
function assignShares(roots: Uint32Array, bytesOf: Uint32Array, most: number): number {
  let share = 0;
  let used = 0;
  for (let item = 0; item < roots.length; item++) {
    if (roots[item] !== item) continue;
    const bytes = bytesOf[item]!;
    if (used > 0 && used + bytes > most) {
      share++;
      used = 0;
    }
    used += bytes;
    bytesOf[item] = share;
  }
  return share + 1;
}
