/** Zstandard bytes, as they come → the content of their frames, whose sizes and checksums are compared. RFC 8878, 3.1. */
import { createZstdDecoder, MAX_BLOCK, type ZstdDecoder } from '../../kernel/zstd-decoder.ts';
import { BrokenInput, type Codec } from './codec.ts';

/** What zstd(1) takes unless told otherwise. As much of the content has to stay in memory. */
const MAX_WINDOW = 128 * 2 ** 20;

const MAGIC = 0xfd2fb528;
/** The lowest of 16 numbers that begin frames of something else, to be passed over. */
const SKIPPABLE = 0x184d2a50;

export async function openZstd(onOutput: (bytes: number) => void): Promise<Codec> {
  const input = new Input();
  const frames = readFrames(input, await createZstdDecoder(), onOutput);
  return {
    write: async chunk => {
      input.add(chunk);
      return blocksSoFar(frames);
    },
    end: async () => {
      if (!input.isBetweenFrames || input.length > 0) throw new BrokenInput('cut off: the zstd data ends too early');
      return [];
    },
  };
}

/** One at a time, so that a bomb is met before it is in memory. */
function* blocksSoFar(frames: Frames): Generator<Uint8Array> {
  for (let { value } = frames.next(); value !== undefined; { value } = frames.next()) yield value;
}

/** The blocks; undefined where more input has to come first. */
type Frames<Result = never> = Generator<Uint8Array | undefined, Result>;

function* readFrames(input: Input, decoder: ZstdDecoder, onOutput: (bytes: number) => void): Frames {
  for (;;) {
    input.isBetweenFrames = true;
    const magic = readNumber(yield* take(input, 4));
    input.isBetweenFrames = false;
    if (magic === MAGIC) yield* readFrame(input, decoder, onOutput);
    else if (magic >>> 4 === SKIPPABLE >>> 4) yield* skip(input, readNumber(yield* take(input, 4)));
    else if (input.taken === 4) throw new BrokenInput('not zstd data');
    else throw new BrokenInput(`bytes after the end of the zstd data (near byte ${input.taken - 3})`);
  }
}

function* readFrame(input: Input, decoder: ZstdDecoder, onOutput: (bytes: number) => void): Frames<void> {
  const { windowSize, contentSize, hasChecksum } = yield* readHeader(input);
  decoder.beginFrame(windowSize);
  let size = 0;
  for (let isLast = false; !isLast; ) {
    const head = readNumber(yield* take(input, 3));
    isLast = (head & 1) === 1;
    const block = yield* readBlock(input, decoder, (head >>> 1) & 3, head >>> 3);
    size += block.length;
    onOutput(block.length);
    if (size > contentSize || (isLast && contentSize !== Number.POSITIVE_INFINITY && size !== contentSize))
      failNear(input, 'its content is not as long as its frame says');
    if (block.length > 0) yield block;
  }
  if (hasChecksum && readNumber(yield* take(input, 4)) !== decoder.checksum())
    failNear(input, 'the checksum does not match');
}

function* readBlock(input: Input, decoder: ZstdDecoder, type: number, size: number): Frames<Uint8Array> {
  if (size > MAX_BLOCK) failNear(input, 'a block is too large');
  if (type === RAW) return decoder.raw(yield* take(input, size));
  if (type === REPEATED) return decoder.repeated((yield* take(input, 1))[0]!, size);
  const block = type === COMPRESSED ? decoder.compressed(yield* take(input, size)) : undefined;
  return block ?? failNear(input, 'a block cannot be decoded');
}

const [RAW, REPEATED, COMPRESSED] = [0, 1, 2];

interface Header {
  /** How far back a block may refer. */
  readonly windowSize: number;
  /** Infinite where it is not told. */
  readonly contentSize: number;
  readonly hasChecksum: boolean;
}

/** Header: [ descriptor | window, unless it is the content | dictionary | content size ] */
function* readHeader(input: Input): Frames<Header> {
  const descriptor = (yield* take(input, 1))[0]!;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  if (descriptor & 8) failNear(input, 'a frame has a reserved bit set');
  const window = isSingleSegment ? 0 : (yield* take(input, 1))[0]!;
  const dictionary = readNumber(yield* take(input, [0, 1, 2, 4][descriptor & 3]!));
  if (dictionary !== 0) failNear(input, `a frame needs the dictionary ${dictionary}, and dictionaries are not read`);
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >>> 6]!;
  const told = readNumber(yield* take(input, sizeBytes)) + (sizeBytes === 2 ? 256 : 0);
  const contentSize = sizeBytes === 0 ? Number.POSITIVE_INFINITY : told;
  const windowSize = Math.min(
    isSingleSegment ? told : 2 ** (10 + (window >>> 3)) * (1 + (window & 7) / 8),
    contentSize,
  );
  if (windowSize > MAX_WINDOW)
    failNear(
      input,
      `a frame needs ${Math.ceil(windowSize / 2 ** 20)} MB of memory, 128 MB at most are used; ` +
        `zstd -d --long=${Math.ceil(Math.log2(windowSize))} reads it`,
    );
  return { windowSize, contentSize, hasChecksum: (descriptor & 4) !== 0 };
}

function failNear({ taken }: Input, reason: string): never {
  throw new BrokenInput(`broken zstd data near byte ${taken}: ${reason}`);
}

/** Little-endian. Beyond 2⁵³ it is rounded: no file is that large. */
function readNumber(bytes: Uint8Array): number {
  return bytes.reduceRight((number, byte) => number * 256 + byte, 0);
}

function* take(input: Input, size: number): Generator<undefined, Uint8Array> {
  while (input.length < size) yield undefined;
  return input.take(size);
}

function* skip(input: Input, size: number): Generator<undefined, void> {
  for (let left = size; left > 0; ) {
    const here = Math.min(left, input.length);
    input.take(here);
    left -= here;
    if (left > 0) yield undefined;
  }
}

/** Chunks that are not used up yet. */
class Input {
  /** The file may end here. */
  isBetweenFrames = true;
  length = 0;
  taken = 0;
  #chunks: Uint8Array[] = [];

  add(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.length += chunk.length;
  }

  take(size: number): Uint8Array {
    const [first = new Uint8Array(0)] = this.#chunks;
    const bytes = first.length >= size ? first : Buffer.concat(this.#chunks);
    this.#chunks = [bytes.subarray(size), ...(bytes === first ? this.#chunks.slice(1) : [])];
    this.length -= size;
    this.taken += size;
    return bytes.subarray(0, size);
  }
}
