/** A long computation that can be left at its checkpoints: a generator that yields at each, and returns the result. */
export type Steps<Result> = Generator<undefined, Result>;

/** To the end in one go, as a worker does. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
