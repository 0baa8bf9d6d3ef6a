/** Ids, one by one → whether each is new. */

/** A JavaScript Set holds 16.7 million entries at most. */
const IDS_IN_A_SET = 2 ** 23;

export class SeenIds {
  #sets: Set<string>[] = [new Set()];

  /** False when the id was there before. */
  add(id: string): boolean {
    if (this.#sets.some(set => set.has(id))) return false;
    if (this.#sets.at(-1)!.size === IDS_IN_A_SET) this.#sets.push(new Set());
    this.#sets.at(-1)!.add(id);
    return true;
  }
}
