/** Members and their resemblances → an order in which neighbours are alike. */
import type { ServicePair } from '../service/types.ts';

export class Resemblances {
  readonly #values = new Map<string, Map<string, number>>();

  constructor(pairs: readonly ServicePair[]) {
    for (const { a, b, resemblance } of pairs) this.#of(a < b ? a : b).set(a < b ? b : a, resemblance);
  }

  of(a: string, b: string): number | undefined {
    return a === b ? 1 : this.#values.get(a < b ? a : b)?.get(a < b ? b : a);
  }

  #of(id: string): Map<string, number> {
    const known = this.#values.get(id) ?? new Map<string, number>();
    this.#values.set(id, known);
    return known;
  }
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
