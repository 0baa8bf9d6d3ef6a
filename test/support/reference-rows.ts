/** Keyed items of chunks → rows of those that share a key: the slow twin of kernel/rows.ts, in plain maps. */

/** The words of a key, the low half first, and the document in its chunk. */
export interface KeyedItem {
  readonly key: readonly number[];
  readonly item: number;
}

/** In the order of the low halves; keys with the same one in the order they came. */
export function rowsByKey(
  chunks: readonly (readonly KeyedItem[])[],
  bases: readonly number[],
  takesPart: (item: number, low: number) => boolean,
): number[][] {
  const rows = new Map<string, { readonly low: number; readonly items: Set<number> }>();
  for (const [chunk, keyed] of chunks.entries())
    for (const { key, item } of keyed) {
      const document = bases[chunk]! + item;
      if (!takesPart(document, key[0]!)) continue;
      const name = key.join(' ');
      const row = rows.get(name) ?? { low: key[0]!, items: new Set() };
      rows.set(name, row);
      row.items.add(document);
    }
  const shared = [...rows.values()].filter(({ items }) => items.size > 1);
  return shared.sort((a, b) => a.low - b.low).map(({ items }) => [...items]);
}
