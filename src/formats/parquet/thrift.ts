/**
 * Bytes in Thrift's compact protocol ↔ a tree of values. The footer of a Parquet file is one struct of it. Nothing is
 * known of what a field means, so what nobody changes comes out as it went in.
 */

export type Struct = Map<number, Value>;
export type Value =
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'i8' | 'i16' | 'i32' | 'i64'; readonly value: bigint }
  /** 8 bytes. */
  | { readonly type: 'double'; readonly value: Uint8Array }
  | { readonly type: 'binary'; readonly value: Uint8Array }
  | { readonly type: 'list' | 'set'; readonly of: number; readonly values: Value[] }
  | { readonly type: 'struct'; readonly fields: Struct };

const [TRUE, FALSE, I8, I16, I32, I64, DOUBLE, BINARY, LIST, SET, , STRUCT] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const codes = { i8: I8, i16: I16, i32: I32, i64: I64, double: DOUBLE, binary: BINARY, list: LIST, set: SET } as const;
const integers = new Map([
  [I16, 'i16'],
  [I32, 'i32'],
  [I64, 'i64'],
] as const);

/** A Parquet footer has seven levels. */
const DEEPEST = 32;

export function decodeThrift(bytes: Uint8Array): Struct {
  return new Decoder(bytes).struct(0);
}

export function encodeThrift(struct: Struct): Uint8Array {
  const encoder = new Encoder();
  encoder.struct(struct);
  return encoder.bytes();
}

class Decoder {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  struct(depth: number): Struct {
    if (depth > DEEPEST) throw new Error('its values are nested too deeply');
    const fields: Struct = new Map();
    for (let id = 0; ; ) {
      const head = this.#byte();
      if (head === 0) return fields;
      id = head >> 4 === 0 ? Number(this.#zigzag()) : id + (head >> 4);
      const type = head & 15;
      fields.set(
        id,
        type === TRUE || type === FALSE ? { type: 'boolean', value: type === TRUE } : this.#value(type, depth + 1),
      );
    }
  }

  #value(type: number, depth: number): Value {
    const integer = integers.get(type as 4 | 5 | 6);
    if (integer) return { type: integer, value: this.#zigzag() };
    switch (type) {
      case TRUE: // in a list, where a boolean has a byte of its own
      case FALSE:
        return { type: 'boolean', value: this.#byte() === TRUE };
      case I8:
        return { type: 'i8', value: BigInt.asIntN(8, BigInt(this.#byte())) };
      case DOUBLE:
        return { type: 'double', value: this.#take(8) };
      case BINARY:
        return { type: 'binary', value: this.#take(Number(this.#varint())) };
      case LIST:
      case SET:
        return this.#list(type, depth);
      case STRUCT:
        return { type: 'struct', fields: this.struct(depth) };
      default:
        throw new Error(`it has a value of the unknown type ${type}`);
    }
  }

  #list(type: number, depth: number): Value {
    if (depth > DEEPEST) throw new Error('its values are nested too deeply');
    const head = this.#byte();
    const count = head >> 4 === 15 ? Number(this.#varint()) : head >> 4;
    const values: Value[] = [];
    while (values.length < count) values.push(this.#value(head & 15, depth + 1));
    return { type: type === LIST ? 'list' : 'set', of: head & 15, values };
  }

  #byte(): number {
    return this.#take(1)[0]!;
  }

  #take(count: number): Uint8Array {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw new Error('it ends early');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw new Error('it has a number that is too long');
  }

  #zigzag(): bigint {
    const value = this.#varint();
    return (value >> 1n) ^ -(value & 1n);
  }
}

class Encoder {
  #buffer = Buffer.alloc(2 ** 16);
  #length = 0;

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  struct(fields: Struct): void {
    let last = 0;
    for (const [id, value] of [...fields].sort(([a], [b]) => a - b)) {
      const step = id - last;
      const type = value.type === 'boolean' ? (value.value ? TRUE : FALSE) : codeOf(value);
      if (step > 0 && step < 16) this.#byte((step << 4) | type);
      else {
        this.#byte(type);
        this.#zigzag(BigInt(id));
      }
      if (value.type !== 'boolean') this.#value(value);
      last = id;
    }
    this.#byte(0);
  }

  #value(value: Value): void {
    if (value.type === 'boolean') this.#byte(value.value ? TRUE : FALSE);
    else if (value.type === 'i8') this.#byte(Number(BigInt.asUintN(8, value.value)));
    else if (value.type === 'double') this.#put(value.value);
    else if (value.type === 'struct') this.struct(value.fields);
    else if ('values' in value) this.#list(value.of, value.values);
    else if (value.type === 'binary') {
      this.#varint(BigInt(value.value.length));
      this.#put(value.value);
    } else this.#zigzag(value.value);
  }

  #list(of: number, values: readonly Value[]): void {
    this.#byte((Math.min(values.length, 15) << 4) | of);
    if (values.length >= 15) this.#varint(BigInt(values.length));
    for (const value of values) this.#value(value);
  }

  #put(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #byte(byte: number): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = byte;
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.alloc(Math.max(needed, this.#buffer.length * 2));
    larger.set(this.bytes());
    this.#buffer = larger;
  }

  #varint(value: bigint): void {
    let rest = value;
    for (; rest > 127n; rest >>= 7n) this.#byte(Number(rest & 127n) | 128);
    this.#byte(Number(rest));
  }

  #zigzag(value: bigint): void {
    this.#varint(BigInt.asUintN(64, (value << 1n) ^ (value >> 63n)));
  }
}

function codeOf(value: Exclude<Value, { type: 'boolean' }>): number {
  return value.type === 'struct' ? STRUCT : codes[value.type];
}
