/** The first bytes of a file → what it is, when its name says something else. */
import { open, stat } from 'node:fs/promises';
import { type InputFile, STANDARD_INPUT } from './find/inputs.ts';
import { formats } from './registry.ts';

interface Kind {
  readonly magic: readonly number[];
  readonly format?: string;
  /** `is gzip data: rename it to x.jsonl.gz` */
  readonly told: (name: string) => string;
}

const kinds: readonly Kind[] = [
  { format: 'gzip', magic: [0x1f, 0x8b], told: name => `is gzip data: rename it to ${name}.gz` },
  { format: 'zstd', magic: [0x28, 0xb5, 0x2f, 0xfd], told: name => `is Zstandard data: rename it to ${name}.zst` },
  ...Object.entries(formats).flatMap(
    ([
      format,
      {
        magic,
        label,
        endings: [ending],
      },
    ]) => {
      const told = () => `is a ${label} file: say --format ${format}, or rename it to .${ending}`;
      return magic ? [{ format, magic, told }] : [];
    },
  ),
  { magic: [0xff, 0xfe], told: () => utf16('little') },
  { magic: [0xfe, 0xff], told: () => utf16('big') },
  { magic: [0x42, 0x5a, 0x68], told: () => 'is bzip2 data: decompress it first' },
  { magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a], told: () => 'is xz data: decompress it first' },
  { magic: [0x50, 0x4b, 0x03, 0x04], told: () => 'is a ZIP archive: unpack it first' },
];

function utf16(order: 'little' | 'big'): string {
  return `is UTF-16 text: convert it to UTF-8 first (iconv -f UTF-16${order === 'little' ? 'LE' : 'BE'} -t UTF-8)`;
}

const LONGEST_MAGIC = 8;

/** Undefined when it may be what its name says; standard input is gone once it was read. */
export async function otherKind(file: InputFile): Promise<string | undefined> {
  const { path, stored = path } = file;
  if (stored === STANDARD_INPUT || !(await stat(stored)).isFile()) return undefined;
  const start = await firstBytes(stored);
  const found = kinds.find(({ magic }) => magic.every((byte, at) => start[at] === byte));
  if (found && path === STANDARD_INPUT && isCompression(found)) return `is ${found.format} data: decompress it first`;
  if (found) return isAsNamed(found, file) ? undefined : found.told(path.replace(/\.(gz|zst)$/i, ''));
  // ASCII in UTF-16 without a mark: every other byte is zero.
  if (start[0] !== 0 && start[1] === 0 && start[2] !== 0 && start[3] === 0) return utf16('little');
  if (start[0] === 0 && start[1] !== 0 && start[2] === 0 && start[3] !== 0) return utf16('big');
  return undefined;
}

function isCompression({ format }: Kind): boolean {
  return format === 'gzip' || format === 'zstd';
}

function isAsNamed({ format }: Kind, file: InputFile): boolean {
  return format !== undefined && (format === file.compression || format === file.format);
}

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path).catch(() => undefined);
  try {
    const bytes = Buffer.alloc(LONGEST_MAGIC);
    const { bytesRead = 0 } = (await file?.read(bytes, 0, LONGEST_MAGIC, 0).catch(() => undefined)) ?? {};
    return bytes.subarray(0, bytesRead);
  } finally {
    await file?.close();
  }
}
