/** A stream and a signal → its chunks; after the signal only what was read before it, and then the reading is stopped. */
import type { Readable } from 'node:stream';

/** Not a failure: somebody asked to stop. Of the record that was being read the rest is missing. */
export class ReadingStopped extends Error {}

export async function* untilStopped(stream: Readable, stop: AbortSignal): AsyncGenerator<Buffer> {
  let wake = () => {};
  const changed = () => wake();
  const rest: Buffer[] = [];
  // All at once: bytes that are taken from a pipe later, and not given on, would be gone for whoever reads it next.
  const stopReading = () => {
    rest.push(...buffered(stream));
    stream.destroy();
    wake();
  };
  for (const event of ['readable', 'end', 'error', 'close']) stream.on(event, changed);
  if (stop.aborted) stopReading();
  else stop.addEventListener('abort', stopReading, { once: true });
  try {
    while (!stop.aborted) {
      const chunk: Buffer | null = stream.read();
      if (chunk !== null) yield chunk;
      else if (stream.errored) throw stream.errored;
      else if (stream.readableEnded || stream.destroyed) return;
      else
        await new Promise<void>(resolve => {
          wake = resolve;
        });
    }
    yield* rest;
    throw new ReadingStopped();
  } finally {
    stop.removeEventListener('abort', stopReading);
    stream.destroy();
  }
}

function* buffered(stream: Readable): Generator<Buffer> {
  for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) yield chunk;
}
