/** Values → JSON text. */

/** A value of Parquet as JSON text, where JavaScript would write another: 1.0, a decimal. */
export class Written {
  readonly text: string;
  /** What it is compared by. */
  readonly value: unknown;

  constructor(text: string, value: unknown) {
    this.text = text;
    this.value = value;
  }
}

/** Nothing in it needs more than JSON.stringify, which is three times as fast: evidence and rejects come in millions. */
function isFlat(value: object): boolean {
  for (const name in value) {
    const type = typeof (value as Record<string, unknown>)[name];
    if (type !== 'string' && type !== 'number' && type !== 'boolean') return false;
  }
  return true;
}

/** As JSON.stringify, but bigints keep their digits, and what is written already stays so. */
export function encodeJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Written) return value.text;
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(encodeJson).join(',')}]`;
  if (isFlat(value)) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${encodeJson(field)}`).join(',')}}`;
}
