/** A log of decisions → what counts about a pair: its last line whose texts are still the same. */
import { checkedLine, type Decision, parseDecision } from './decision.ts';
import type { LineLog } from './line-log.ts';

/** The content hash of the text that an id has now, as `contents` has it; undefined where it is not known. */
export type ContentOf = (id: string) => string | undefined;

const unknown: ContentOf = () => undefined;

export class DecisionBook {
  readonly #log: LineLog | undefined;
  readonly #byPair = new Map<string, Decision[]>();
  readonly #partners = new Map<string, Set<string>>();
  #read = 0;
  #catching: Promise<void> | undefined;
  /** Decisions read so far. */
  lines = 0;
  /** Lines that are not decisions. */
  unreadable = 0;

  constructor(log?: LineLog) {
    this.#log = log;
  }

  /** Of lines that are parsed already, in the order of the log; one that is wrong is an error that names the field. */
  static of(decisions: Iterable<Decision>): DecisionBook {
    const book = new DecisionBook();
    for (const decision of decisions) book.#take(checkedLine(decision));
    return book;
  }

  /** Reads what this or another process has appended since. */
  catchUp(): Promise<void> {
    this.#catching ??= this.#catchUp().finally(() => {
      this.#catching = undefined;
    });
    return this.#catching;
  }

  async #catchUp(): Promise<void> {
    while (this.#log) {
      const { lines, next } = await this.#log.read(this.#read);
      if (next === this.#read) return;
      for (const line of lines) this.#add(line);
      this.#read = next;
    }
  }

  /** `same` or `different`; undefined when nothing counts. */
  decided(a: string, b: string, contentOf: ContentOf = unknown): Decision | undefined {
    const lines = this.#byPair.get(keyOf(a, b)) ?? [];
    for (let at = lines.length - 1; at >= 0; at--) {
      const decision = lines[at]!;
      if (isStale(decision, contentOf)) continue;
      return decision.verdict === 'undecided' ? undefined : decision;
    }
    return undefined;
  }

  /** All decisions that count, and how many lines were ignored because a text has changed since. */
  settle(contentOf: ContentOf = unknown): { readonly decisions: readonly Decision[]; readonly stale: number } {
    const decisions: Decision[] = [];
    let stale = 0;
    for (const lines of this.#byPair.values()) {
      const [{ a, b }] = lines as [Decision];
      stale += lines.filter(line => isStale(line, contentOf)).length;
      const decision = this.decided(a, b, contentOf);
      if (decision) decisions.push(decision);
    }
    return { decisions, stale };
  }

  /** The ids of all documents in the log. */
  ids(): Iterable<string> {
    return this.#partners.keys();
  }

  /** The documents that this one was paired with in the log. */
  partnersOf(id: string): ReadonlySet<string> {
    return this.#partners.get(id) ?? nobody;
  }

  #add(line: string): void {
    if (line.trim() === '') return;
    const decision = parseDecision(line);
    if (!decision) {
      this.unreadable++;
      return;
    }
    this.#take(decision);
  }

  #take(decision: Decision): void {
    this.lines++;
    const { a, b } = decision;
    const key = keyOf(a, b);
    const lines = this.#byPair.get(key);
    if (lines) lines.push(decision);
    else this.#byPair.set(key, [decision]);
    this.#pair(a, b);
    this.#pair(b, a);
  }

  #pair(id: string, partner: string): void {
    const partners = this.#partners.get(id);
    if (partners) partners.add(partner);
    else this.#partners.set(id, new Set([partner]));
  }
}

const nobody: ReadonlySet<string> = new Set();

function isStale({ a, b, contents }: Decision, contentOf: ContentOf): boolean {
  if (!contents) return false;
  const isOther = (id: string, then: string | null) => then !== null && (contentOf(id) ?? then) !== then;
  return isOther(a, contents[0]) || isOther(b, contents[1]);
}

/** The same in either order. */
function keyOf(a: string, b: string): string {
  return JSON.stringify(a < b ? [a, b] : [b, a]);
}
