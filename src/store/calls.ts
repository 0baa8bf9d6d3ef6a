/** Calls of an index → a moment when none is under way, so that it can be closed without cutting one short. */
export class Calls {
  #underWay = 0;
  #onEnded: (() => void) | undefined;

  /** Counts what is asked for now until it settles. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#underWay++;
    try {
      return await work();
    } finally {
      if (--this.#underWay === 0) this.#onEnded?.();
    }
  }

  /** Resolves when all that have begun are settled. To be called when no more begin. */
  async ended(): Promise<void> {
    if (this.#underWay === 0) return;
    await new Promise<void>(resolve => {
      this.#onEnded = resolve;
    });
  }
}
