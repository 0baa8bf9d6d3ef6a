/** Rejects, one by one → the same again, in 12 bytes each: 8 MB of input may have millions of them. */
import type { Reject } from '../../formats/item.ts';
import { wordsColumn } from '../decide/columns.ts';

const WORDS = 3;

export class RejectList implements Iterable<Reject> {
  readonly #files = new Numbered();
  readonly #reasons = new Numbered();
  readonly #words = wordsColumn();

  constructor(rejects: Iterable<Reject> = []) {
    for (const reject of rejects) this.add(reject);
  }

  add({ file, line, reason }: Reject): void {
    this.#words.push(this.#files.numberOf(file));
    this.#words.push(line);
    this.#words.push(this.#reasons.numberOf(reason));
  }

  get length(): number {
    return this.#words.length / WORDS;
  }

  *[Symbol.iterator](): Generator<Reject> {
    for (let at = 0; at < this.#words.length; at += WORDS) {
      const [file, line, reason] = this.#words.values.subarray(at, at + WORDS) as unknown as [number, number, number];
      yield { file: this.#files.values[file]!, line, reason: this.#reasons.values[reason]! };
    }
  }
}

/** Strings, each with a number. */
class Numbered {
  readonly values: string[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(value: string): number {
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    this.#numbers.set(value, this.values.length);
    return this.values.push(value) - 1;
  }
}
