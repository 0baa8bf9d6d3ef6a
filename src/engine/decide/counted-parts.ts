/** Links between items of one bucket → how many parts those that were admitted to it fall into. */
import type { UnionFind } from '../../cluster/union-find.ts';

export class CountedParts implements UnionFind {
  readonly #linked: UnionFind;
  /** What stands for each part. */
  readonly #roots = new Set<number>();

  constructor(linked: UnionFind) {
    this.#linked = linked;
  }

  get components(): number {
    return this.#linked.components;
  }

  find(item: number): number {
    return this.#linked.find(item);
  }

  union(a: number, b: number): boolean {
    const counted = [a, b].filter(item => this.#roots.delete(this.find(item)));
    const isNew = this.#linked.union(a, b);
    if (counted.length > 0) this.#roots.add(this.find(a));
    return isNew;
  }

  /** Whether the item is in a part, or may be one: there are fewer than `limit`. */
  admits(item: number, limit: number): boolean {
    const root = this.find(item);
    if (!this.#roots.has(root) && this.#roots.size >= limit) return false;
    this.#roots.add(root);
    return true;
  }
}
