/** A file → its bytes, decompressed, without a byte-order mark, in chunks read when they are asked for. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { failReading } from '../files/system-errors.ts';
import { ReadingStopped, untilStopped } from '../files/until-stopped.ts';
import { copyWhileRead } from './compression/copy-while-read.ts';
import { decompress } from './compression/decompress.ts';
import { type InputFile, STANDARD_INPUT } from './find/inputs.ts';
import { isMark } from './records.ts';

const CHUNK = 256 * 1024;

export async function* readBytes(file: InputFile): AsyncGenerator<Uint8Array> {
  for await (const bytes of decompressed(file)) {
    file.onContent?.(bytes.length);
    yield bytes;
  }
}

async function* decompressed(file: InputFile): AsyncGenerator<Uint8Array> {
  const { path, stored = path, compression } = file;
  if (compression === 'none') return yield* storedBytes(stored, file);
  let isFirst = true;
  const open = () => {
    const { onRead, ...again } = file; // bytes that are read again are not progress
    const opened = storedBytes(stored, isFirst ? file : again);
    isFirst = false;
    return opened;
  };
  const isFile = stored !== STANDARD_INPUT && ((await stat(stored).catch(() => undefined))?.isFile() ?? false);
  if (isFile || compression !== 'gzip') return yield* decompress({ compression, open });
  const copied = copyWhileRead(open);
  try {
    yield* decompress({ compression, open: copied.open });
  } finally {
    await copied.discard();
  }
}

async function* storedBytes(path: string, { onRead, stop }: InputFile): AsyncGenerator<Uint8Array> {
  const stream = path === STANDARD_INPUT ? process.stdin : createReadStream(path, { highWaterMark: CHUNK });
  const chunks: AsyncIterator<Buffer> = stop ? untilStopped(stream, stop) : stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await chunks.next().catch(error => {
        if (error instanceof ReadingStopped) throw error;
        return failReading(path, error);
      });
      if (done) return;
      onRead?.(value.length);
      yield value;
    }
  } finally {
    stream.destroy();
  }
}

/** For formats that are text throughout; WARC and one-document files look at the mark themselves. */
export async function* withoutMark(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | undefined = new Uint8Array(0);
  for await (const chunk of chunks) {
    if (start === undefined) {
      yield chunk;
      continue;
    }
    const known: Uint8Array = start.length === 0 ? chunk : Buffer.concat([start, chunk]);
    start = known.length < 3 ? known : undefined;
    if (start === undefined) yield isMark(known) ? known.subarray(3) : known;
  }
  if (start !== undefined && start.length > 0) yield start;
}
