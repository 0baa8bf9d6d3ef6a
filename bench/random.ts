/** A seed → numbers that look random and are the same on every machine (xorshift32). */
export interface Random {
  /** A whole number below `bound`. */
  below(bound: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

export function createRandom(seed: number): Random {
  let state = (seed * 2654435761) >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  const below = (bound: number) => Math.floor((next() / 2 ** 32) * bound);
  return { below, pick: items => items[below(items.length)]! };
}
