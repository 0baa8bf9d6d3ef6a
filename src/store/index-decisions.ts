/** What people decide about documents of an index, written to the log that stands with it. */

import {
  checkedDecision,
  contentText,
  type Decision,
  decisionLine,
  type GivenDecision,
} from '../decisions/decision.ts';
import { DecisionBook } from '../decisions/decision-book.ts';
import { type LineLog, linesOf } from '../decisions/line-log.ts';
import { createLoggedContent, hasLoggedContents } from '../engine/analyse/logged-content.ts';
import { fail } from '../errors.ts';
import type { Entry } from './record.ts';

export class IndexDecisions {
  readonly book: DecisionBook;
  /** Content hashes depend on the seed; those of a log are of the seed that runs have by default. */
  readonly hasTheirContents: boolean;
  readonly #log: LineLog;
  readonly #seed: number;
  readonly #entryOf: (id: string) => Promise<Entry | undefined>;

  constructor(log: LineLog, seed: number, entryOf: (id: string) => Promise<Entry | undefined>) {
    this.#log = log;
    this.#entryOf = entryOf;
    this.book = new DecisionBook(log);
    this.#seed = seed;
    this.hasTheirContents = hasLoggedContents(seed);
  }

  /** The line as it is appended; durable when this resolves. Both documents must be known. */
  async add(given: GivenDecision, now = new Date()): Promise<Decision> {
    const { a, b } = checkedDecision(given);
    const contents = [await this.#contentOf(a), await this.#contentOf(b)] as const;
    const isKnown = contents.some(content => content !== null);
    const decision: Decision = { ...given, at: now.toISOString(), ...(isKnown && { contents }) };
    await this.#log.append(decisionLine(decision));
    return decision;
  }

  /** The log, line by line, as it was written. */
  lines(): AsyncGenerator<string> {
    return linesOf(this.#log);
  }

  async #contentOf(id: string): Promise<string | null> {
    const entry = await this.#entryOf(id);
    if (!entry) return fail('UNKNOWN_ID', { id });
    if (this.hasTheirContents) return contentText(entry.content);
    const { document } = entry;
    if (!document) return null;
    return (await createLoggedContent(this.#seed))(document);
  }
}
