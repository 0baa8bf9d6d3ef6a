/** Members and their resemblances → an order in which neighbours are alike, and a tree of the strongest links. */
import type { ServicePair } from '../service/types.ts';

export class Resemblances {
  readonly #values = new Map<string, number>();

  constructor(pairs: readonly ServicePair[]) {
    for (const { a, b, resemblance } of pairs) this.#values.set(keyOf(a, b), resemblance);
  }

  of(a: string, b: string): number | undefined {
    return a === b ? 1 : this.#values.get(keyOf(a, b));
  }
}

function keyOf(a: string, b: string): string {
  return a < b ? JSON.stringify([a, b]) : JSON.stringify([b, a]);
}

/** From the first member on, always to the one most like the last. */
export function orderByLikeness(members: readonly string[], resemblances: Resemblances): string[] {
  const [first, ...others] = members;
  if (first === undefined) return [];
  const order = [first];
  const left = new Set(others);
  while (left.size > 0) {
    const last = order.at(-1)!;
    let best: string | undefined;
    let most = -1;
    for (const one of left) {
      const value = resemblances.of(last, one) ?? 0;
      if (value > most) [best, most] = [one, value];
    }
    order.push(best!);
    left.delete(best!);
  }
  return order;
}

/** The strongest links that connect all there is to connect: no circle among them. */
export function strongestTree(pairs: readonly ServicePair[]): ServicePair[] {
  const parent = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    while (parent.has(root)) root = parent.get(root)!;
    return root;
  };
  return [...pairs]
    .sort((x, y) => y.resemblance - x.resemblance)
    .filter(({ a, b }) => {
      const [rootA, rootB] = [rootOf(a), rootOf(b)];
      if (rootA === rootB) return false;
      parent.set(rootA, rootB);
      return true;
    });
}
