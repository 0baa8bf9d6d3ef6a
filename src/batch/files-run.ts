/** A run over files: await it for its summary, or iterate it for what it finds. It starts when either begins. */

type Start<Item, Summary> = (
  signal: AbortSignal,
  onItems?: (items: readonly Item[]) => Promise<void>,
) => Promise<Summary>;

export class FilesRun<Item, Summary> implements PromiseLike<Summary>, AsyncIterable<Item> {
  readonly #start: Start<Item, Summary>;
  readonly #aborting = new AbortController();
  #summary: Promise<Summary> | undefined;

  constructor(signal: AbortSignal | undefined, start: Start<Item, Summary>) {
    this.#start = start;
    if (signal?.aborted) this.#aborting.abort(signal.reason);
    signal?.addEventListener('abort', () => this.#aborting.abort(signal.reason), { once: true });
  }

  // biome-ignore lint/suspicious/noThenProperty: like a promise, it is awaited
  then<Done = Summary, Failed = never>(
    onDone?: ((summary: Summary) => Done | PromiseLike<Done>) | null,
    onFailed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.#run().then(onDone, onFailed);
  }

  catch<Failed = never>(
    onFailed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Summary | Failed> {
    return this.#run().catch(onFailed);
  }

  finally(onSettled?: (() => void) | null): Promise<Summary> {
    return this.#run().finally(onSettled);
  }

  /** It can be iterated once. Leaving the loop early ends the run. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    if (this.#summary) throw new Error('this run was started before; call again for its items');
    const waiting: (readonly Item[])[] = [];
    let wake = () => {};
    let taken = () => {};
    let isOver = false;
    const summary = this.#run(items => {
      waiting.push(items);
      wake();
      return new Promise<void>(resolve => {
        taken = resolve;
      });
    });
    const over = summary
      .then(
        () => {},
        () => {},
      )
      .then(() => {
        isOver = true;
        wake();
      });
    try {
      for (;;) {
        const items = waiting.shift();
        if (items) {
          yield* items;
          taken();
        } else if (isOver) break;
        else
          await new Promise<void>(resolve => {
            wake = resolve;
            if (isOver || waiting.length > 0) resolve();
          });
      }
      await summary;
    } finally {
      if (!isOver) {
        this.#aborting.abort();
        taken();
        await over;
      }
    }
  }

  #run(onItems?: (items: readonly Item[]) => Promise<void>): Promise<Summary> {
    this.#summary ??= this.#startOnce(onItems);
    return this.#summary;
  }

  /** Wrong options reject the promise, as every other failure does. */
  async #startOnce(onItems?: (items: readonly Item[]) => Promise<void>): Promise<Summary> {
    return this.#start(this.#aborting.signal, onItems);
  }
}
