/** Columns of numbers ↔ a file with a checksum at its end: what a stage leaves behind, for the next stage and for a resumed run. */
import { closeSync, openSync, readFileSync, readSync, renameSync, writevSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { failWriting } from '../../../files/system-errors.ts';

type Column = Uint8Array | Uint32Array | Float64Array;
export type Columns = Readonly<Record<string, Column>>;

/** Where the columns of a file are, and what else there is to say of it (plain JSON). */
export interface StageFile<Facts = unknown> {
  readonly path: string;
  readonly facts: Facts;
  /** Name → place in the file, bytes. */
  readonly columns: Readonly<Record<string, readonly [start: number, length: number]>>;
}

const MAGIC = 'NDSTAGE1';
/** Length of the description, checksum of all before, magic. */
const TRAILER = 16;

/** The file appears under its name only when it is whole. */
export function writeStage<Facts>(path: string, columns: Columns, facts: Facts): StageFile<Facts> {
  const places: Record<string, [number, number]> = {};
  const parts: Uint8Array[] = [];
  let end = 0;
  for (const [name, { buffer, byteOffset, byteLength }] of Object.entries(columns)) {
    places[name] = [end, byteLength];
    const padding = -byteLength & 7;
    parts.push(new Uint8Array(buffer, byteOffset, byteLength), new Uint8Array(padding));
    end += byteLength + padding;
  }
  const description = Buffer.from(JSON.stringify({ facts, columns: places }));
  parts.push(description);
  const trailer = Buffer.alloc(TRAILER);
  trailer.writeUInt32LE(description.length, 0);
  trailer.writeUInt32LE(
    parts.reduce((sum, part) => crc32(part, sum), 0),
    4,
  );
  trailer.write(MAGIC, 8, 'latin1');
  try {
    writeWhole(`${path}.part`, [...parts, trailer]);
    renameSync(`${path}.part`, path);
  } catch (error) {
    failWriting(path, error);
  }
  return { path, facts, columns: places };
}

function writeWhole(path: string, parts: readonly Uint8Array[]): void {
  const file = openSync(path, 'w', 0o600);
  try {
    let left = parts.filter(({ length }) => length > 0);
    while (left.length > 0) left = behind(left, writevSync(file, left));
  } finally {
    closeSync(file);
  }
}

/** What is left of the parts after so many bytes. */
function behind(parts: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let skip = bytes;
  return parts.flatMap(part => {
    const from = Math.min(skip, part.length);
    skip -= from;
    return from === part.length ? [] : [part.subarray(from)];
  });
}

/** Undefined when there is no such file, or it is not as it was written. */
export function openStage<Facts>(path: string): StageFile<Facts> | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return undefined;
  }
  const end = bytes.length - TRAILER;
  if (end < 0 || bytes.toString('latin1', end + 8) !== MAGIC) return undefined;
  const start = end - bytes.readUInt32LE(end);
  if (start < 0 || crc32(bytes.subarray(0, end)) !== bytes.readUInt32LE(end + 4)) return undefined;
  return { path, ...JSON.parse(bytes.toString('utf8', start, end)) };
}

type Numbers<Values extends Column> = { readonly BYTES_PER_ELEMENT: number } & (new (
  buffer: ArrayBufferLike,
  start?: number,
  length?: number,
) => Values);

/** A column, or `count` of its numbers from the one numbered `from`. */
export function readColumn<Values extends Column>(
  stage: StageFile,
  name: string,
  Type: Numbers<Values>,
  from = 0,
  count?: number,
): Values {
  const [start, length] = stage.columns[name]!;
  const size = count === undefined ? length - from * Type.BYTES_PER_ELEMENT : count * Type.BYTES_PER_ELEMENT;
  const buffer = new ArrayBuffer(size);
  if (size > 0) readAt(stage.path, new Uint8Array(buffer), start + from * Type.BYTES_PER_ELEMENT);
  return new Type(buffer);
}

export function readAt(path: string, target: Uint8Array, position: number): void {
  const file = openSync(path, 'r');
  try {
    readFrom(file, target, position);
  } finally {
    closeSync(file);
  }
}

/** All of it, in as many steps as the system takes. */
export function readFrom(file: number, target: Uint8Array, position: number): void {
  for (let done = 0; done < target.length; ) {
    const count = readSync(file, target, done, target.length - done, position + done);
    if (count === 0) throw new Error('a file became shorter while it was read');
    done += count;
  }
}

/** Files open at a time, for reading here and there in many of them. */
const MOST_OPEN = 256;

/** Reads single values of columns; files stay open between calls. What comes is there until the next call. */
export class ValueReader {
  readonly #open = new Map<string, number>();
  #bytes = Buffer.alloc(1 << 12);

  read({ path, columns }: StageFile, name: string, start: number, length: number): Buffer {
    if (this.#bytes.length < length) this.#bytes = Buffer.alloc(length * 2);
    const target = this.#bytes.subarray(0, length);
    readFrom(this.#handleOf(path), target, columns[name]![0] + start);
    return target;
  }

  #handleOf(path: string): number {
    const known = this.#open.get(path);
    if (known !== undefined) return known;
    if (this.#open.size === MOST_OPEN) this.close();
    const file = openSync(path, 'r');
    this.#open.set(path, file);
    return file;
  }

  close(): void {
    for (const file of this.#open.values()) closeSync(file);
    this.#open.clear();
  }
}
