/** A signal → promises that fail with its reason once it is given. */

/**
 * Lets nobody wait for what may never come. Not `Promise.race`: against a promise that stays open, each race would stay in
 * memory with its value, which for a stream of documents is all of them.
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
