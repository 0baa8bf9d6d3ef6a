/**
 * JSON text of an object or a list → the text of each of its values, as it is written: 1.0 stays 1.0, whatever a double
 * makes of it. All of it takes text that JSON.parse has accepted.
 */

/** A field of an object, or an element of a list: where its value stands in the text. */
interface Member {
  /** In quotes, as it is written; empty for an element. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** The fields of an object. Of a name that comes twice the last value counts, in the place of the first, as for JSON.parse. */
export function fieldTexts(json: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const { name, start, end } of membersOf(json)) fields.set(unquoted(name), json.slice(start, end));
  return fields;
}

export function elementTexts(json: string): string[] {
  return membersOf(json).map(({ start, end }) => json.slice(start, end));
}

/** The field of that name if there is one; otherwise `meta.id` is the field `id` inside `meta`. */
export function fieldText(json: string, name: string): string | undefined {
  if (!json.trimStart().startsWith('{')) return undefined;
  const fields = fieldTexts(json);
  const own = fields.get(name);
  if (own !== undefined) return own;
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    const outer = fields.get(name.slice(0, dot));
    const inner = outer && fieldText(outer, name.slice(dot + 1));
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Puts fields in the place of those of the same name, the others at the end. Every other byte stays as it is. */
export function withFieldTexts(object: Uint8Array, given: ReadonlyMap<string, string | Uint8Array>): Uint8Array {
  // One character a byte, so that positions in the text are positions in the bytes, even where they are not UTF-8.
  const bytes = Buffer.from(object.buffer, object.byteOffset, object.length);
  const json = bytes.toString('latin1');
  const members = membersOf(json, json.startsWith(MARK) ? MARK.length : 0);
  const rest = new Map(given);
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { name, start, end } of members) {
    const decoded = unquoted(Buffer.from(name, 'latin1').toString());
    const text = given.get(decoded);
    if (text === undefined) continue;
    rest.delete(decoded);
    parts.push(bytes.subarray(at, start), typeof text === 'string' ? Buffer.from(text) : text);
    at = end;
  }
  const close = json.lastIndexOf('}');
  parts.push(bytes.subarray(at, close));
  let isFirst = members.length === 0;
  for (const [name, text] of rest) {
    parts.push(
      Buffer.from(`${isFirst ? '' : ','}${JSON.stringify(name)}:`),
      typeof text === 'string' ? Buffer.from(text) : text,
    );
    isFirst = false;
  }
  return Buffer.concat([...parts, bytes.subarray(close)]);
}

export function objectText(fields: ReadonlyMap<string, string>): string {
  return `{${Array.from(fields, ([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

/** Without the space between its tokens. */
export function minified(json: string): string {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < json.length; ) {
    if (json[at] === '"') at = endOfString(json, at);
    else if (isSpace(json.charCodeAt(at))) {
      parts.push(json.slice(start, at));
      at = start = skipSpace(json, at);
    } else at++;
  }
  return start === 0 ? json : parts.join('') + json.slice(start);
}

/** A byte-order mark, which decoding takes away: it may stand before a line where files were joined. */
const MARK = '\xef\xbb\xbf';

function membersOf(json: string, from = 0): Member[] {
  const members: Member[] = [];
  let at = skipSpace(json, from);
  const isObject = json[at] === '{';
  at = skipSpace(json, at + 1);
  while (at < json.length && json[at] !== '}' && json[at] !== ']') {
    const nameEnd = isObject ? endOfString(json, at) : at;
    const name = json.slice(at, nameEnd);
    const start = isObject ? skipSpace(json, skipSpace(json, nameEnd) + 1) : at;
    const end = endOfValue(json, start);
    members.push({ name, start, end });
    at = skipSpace(json, end);
    if (json[at] === ',') at = skipSpace(json, at + 1);
  }
  return members;
}

/** Goes through nested values without recursion: their depth is up to whoever wrote them. */
function endOfValue(json: string, start: number): number {
  if (json[start] === '"') return endOfString(json, start);
  if (json[start] !== '{' && json[start] !== '[') return endOfScalar(json, start);
  let depth = 0;
  let at = start;
  do {
    const letter = json[at]!;
    if (letter === '"') {
      at = endOfString(json, at);
      continue;
    }
    if (letter === '{' || letter === '[') depth++;
    else if (letter === '}' || letter === ']') depth--;
    at++;
  } while (depth > 0 && at < json.length);
  return at;
}

function endOfScalar(json: string, start: number): number {
  let at = start;
  while (at < json.length && !isAfterScalar(json.charCodeAt(at))) at++;
  return at;
}

/** Behind the closing quote; `start` is the opening one. A quote behind an odd number of backslashes is part of the string. */
function endOfString(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); quote !== -1; quote = json.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (json[quote - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return json.length;
}

function unquoted(name: string): string {
  return name.includes('\\') ? JSON.parse(name) : name.slice(1, -1);
}

function skipSpace(json: string, start: number): number {
  let at = start;
  while (isSpace(json.charCodeAt(at))) at++;
  return at;
}

/** What JSON takes for space between values: a character, or the byte it is in UTF-8. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Space, a comma or a closing bracket. */
function isAfterScalar(code: number): boolean {
  return isSpace(code) || code === 0x2c || code === 0x5d || code === 0x7d;
}
