/** Rejects, one by one → the same again, in 12 bytes each: 8 MB of input may have millions of them. */

import type { Reject } from '../../formats/item.ts';
import { numberIn } from '../../similarity/numbering.ts';
import { wordsColumn } from '../decide/columns.ts';

const WORDS = 3;

export class RejectList implements Iterable<Reject> {
  readonly #files = new Map<string, number>();
  readonly #reasons = new Map<string, number>();
  readonly #words = wordsColumn();

  constructor(rejects: Iterable<Reject> = []) {
    for (const reject of rejects) this.add(reject);
  }

  add({ file, line, reason }: Reject): void {
    this.#words.push(numberIn(this.#files, file));
    this.#words.push(line);
    this.#words.push(numberIn(this.#reasons, reason));
  }

  get length(): number {
    return this.#words.length / WORDS;
  }

  *[Symbol.iterator](): Generator<Reject> {
    const [files, reasons] = [[...this.#files.keys()], [...this.#reasons.keys()]];
    for (let at = 0; at < this.#words.length; at += WORDS) {
      const [file, line, reason] = this.#words.values.subarray(at, at + WORDS) as unknown as [number, number, number];
      yield { file: files[file]!, line, reason: reasons[reason]! };
    }
  }
}
