/**
 * The Arrow schema that Arrow's writers leave in the metadata of a Parquet file → the columns whose type is known from
 * it alone. Parquet has no durations, no categories (Arrow's dictionaries) and no time zones other than UTC.
 *
 *   base64 of: FFFFFFFF | length, 4 bytes | a flatbuffer: Message { header: Schema { fields: [Field] } }
 */

export const ARROW_SCHEMA = 'ARROW:schema';

/** Numbers of the fields of each table, and of the types. */
const MESSAGE = { header: 2 } as const;
const SCHEMA = { fields: 1 } as const;
const FIELD = { name: 0, typeId: 2, type: 3, dictionary: 4, children: 5, metadata: 6 } as const;
const TIMESTAMP_ZONE = 1;
const [TIMESTAMP, FIXED_SIZE_LIST, DURATION] = [10, 16, 18];

/** Empty if it is no such schema: then nobody can read it anyway. */
export function columnsOnlyArrowKnows(base64: string): string[] {
  const bytes = Buffer.from(base64, 'base64');
  try {
    const message = new Table(bytes, 8);
    const schema = message.table(MESSAGE.header)!;
    return schema
      .tables(SCHEMA.fields)
      .filter(isOnlyKnownToArrow)
      .map(field => field.text(FIELD.name));
  } catch {
    return [];
  }
}

function isOnlyKnownToArrow(field: Table): boolean {
  const typeId = field.byte(FIELD.typeId);
  if (field.has(FIELD.dictionary) || field.has(FIELD.metadata)) return true;
  if (typeId === DURATION || typeId === FIXED_SIZE_LIST) return true;
  const zone = typeId === TIMESTAMP ? field.table(FIELD.type)?.text(TIMESTAMP_ZONE) : '';
  return (zone !== '' && zone !== 'UTC') || field.tables(FIELD.children).some(isOnlyKnownToArrow);
}

/** A table of a flatbuffer: its fields by their numbers. A field that is not there is empty. */
class Table {
  readonly #bytes: Buffer;
  readonly #start: number;

  /** `at`: where the offset of the table is. */
  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#start = at + bytes.readUInt32LE(at);
  }

  has(field: number): boolean {
    return this.#offsetOf(field) !== undefined;
  }

  byte(field: number): number {
    const at = this.#offsetOf(field);
    return at === undefined ? 0 : this.#bytes.readUInt8(at);
  }

  text(field: number): string {
    const { start, length } = this.#vector(field);
    return this.#bytes.toString('utf8', start, start + length);
  }

  table(field: number): Table | undefined {
    const at = this.#offsetOf(field);
    return at === undefined ? undefined : new Table(this.#bytes, at);
  }

  tables(field: number): Table[] {
    const { start, length } = this.#vector(field);
    return Array.from({ length }, (_, at) => new Table(this.#bytes, start + 4 * at));
  }

  #vector(field: number): { start: number; length: number } {
    const at = this.#offsetOf(field);
    if (at === undefined) return { start: 0, length: 0 };
    const vector = at + this.#bytes.readUInt32LE(at);
    const length = this.#bytes.readUInt32LE(vector);
    if (length > this.#bytes.length) throw new Error('a vector of the Arrow schema is longer than the schema');
    return { start: vector + 4, length };
  }

  #offsetOf(field: number): number | undefined {
    const entries = this.#start - this.#bytes.readInt32LE(this.#start);
    const count = (this.#bytes.readUInt16LE(entries) - 4) / 2;
    const offset = field < count ? this.#bytes.readUInt16LE(entries + 4 + 2 * field) : 0;
    return offset === 0 ? undefined : this.#start + offset;
  }
}
