/** A signal → promises that fail with its reason as soon as it is aborted. */

/**
 * For waiting on something that may never come. `Promise.race` will not do: each race against a promise that stays open stays
 * in memory with its value, and for a stream of documents these are all documents.
 */
export function untilAborted(signal: AbortSignal | undefined) {
  const waiting = new Set<(reason: unknown) => void>();
  const tell = () => {
    for (const reject of waiting) reject(signal!.reason);
  };
  signal?.addEventListener('abort', tell);
  return {
    race<Value>(value: Value | Promise<Value>): Promise<Value> {
      const first = signal ? unlessTold(value, waiting) : Promise.resolve(value);
      // It may fail before it is looked at.
      first.catch(() => {});
      return first;
    },
    end: () => signal?.removeEventListener('abort', tell),
  };
}

function unlessTold<Value>(value: Value | Promise<Value>, waiting: Set<(reason: unknown) => void>): Promise<Value> {
  return new Promise((resolve, reject) => {
    waiting.add(reject);
    const settle = (finish: () => void) => {
      waiting.delete(reject);
      finish();
    };
    Promise.resolve(value).then(
      result => settle(() => resolve(result)),
      error => settle(() => reject(error)),
    );
  });
}
