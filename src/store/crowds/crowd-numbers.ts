/** Entries that were read → whether they are documents of crowds, a byte for each: the next one who asks need not read them. */

const [UNKNOWN, OTHER, OF_CROWD] = [0, 1, 2];

export class CrowdNumbers {
  #kinds = new Uint8Array(1024);

  /** Only of entries that are in the store: the number of one that is not may become that of another. */
  note(number: number, isOfCrowd: boolean): void {
    if (number >= this.#kinds.length) {
      const kinds = new Uint8Array(2 * number);
      kinds.set(this.#kinds);
      this.#kinds = kinds;
    }
    this.#kinds[number] = isOfCrowd ? OF_CROWD : OTHER;
  }

  /** Undefined if it was not read. */
  has(number: number): boolean | undefined {
    const kind = this.#kinds[number] ?? UNKNOWN;
    return kind === UNKNOWN ? undefined : kind === OF_CROWD;
  }
}
