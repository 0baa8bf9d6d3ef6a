/** Chunks of a JSON array → its elements, as bytes; `line` is the number of the element. */

import { Carry, type RawRecord, type Splitter } from '../splitter.ts';
import { isSpace } from './raw-json.ts';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

type State = 'before the array' | 'between elements' | 'in an element' | 'in a string' | 'after the array';

export class JsonArraySplitter implements Splitter {
  readonly #carry: Carry;
  #state: State = 'before the array';
  #depth = 0;
  #isEscaped = false;
  #element = 0;
  #problem: string | undefined;

  constructor(limit: number) {
    this.#carry = new Carry(limit);
  }

  push(chunk: Uint8Array): RawRecord[] {
    const elements: RawRecord[] = [];
    let start = this.#isInElement ? 0 : -1;
    for (let at = 0; at < chunk.length && this.#problem === undefined; at++) {
      if (this.#state === 'in a string' && !this.#isEscaped) at = endOfPlainText(chunk, at);
      if (at === chunk.length) break;
      const wasIn = this.#isInElement;
      this.#step(chunk[at]!);
      if (!wasIn && this.#isInElement) {
        this.#element++;
        start = at;
      } else if (wasIn && !this.#isInElement) {
        elements.push({ line: this.#element, bytes: trimmed(this.#carry.take(chunk.subarray(start, at))) });
        start = -1;
      }
    }
    if (start !== -1) this.#carry.add(chunk.subarray(start));
    return elements;
  }

  end(): { records: RawRecord[]; problem?: { line: number; reason: string } } {
    // An empty file holds nothing that could be lost.
    const isUnclosed = this.#state !== 'before the array' && this.#state !== 'after the array';
    const reason = this.#problem ?? (isUnclosed ? 'cut off: the JSON array is never closed' : undefined);
    return reason === undefined
      ? { records: [] }
      : { records: [], problem: { line: Math.max(this.#element, 1), reason } };
  }

  get #isInElement(): boolean {
    return this.#state === 'in an element' || this.#state === 'in a string';
  }

  #step(byte: number): void {
    if (this.#state === 'in a string') this.#stepInString(byte);
    else if (this.#state === 'in an element') this.#stepInElement(byte);
    else if (!isSpace(byte)) this.#stepOutside(byte);
  }

  #stepInString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#state = 'in an element';
  }

  #stepInElement(byte: number): void {
    if (byte === QUOTE) this.#state = 'in a string';
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.#depth++;
    else if (this.#depth > 0) {
      if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) this.#depth--;
    } else if (byte === COMMA) this.#state = 'between elements';
    else if (byte === CLOSE_ARRAY) this.#state = 'after the array';
  }

  #stepOutside(byte: number): void {
    if (this.#state === 'before the array') {
      if (byte === OPEN_ARRAY) this.#state = 'between elements';
      else this.#problem = 'not a JSON array (for one object a line, use --format jsonl)';
    } else if (this.#state === 'after the array') this.#problem = 'not JSON: something follows the array';
    else if (byte === CLOSE_ARRAY) this.#state = 'after the array';
    else if (byte !== COMMA) {
      this.#state = 'in an element';
      this.#stepInElement(byte);
    }
  }
}

/** Most bytes of a document are text: a short loop over it makes the whole three times as fast. */
function endOfPlainText(chunk: Uint8Array, start: number): number {
  let at = start;
  while (at < chunk.length && chunk[at] !== QUOTE && chunk[at] !== BACKSLASH) at++;
  return at;
}

/** Space before the comma is not part of the element. */
function trimmed(element: Uint8Array | undefined): Uint8Array | undefined {
  let end = element?.length ?? 0;
  while (end > 0 && isSpace(element![end - 1]!)) end--;
  return element?.subarray(0, end);
}
