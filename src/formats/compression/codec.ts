/** A compressing or decompressing stream → calls that give the bytes each piece of input turned into. */
import type { Transform } from 'node:stream';

/** The file's content, not the operating system, stops us: damage, and what came before is used. */
export class BrokenInput extends Error {}

export interface Codec {
  write(chunk: Uint8Array): Promise<Iterable<Uint8Array>>;
  end(): Promise<Iterable<Uint8Array>>;
  /** Bytes that were taken in; fewer than were written when the stream was over before. */
  used?(): number;
}

/**
 * Neither pipes nor async iteration would do: when a stream fails, they drop what it had already given, and of a file
 * that was cut off we want everything up to the cut. So what comes out before the failure is thrown with it.
 */
export class CodecError extends Error {
  readonly output: readonly Uint8Array[];
  readonly isCutOff: boolean;

  constructor(cause: unknown, output: readonly Uint8Array[], isCutOff: boolean) {
    super((cause as Error).message, { cause });
    this.output = output;
    this.isCutOff = isCutOff;
  }
}

export function codecOf(
  stream: Transform & { readonly bytesWritten: number },
  onOutput: (bytes: number) => void = () => {},
): Codec {
  let output: Uint8Array[] = [];
  let failure: (Error & { code?: string }) | undefined;
  let resume = () => {};
  stream.on('error', error => {
    failure ??= error;
  });
  // A stream that fails never calls back for the write it failed at; but it always closes.
  stream.once('close', () => resume());
  stream.on('data', (chunk: Uint8Array) => {
    output.push(chunk);
    try {
      onOutput(chunk.length);
    } catch (error) {
      stream.destroy(error as Error);
    }
  });
  const run = async (start: (done: () => void) => void) => {
    await new Promise<void>(resolve => {
      resume = resolve;
      start(resolve);
    });
    const settled = output;
    output = [];
    if (failure) throw new CodecError(failure, settled, failure.code === 'Z_BUF_ERROR');
    return settled;
  };
  return {
    write: chunk => run(done => stream.write(chunk, () => done())),
    used: () => stream.bytesWritten,
    end: () => run(() => stream.end()), // done when it closes: then all output is there
  };
}
