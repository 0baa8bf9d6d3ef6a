/**
 * What is remembered of an id ↔ the bytes of an entry, checksummed.
 *
 *    0  u32  CRC-32 of the number and of all that follows
 *    4  u8   format, u8 flags, u16 bytes of the common bits
 *    8  u64  content hash, low half; high half
 *   24  u32  number of the entry it is a duplicate of
 *   28  f64  resemblance; containment
 *   44  u32  bytes of the id; of the other id; of the fields
 *   56       id, id of the other, common bits, then (perhaps compressed, as one) fields as JSON and body: the text, or the
 *            set as JSON
 *
 * An entry may also name common elements: then its body is these, 8 bytes each, and it is of no id.
 */
import { type BrotliOptions, brotliCompressSync, brotliDecompressSync, constants, crc32 } from 'node:zlib';
import { elementsOf } from '../formats/fields.ts';
import { encodeJson } from '../formats/json/encode-json.ts';
import { encodedFields } from '../formats/json/json-fields.ts';
import { fieldTexts, minified, objectText } from '../formats/json/raw-json.ts';
import type { Document, FoundRelation } from '../model.ts';
import { flippedByte } from './flipped-byte.ts';

export type Status = 'new' | FoundRelation;

/** The answer to a document that comes in. */
export interface Verdict {
  readonly id: string;
  readonly status: Status;
  /** The stored document that it duplicates. */
  readonly of?: string;
  readonly resemblance?: number;
  /** Of this document in the other. */
  readonly containment?: number;
}

export interface EntryContent {
  readonly verdict: Verdict;
  /** 128 bits of the text's bytes, or of the set's elements. */
  readonly content: bigint;
  readonly ofNumber?: number | undefined;
  /** Undefined: only the verdict is remembered. */
  readonly document?: EncodedDocument | undefined;
  /** Of a document of a crowd, which of its elements were common: then it is found by its prefix (see prefix-keys.ts). */
  readonly commonBits?: Uint8Array | undefined;
}

export interface EncodedDocument {
  readonly fields: Uint8Array;
  /** The text, or the set as JSON. */
  readonly body: Uint8Array;
  readonly flags: number;
  /** Bytes of the fields where they are compressed with the body as one, and stand there. */
  readonly packedFields?: number;
}

const FORMAT = 1;
const HEADER = 56;
const STATUSES: readonly Status[] = ['new', 'exact', 'near', 'contained'];
const flag = { stored: 4, set: 8, compressed: 16, fields: 32, commons: 64, crowded: 128 } as const;
/** Room for them in an entry, and for the one that ends them: of half a million elements. */
export const MOST_COMMON_BITS = 8 * 0xffff - 1;
/** Below this, compression gains nothing. */
const SMALLEST_COMPRESSED = 64;

export class DamagedEntry extends Error {
  readonly id: string | undefined;
  constructor(what: string, id: string | undefined) {
    super(what);
    this.id = id;
  }
}

export function encodeEntry(number: number, entry: EntryContent): Uint8Array {
  const { verdict, content, ofNumber = 0, document = nothing, commonBits } = entry;
  const id = Buffer.from(verdict.id);
  const of = Buffer.from(verdict.of ?? '');
  const { fields, body, flags, packedFields = fields.length } = document;
  const parts = [id, of, commonBits ?? empty, fields, body];
  const bytes = Buffer.allocUnsafe(parts.reduce((sum, { length }) => sum + length, HEADER));
  bytes.writeUInt8(FORMAT, 4);
  bytes.writeUInt8(STATUSES.indexOf(verdict.status) | flags | (commonBits ? flag.crowded : 0), 5);
  bytes.writeUInt16LE(commonBits?.length ?? 0, 6);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, content), 8);
  bytes.writeBigUInt64LE(content >> 64n, 16);
  bytes.writeUInt32LE(ofNumber, 24);
  bytes.writeDoubleLE(verdict.resemblance ?? 0, 28);
  bytes.writeDoubleLE(verdict.containment ?? 0, 36);
  bytes.writeUInt32LE(id.length, 44);
  bytes.writeUInt32LE(of.length, 48);
  bytes.writeUInt32LE(packedFields, 52);
  let end = HEADER;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  bytes.writeUInt32LE(checksum(number, bytes), 0);
  return bytes;
}

/** An entry that names common elements. */
export function encodeCommons(number: number, elements: BigUint64Array): Uint8Array {
  const body = new Uint8Array(elements.buffer, elements.byteOffset, elements.byteLength);
  const document = { fields: empty, body, flags: flag.commons };
  return encodeEntry(number, { verdict: { id: '', status: 'new' }, content: 0n, document });
}

const empty = Buffer.alloc(0);
/** Of a document that is not going to be stored. */
export const nothing: EncodedDocument = { fields: empty, body: empty, flags: 0 };

/**
 * `utf8` is its text, and `json` the text it was read from, where they are at hand. A document of id and text only has no
 * fields. Where there are more, both stand among them as 0, to keep their place; an id that was written as a number is 1.
 */
export function encodeDocument(document: Document, utf8?: Uint8Array, json?: string): EncodedDocument {
  const isText = typeof document.text === 'string';
  const name = isText ? 'text' : 'set';
  let flags: number = flag.stored | (isText ? 0 : flag.set);
  let body = utf8 ?? Buffer.from(isText ? document.text! : encodeJson(document.set));
  const written = json === undefined ? undefined : fieldTexts(json);
  const idText = written?.get('id') === document.id ? '1' : '0';
  const setText = isText ? undefined : writtenSet(written?.get('set'), document.set!);
  const names = Object.keys(document);
  const isPlain = names.length === 2 && names[0] === 'id' && names[1] === name && idText === '0' && !setText;
  // A text with half a surrogate pair has no UTF-8; as JSON among the fields it is kept as it is.
  const isWhole = !isText || !hasReplacement(body) || !LONE_SURROGATE.test(document.text!);
  if (isPlain && isWhole) return { fields: empty, body, flags };
  flags |= flag.fields;
  if (!isWhole) body = empty;
  const fields = encodedFields(document);
  for (const field of names) if (written?.has(field)) fields.set(field, written.get(field)!);
  fields.set('id', idText).set(name, isWhole ? (setText ?? '0') : encodeJson(document.text));
  return { fields: Buffer.from(objectText(fields)), body, flags };
}

/** The elements as they were written, where the set does not tell them: 1.0, or more digits than a number holds. */
function writtenSet(json: string | undefined, set: readonly (string | number)[]): string | undefined {
  if (json?.[0] !== '[') return undefined;
  const text = minified(json);
  const elements = encodeJson(set);
  const isThisSet = encodeJson(elementsOf(JSON.parse(json), () => json)) === elements;
  return isThisSet && text !== elements ? text : undefined;
}

const LONE_SURROGATE = /\p{Surrogate}/u;
const REPLACEMENT = Buffer.from('\uFFFD');

/** What half a pair becomes in UTF-8; looking for it is quicker than looking for the half. */
function hasReplacement(utf8: Uint8Array): boolean {
  return Buffer.from(utf8.buffer, utf8.byteOffset, utf8.length).includes(REPLACEMENT);
}

/** What of an entry can be compressed; nothing if it would gain nothing. */
export function compressiblePart(entry: Uint8Array): Uint8Array {
  const view = new DataView(entry.buffer, entry.byteOffset, HEADER);
  if ((view.getUint8(5) & flag.compressed) !== 0) return empty;
  const part = entry.subarray(HEADER + view.getUint32(44, true) + view.getUint32(48, true) + view.getUint16(6, true));
  return part.length < SMALLEST_COMPRESSED ? empty : part;
}

/** The same compressed, in memory of its own, if that makes it smaller: the bytes that `withCompressed` would give its entry. */
export function packed(document: EncodedDocument): EncodedDocument {
  const { fields, body, flags } = document;
  const plain = fields.length === 0 ? body : Buffer.concat([fields, body]);
  const compressed = plain.length < SMALLEST_COMPRESSED ? plain : compress(plain);
  if (compressed.length >= plain.length) return document;
  return {
    fields: empty,
    body: new Uint8Array(compressed),
    flags: flags | flag.compressed,
    packedFields: fields.length,
  };
}

export function compress(plain: Uint8Array): Uint8Array {
  return brotliCompressSync(plain, compressionOf(plain));
}

/** Quality 0 takes 23 µs for 2 KB and leaves 57 %; deflate at its fastest takes 52 µs and leaves 51 %. */
function compressionOf({ length }: Uint8Array): BrotliOptions {
  return {
    // By default 16 KB are set aside for each result.
    chunkSize: Math.max(64, length),
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 0,
      [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(12, 32 - Math.clz32(length))),
      [constants.BROTLI_PARAM_SIZE_HINT]: length,
    },
  };
}

/** Room for what a text takes; there is more when that is not enough. */
function decompress(packed: Uint8Array): Buffer {
  return brotliDecompressSync(packed, { chunkSize: Math.max(64, 4 * packed.length) });
}

/** The same entry with that part compressed, if it has become smaller. */
export function withCompressed(number: number, entry: Uint8Array, compressed: Uint8Array): Uint8Array {
  const part = compressiblePart(entry);
  if (compressed.length >= part.length) return entry;
  const start = entry.length - part.length;
  const bytes = Buffer.allocUnsafe(start + compressed.length);
  bytes.set(entry.subarray(0, start));
  bytes.set(compressed, start);
  bytes[5]! |= flag.compressed;
  bytes.writeUInt32LE(checksum(number, bytes), 0);
  return bytes;
}

function checksum(number: number, bytes: Uint8Array): number {
  return crc32(bytes.subarray(4), number);
}

/** An entry whose parts are decoded when they are asked for. */
export class Entry {
  readonly number: number;
  readonly #bytes: Buffer;

  private constructor(number: number, bytes: Uint8Array) {
    this.number = number;
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Fails when any byte is not as it was written. */
  static checked(number: number, bytes: Uint8Array): Entry {
    const entry = new Entry(number, bytes);
    if (bytes.length < HEADER) throw new DamagedEntry(`it has ${bytes.length} bytes`, undefined);
    const wrongBy = entry.#bytes.readUInt32LE(0) ^ checksum(number, bytes);
    if (wrongBy !== 0) throw new DamagedEntry('its checksum is wrong', readableId(entry.#bytes, wrongBy));
    const format = entry.#bytes.readUInt8(4);
    if (format !== FORMAT) throw new DamagedEntry(`it is of format ${format}`, undefined);
    return entry;
  }

  /** Of bytes that were just encoded, or were checked before. */
  static trusted(number: number, bytes: Uint8Array): Entry {
    return new Entry(number, bytes);
  }

  /** As they are stored. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  get id(): string {
    return this.#bytes.toString('utf8', HEADER, HEADER + this.#idLength);
  }

  get status(): Status {
    return STATUSES[this.#flags & 3]!;
  }

  get isStored(): boolean {
    return (this.#flags & flag.stored) !== 0;
  }

  /** Of what is stored. */
  get isSet(): boolean {
    return (this.#flags & flag.set) !== 0;
  }

  /** Names common elements, and is of no id. */
  get isCommons(): boolean {
    return (this.#flags & flag.commons) !== 0;
  }

  get commons(): BigUint64Array {
    return new BigUint64Array(new Uint8Array(this.#unpacked().body).buffer);
  }

  get commonBits(): Uint8Array | undefined {
    if ((this.#flags & flag.crowded) === 0) return undefined;
    return this.#bytes.subarray(this.#bitsStart, this.#bitsStart + this.#bitsLength);
  }

  get content(): bigint {
    return (this.#bytes.readBigUInt64LE(16) << 64n) | this.#bytes.readBigUInt64LE(8);
  }

  get ofNumber(): number | undefined {
    return this.#ofLength > 0 || this.status !== 'new' ? this.#bytes.readUInt32LE(24) : undefined;
  }

  get verdict(): Verdict {
    const { id, status } = this;
    if (status === 'new') return { id, status };
    const start = HEADER + this.#idLength;
    return {
      id,
      status,
      of: this.#bytes.toString('utf8', start, start + this.#ofLength),
      resemblance: this.#bytes.readDoubleLE(28),
      containment: this.#bytes.readDoubleLE(36),
    };
  }

  /** What its sketch and its set are made of: the text's bytes, or a document. Undefined when only the verdict is there. */
  get body(): Uint8Array | Pick<Document, 'text' | 'set'> | undefined {
    if (!this.isStored) return undefined;
    if (this.isSet) return { set: JSON.parse(this.#unpacked().body.toString()) };
    const { fields, body } = this.#unpacked();
    return body.length === 0 && fields.length > 0 ? textOnly(this.document!) : body;
  }

  get document(): Document | undefined {
    if (!this.isStored) return undefined;
    const { fields, body } = this.#unpacked();
    const isText = !this.isSet;
    const content = isText ? { text: body.toString() } : { set: JSON.parse(body.toString()) };
    if ((this.#flags & flag.fields) === 0) return { id: this.id, ...content };
    const others = JSON.parse(fields.toString()) as Document;
    const isInFields = isText && typeof others.text === 'string';
    return { ...others, id: this.id, ...(!isInFields && content) };
  }

  /** The document as JSON text, its numbers as they were written. */
  get json(): string | undefined {
    if (!this.isStored) return undefined;
    const { fields, body } = this.#unpacked();
    const texts = fieldTexts(fields.length === 0 ? '{"id":0}' : fields.toString());
    const name = this.isSet ? 'set' : 'text';
    texts.set('id', texts.get('id') === '1' ? this.id : JSON.stringify(this.id));
    if ((texts.get(name) ?? '0') === '0')
      texts.set(name, this.isSet ? body.toString() : JSON.stringify(body.toString()));
    return objectText(texts);
  }

  /** The document as it is stored, to be stored again. */
  get encoded(): EncodedDocument {
    const { fields, body } = this.#unpacked();
    return { fields, body, flags: this.#flags & (flag.stored | flag.set | flag.fields) };
  }

  get #flags(): number {
    return this.#bytes.readUInt8(5);
  }

  get #idLength(): number {
    return this.#bytes.readUInt32LE(44);
  }

  get #ofLength(): number {
    return this.#bytes.readUInt32LE(48);
  }

  get #bitsStart(): number {
    return HEADER + this.#idLength + this.#ofLength;
  }

  get #bitsLength(): number {
    return this.#bytes.readUInt16LE(6);
  }

  #unpacked(): { fields: Buffer; body: Buffer } {
    const packed = this.#bytes.subarray(this.#bitsStart + this.#bitsLength);
    const plain = (this.#flags & flag.compressed) === 0 ? packed : decompress(packed);
    const fieldsLength = this.#bytes.readUInt32LE(52);
    return { fields: plain.subarray(0, fieldsLength), body: plain.subarray(fieldsLength) };
  }
}

/** The id, if what should be it looks like one: a damaged entry is better named than numbered. */
function readableId(bytes: Buffer, wrongBy: number): string | undefined {
  // The damage may be in the id itself.
  const flipped = flippedByte(bytes.length - 4, wrongBy);
  const sound = Buffer.from(bytes);
  if (flipped) sound[4 + flipped.at]! ^= flipped.bits;
  const end = HEADER + sound.readUInt32LE(44);
  if (end > sound.length) return undefined;
  const id = sound.toString('utf8', HEADER, end);
  // What names common elements has none.
  return id === '' || id.includes('\uFFFD') || /\p{Cc}/u.test(id) ? undefined : id;
}

function textOnly({ text }: Document): Pick<Document, 'text'> {
  return text === undefined ? {} : { text };
}
