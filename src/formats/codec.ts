/** A compressing or decompressing stream → calls that give the bytes each piece of input turned into. */
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';

export interface Codec {
  write(chunk: Uint8Array): Promise<Uint8Array[]>;
  end(): Promise<Uint8Array[]>;
}

/** Node 22.15 has Zstandard in node:zlib; the types of Node 20 do not. */
export const nativeZstd = zlib as unknown as {
  readonly createZstdCompress?: () => Transform;
  readonly createZstdDecompress?: () => Transform;
};

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

export function codecOf(stream: Transform, onOutput: (bytes: number) => void = () => {}): Codec {
  let output: Uint8Array[] = [];
  let failure: (Error & { code?: string }) | undefined;
  stream.on('error', error => {
    failure ??= error;
  });
  stream.on('data', (chunk: Uint8Array) => {
    output.push(chunk);
    try {
      onOutput(chunk.length);
    } catch (error) {
      stream.destroy(error as Error);
    }
  });
  const settle = () => {
    const settled = output;
    output = [];
    if (failure) throw new CodecError(failure, settled, failure.code === 'Z_BUF_ERROR');
    return settled;
  };
  return {
    write: async chunk => {
      await new Promise(resolve => stream.write(chunk, resolve));
      return settle();
    },
    end: async () => {
      await new Promise(resolve => {
        stream.once('close', resolve);
        stream.end();
      });
      return settle();
    },
  };
}
