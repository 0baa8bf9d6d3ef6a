/** Values of a column, as DuckDB reads it → values that JSON text holds without a change: see decision 0032. */
import type {
  DuckDBArrayType,
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBListType,
  DuckDBListValue,
  DuckDBMapType,
  DuckDBMapValue,
  DuckDBStructType,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBType,
  DuckDBValue,
} from '@duckdb/node-api';
import { Written } from '../json/encode-json.ts';
import { doubleText, isFraction, shortestFloat } from '../json/number-text.ts';
import { isCutByDuckDb, kindOf } from './column-kinds.ts';
import type { DuckDb } from './duckdb.ts';
import { leavesOf } from './footer.ts';
import type { Column } from './open-table.ts';
import { ownName } from './stored-columns.ts';

type Convert = (value: DuckDBValue) => unknown;

/** `isText`: it holds the texts of the documents, whatever its type says. */
export function valuesOf(duckdb: DuckDb, type: DuckDBType, { schema, isPlain }: Column, isText: boolean): Convert {
  const kinds = leavesOf(schema).map(({ element }) => kindOf(element));
  const converters = new Converters(duckdb, isText, isPlain);
  let used = 0;
  const convert = converters.of(type, () => kinds[used++]);
  // Types that DuckDB makes of several leaves (VARIANT) have no kind here.
  return used === kinds.length ? convert : converters.of(type, () => undefined);
}

class Converters {
  readonly #duckdb: DuckDb['package'];
  readonly #isText: boolean;
  readonly #isPlain: boolean;

  constructor(duckdb: DuckDb, isText: boolean, isPlain: boolean) {
    this.#duckdb = duckdb.package;
    this.#isText = isText;
    this.#isPlain = isPlain;
  }

  /** The leaves of a type come in the order of the Parquet schema. */
  of(type: DuckDBType, nextKind: () => string | undefined): Convert {
    const convert = this.#nested(type, nextKind) ?? this.#leaf(type, nextKind());
    return value => (value === null ? null : convert(value));
  }

  #nested(type: DuckDBType, nextKind: () => string | undefined): Convert | undefined {
    const { DuckDBTypeId } = this.#duckdb;
    switch (type.typeId) {
      case DuckDBTypeId.LIST:
      case DuckDBTypeId.ARRAY: {
        const element = this.of((type as DuckDBListType | DuckDBArrayType).valueType, nextKind);
        return value => (value as DuckDBListValue | DuckDBArrayValue).items.map(element);
      }
      case DuckDBTypeId.STRUCT: {
        const { entryNames, entryTypes } = type as DuckDBStructType;
        const fields = entryNames.map((name, at) => ({
          name,
          own: ownName(name),
          of: this.of(entryTypes[at]!, nextKind),
        }));
        return value => {
          const { entries } = value as DuckDBStructValue;
          return Object.fromEntries(fields.map(({ name, own, of }) => [own, of(entries[name]!)]));
        };
      }
      case DuckDBTypeId.MAP: {
        const { keyType, valueType } = type as DuckDBMapType;
        const [keyAs, valueAs] = [this.of(keyType, nextKind), this.of(valueType, nextKind)];
        return value =>
          (value as DuckDBMapValue).entries.map(({ key, value }) => ({ key: keyAs(key), value: valueAs(value) }));
      }
      default:
        return undefined;
    }
  }

  #leaf(type: DuckDBType, kind = ''): Convert {
    const { DuckDBTypeId, DuckDBTimestampValue, JsonDuckDBValueConverter: toJson } = this.#duckdb;
    if (kind === 'json') return value => this.#json((value as DuckDBBlobValue).bytes);
    if (isCutByDuckDb(kind)) return this.#stored(kind);
    switch (type.typeId) {
      case DuckDBTypeId.BIGINT:
      case DuckDBTypeId.UBIGINT:
      case DuckDBTypeId.HUGEINT:
      case DuckDBTypeId.UHUGEINT:
        return value => value;
      case DuckDBTypeId.FLOAT:
        return value => this.#double(shortestFloat(value as number));
      case DuckDBTypeId.DOUBLE:
        return value => this.#double(value as number);
      case DuckDBTypeId.DECIMAL:
        return value => writtenDecimal(String(value));
      case DuckDBTypeId.BLOB:
        return value => this.#bytes((value as DuckDBBlobValue).bytes);
      case DuckDBTypeId.TIMESTAMP_TZ:
        // In UTC, on any machine: by itself it is written in the time zone of this one.
        return value => inUtc(new DuckDBTimestampValue((value as DuckDBTimestampTZValue).micros));
      default:
        return value => toJson(value, type, toJson);
    }
  }

  /** What DuckDB was not let to interpret. */
  #stored(kind: string): Convert {
    const { DuckDBTimestampMillisecondsValue, DuckDBTimestampNanosecondsValue, DuckDBTimeNSValue } = this.#duckdb;
    const scale = /^decimal\(\d+, (\d+)/.exec(kind)?.[1];
    if (scale !== undefined) return value => writtenDecimal(decimalText(wholeOf(value), Number(scale)));
    if (kind === 'int96') {
      return value => String(new DuckDBTimestampNanosecondsValue(nanosecondsOf((value as DuckDBBlobValue).bytes)));
    }
    const Moment = kind.startsWith('time[')
      ? DuckDBTimeNSValue
      : kind.startsWith('timestamp[ms')
        ? DuckDBTimestampMillisecondsValue
        : DuckDBTimestampNanosecondsValue;
    return kind.endsWith('UTC]')
      ? value => inUtc(new Moment(value as bigint))
      : value => String(new Moment(value as bigint));
  }

  /** JSON has no NaN and no infinity: they are strings. */
  #double(value: number): unknown {
    if (isFraction(value)) return value;
    if (!Number.isFinite(value)) return String(value);
    return this.#isPlain ? value : new Written(doubleText(value), value);
  }

  /** DuckDB fails on what is not JSON, so it is read as it is stored. */
  #json(bytes: Uint8Array): unknown {
    const text = decoded(bytes);
    return this.#isText ? text : writtenJson(text);
  }

  /** Old writers leave it unsaid that bytes are a text. */
  #bytes(bytes: Uint8Array): string {
    return this.#isText ? decoded(bytes) : bytesText(bytes);
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(bytes: Uint8Array): string {
  try {
    return UTF_8.decode(bytes);
  } catch {
    return bytesText(bytes);
  }
}

/** Compared as JSON text of the same digits would be. */
function writtenDecimal(text: string): Written {
  return new Written(text, text.includes('.') ? Number(text) : BigInt(text));
}

/** A column may say that it is JSON and hold something else, which stays the string it is. */
function writtenJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // In JSON text a newline is never part of a string.
    return typeof value === 'string' ? value : new Written(text.replace(/[\r\n]+/g, ' '), value);
  } catch {
    return text;
  }
}

function inUtc(moment: { toString(): string }): string {
  const text = String(moment);
  return text.endsWith('infinity') ? text : `${text}+00`;
}

/** As DuckDB casts BLOB to VARCHAR and back: what is not a plain letter is \x and two digits, a backslash too. */
function bytesText(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[^ -~]|["'\\]/g, letter => `\\x${letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

/** A decimal without its point: an integer, or its bytes in two's complement, the highest first. */
function wholeOf(value: DuckDBValue): bigint {
  if (typeof value === 'bigint' || typeof value === 'number') return BigInt(value);
  const { bytes } = value as DuckDBBlobValue;
  return bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
}

function decimalText(whole: bigint, scale: number): string {
  if (scale === 0) return String(whole);
  const digits = String(whole < 0n ? -whole : whole).padStart(scale + 1, '0');
  return `${whole < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Since 1970, of an INT96: 8 bytes of nanoseconds in the day and 4 of the Julian day, the lowest first. */
function nanosecondsOf(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const day = BigInt(view.getInt32(8, true)) - 2_440_588n;
  return day * 86_400_000_000_000n + view.getBigInt64(0, true);
}
