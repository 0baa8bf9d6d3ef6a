import { Zstd } from '@hpcc-js/wasm-zstd';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../bench/random.ts';
import { BrokenInput } from './codec.ts';
import { decompress } from './decompress.ts';

/** The library that everybody else uses. It writes no checksums. */
const zstd = await Zstd.load();

async function inflate(bytes: Uint8Array, chunkSize = bytes.length): Promise<Buffer> {
  async function* open() {
    for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
  }
  const parts: Uint8Array[] = [];
  for await (const part of decompress({ compression: 'zstd', open })) parts.push(part);
  return Buffer.concat(parts);
}

/** What comes out, or the reason why nothing does. Anything but damage is a defect. */
function outcome(bytes: Uint8Array): Promise<Buffer | string> {
  return inflate(bytes).catch(error => {
    if (!(error instanceof BrokenInput)) throw error;
    return error.message;
  });
}

const text = Buffer.from(
  Array.from(
    { length: 12 },
    (_, i) => `{"id":"${i}","text":"number ${i} is ${i * i} and its cube is ${i ** 3}"}\n`,
  ).join(''),
);
/** What zstd 1.5.4 makes of it, from a pipe: `zstd -19`, and `zstd -3 --no-compress-literals`. */
const [packed, withRawLiterals] = [
  '28b52ffd0468950400f2871711907d4340783dc0cc28e806698fd63f052e608b2fe59ffcffbfbbbffbfbfb2f925ead45fe18a45431659994d01354103ae40f39c720f4c624b24a518690ff7fb08547875fb05706485bf06065f050a39b980a266e8e570ce1820928850e2da811304a6dff3ba0a30e1048914428f603e7ed1ee982c4b651867b72eb8bb9185af9c00cf5b804265e6dd96d50d6fd550718f373',
  '28b52ffd045855060054077b226964223a2230222c2274657874223a226e756d6265722030206973203020616e64206974732063756265227d0a31313131323234383333393237343436363435353235313235363633363231363737343933343338383634353132393938313732393131313031303030313231333331227d0a2d2070a326e9f8bd98d8002576ba1add4888387e48cb3c78611b8358660a781864d929e0719065a780c74196fd141a1e07598653e40863d56482dc7941601c969579613692bdc9c232976536c5456eb0045d060718f373',
].map(hex => Buffer.from(hex, 'hex')) as [Buffer, Buffer];
const skippable = Buffer.from('502a4d1803000000abcdef', 'hex');

test('reads frames, with others between them, in chunks of any size', async () => {
  const file = Buffer.concat([packed, skippable, withRawLiterals, zstd.compress(new Uint8Array(0)), packed, skippable]);
  for (const size of [1, 2, 3, 7, 100, file.length])
    expect(await inflate(file, size)).toEqual(Buffer.concat([text, text, text]));
});

const random = createRandom(5);
const noise = (length: number, values: number) => Uint8Array.from({ length }, () => random.below(values));
const contents: [name: string, make: (length: number) => Uint8Array][] = [
  ['noise', length => noise(length, 256)],
  ['few symbols', length => noise(length, 5)],
  ['one symbol', length => new Uint8Array(length).fill(7)],
  ['a short period', length => Uint8Array.from({ length }, (_, i) => i % 11)],
  ['text', length => Buffer.alloc(length, Array.from({ length: 9000 }, (_, i) => `${i} and ${i * i} `).join(''))],
  [
    'text, noise, text',
    length => Buffer.concat([Buffer.alloc(length, text), noise(length, 256), Buffer.alloc(length, text)]),
  ],
];

describe('what the Zstandard library compresses', () => {
  test.each(contents)('comes back: %s', async (_, make) => {
    for (const length of [0, 1, 2, 17, 255, 256, 1000, 65_792, 131_072, 131_073, 700_000]) {
      const content = Buffer.from(make(length));
      for (const level of length > 100_000 ? [-3, 1, 4] : [-3, 1, 3, 9, 19])
        expect((await inflate(zstd.compress(content, level))).equals(content)).toBe(true);
    }
  });

  test('comes back from a frame that is much longer than its window', async () => {
    zstd.reset();
    zstd.setCompressionLevel(1);
    const chunks = Array.from({ length: 24 }, (_, i) =>
      Buffer.concat([noise(100_000, 256), Buffer.alloc(200_000, `${i}${text}`)]),
    );
    const content = Buffer.concat([...chunks, ...chunks]);
    const frame = Buffer.concat([
      ...[...chunks, ...chunks].map(chunk => zstd.compressChunk(chunk)),
      zstd.compressEnd(),
    ]);
    expect((await inflate(frame, 10_000)).equals(content)).toBe(true);
  });
});

describe('damage', () => {
  test.each([packed, withRawLiterals])('of any one bit is found, where there is a checksum', async frame => {
    for (const damaged of flippedBits(frame)) {
      const found = await outcome(damaged);
      expect(typeof found === 'string' || found.equals(text)).toBe(true);
    }
    expect(await outcome(at(frame, frame.length - 1, 0x40))).toMatch(
      /^broken zstd data near byte \d+: the checksum does not match$/,
    );
  });

  test('is found where the library finds it, without a checksum', async () => {
    for (const content of [text, Buffer.from(noise(300, 5)), Buffer.concat([noise(100, 256), text])]) {
      const frame = zstd.compress(content, 19);
      for (let place = 0; place < frame.length; place++) {
        const damaged = at(frame, place, 1 << random.below(8));
        const found = await outcome(damaged);
        if (typeof found === 'string') continue;
        expect(found.equals(zstd.decompress(damaged))).toBe(true);
      }
    }
  });

  test('a cut is found, wherever it is', async () => {
    for (const file of [packed, Buffer.concat([packed, skippable]), zstd.compress(text)])
      for (let size = 1; size < file.length; size++)
        if (size !== packed.length)
          expect(await outcome(file.subarray(0, size))).toBe('cut off: the zstd data ends too early');
  });

  test('says what it is', async () => {
    const frame = Buffer.from(zstd.compress(Buffer.alloc(300, 'ab'))); // its size stands in bytes 5 and 6, less 256
    expect(await outcome(at(frame, 5, 1))).toMatch(/: its content is not as long as its frame says$/);
    expect(await outcome(Buffer.from('garbage'))).toBe('not zstd data');
    expect(await outcome(Buffer.concat([packed, text]))).toBe(
      `bytes after the end of the zstd data (near byte ${packed.length + 1})`,
    );
    expect(await outcome(hex('28b52ffd 02 58 0102 010000'))).toMatch(
      /: a frame needs the dictionary 513, and dictionaries are not read$/,
    );
    expect(await outcome(hex('28b52ffd 00 a8 010000'))).toMatch(
      /: a frame needs 2048 MB of memory, 128 MB at most are used; zstd -d --long=31 reads it$/,
    );
    expect(await outcome(hex('28b52ffd 00 58 09ffff ff'))).toMatch(/: a block is too large$/);
    expect(await outcome(hex('28b52ffd 00 58 0f0000 ff'))).toMatch(/: a block cannot be decoded$/);
    // A table by which the weights of a Huffman code take no bits at all, so that they never end.
    expect(await outcome(hex('28b52ffd 00 58 7d0000 a2c002 0af107 0101010101010101 00'))).toMatch(
      /: a block cannot be decoded$/,
    );
  });

  test('a declared window takes no memory, and a bomb is met at its first blocks', async () => {
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 50; i++) expect(await outcome(hex('28b52ffd 00 88 090000 61'))).toEqual(Buffer.from('a'));
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20);
    const block = hex('020010 61'); // 128 KB
    const bomb = Buffer.concat([hex('28b52ffd 00 58'), ...Array(1000).fill(block)]);
    let size = 0;
    const limits = { freeBytes: 1_000_000, maxRatio: 500 };
    const open = async function* () {
      yield bomb;
    };
    const inflateBomb = async () => {
      for await (const part of decompress({ compression: 'zstd', open }, limits)) size += part.length;
    };
    await expect(inflateBomb()).rejects.toThrow(/a decompression bomb/);
    expect(size).toBeLessThan(4_000_000);
  });
});

function hex(digits: string): Buffer {
  return Buffer.from(digits.replaceAll(' ', ''), 'hex');
}

/** One byte changed. */
function at(bytes: Uint8Array, place: number, flip: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[place]! ^= flip;
  return changed;
}

function flippedBits(bytes: Uint8Array): Buffer[] {
  return Array.from({ length: bytes.length * 8 }, (_, bit) => at(bytes, bit >> 3, 1 << (bit & 7)));
}
