/** What could not be read → lines on standard error that say so: each of the first ones, or with --quiet how many there are. */
import { fail } from '../errors.ts';
import type { InputFile, OnSkipped } from '../formats/find/inputs.ts';
import type { FileDamage, Reject } from '../formats/item.ts';
import { many, printable } from '../report/printable.ts';

/** Where a run says what it met on its way. */
export interface Messages {
  /** Advice, and rejects one by one. A quiet caller does not get them. */
  note(line: string): void;
  /** Something was lost or left out. The caller always hears of it. */
  warn(line: string): void;
  /** Notes are not shown, so that what was lost is counted in one line. */
  readonly quiet: boolean;
}

/** Rejects shown one by one; a file of the wrong kind would give one for each of a million lines. */
const SHOWN = 20;

/** Rejects are held back until the first document comes. If none comes, one line that says why is better than twenty. */
export class Losses {
  readonly first: Reject[] = [];
  count = 0;
  readonly #io: Messages;
  /** Rejects have a file of their own. */
  readonly #isListed: boolean;
  readonly #damages: FileDamage[] = [];
  #brokenLinks = 0;
  #shown: number | undefined;

  constructor(io: Messages, isListed = false) {
    this.#io = io;
    this.#isListed = isListed;
  }

  add(reject: Reject): void {
    this.count++;
    if (isBrokenLink(reject)) this.#brokenLinks++;
    if (this.first.length < SHOWN) this.first.push(reject);
    if (this.#shown !== undefined) this.show();
  }

  addDamage(damage: FileDamage): void {
    this.#damages.push(damage);
    warnOfDamage(this.#io, damage);
  }

  show(): void {
    const shown = this.#isListed ? [] : this.first.slice(this.#shown ?? 0);
    for (const { file, line, reason } of shown) this.#io.note(printable(`${file}:${line}: ${reason}`));
    this.#shown = this.first.length;
  }

  end(): void {
    this.show();
    const more = this.count - this.first.length;
    if (more > 0 && !this.#isListed) this.#io.note(`… and ${more} more rejects`);
    if (this.#io.quiet) warnOfRejects(this.#io, this.count, this.#brokenLinks, this.first[0]);
  }

  /** What is passed over where folders and patterns are looked through. */
  ofFolders(strict?: boolean): OnSkipped {
    return { brokenLink: strict ? undefined : reject => this.add(reject), unknownEndings: unknownEndings(this.#io) };
  }

  get hasAny(): boolean {
    return this.count > 0 || this.#damages.length > 0;
  }

  /** Says in one line why there is no document. */
  failOnNothing(files: readonly InputFile[]): never {
    return failOnNothing(files, this.first[0] ?? this.#damages[0]);
  }
}

export function warnOfDamage(io: Messages, { file, line, reason, readable }: FileDamage): void {
  io.warn(printable(`warning: ${file}:${line}: ${reason}; documents read before it: ${readable}`));
}

export function unknownEndings(io: Messages): (warning: string) => void {
  return warning => io.warn(printable(`warning: ${warning}`));
}

/** With --quiet, all there is to say of them. */
export function warnOfRejects(io: Messages, count: number, brokenLinks: number, first: Reject | undefined): void {
  if (first === undefined) return;
  const kinds = [
    ...(count > brokenLinks ? [`${many(count - brokenLinks, 'line')} rejected`] : []),
    ...(brokenLinks > 0 ? [many(brokenLinks, 'broken link')] : []),
  ];
  io.warn(printable(`neardup: ${kinds.join(', ')} (first: ${first.file}:${first.line}: ${first.reason})`));
}

export function isBrokenLink({ reason }: Reject): boolean {
  return reason.startsWith('broken link');
}

export function failOnNothing(files: readonly InputFile[], first: Reject | undefined): never {
  const file = files.length === 1 ? files[0]!.path : `${files[0]!.path} and ${files.length - 1} more`;
  if (first === undefined) return fail('BAD_INPUT', { file, reason: 'no document in it' });
  return fail('BAD_LINE', { ...first, reason: `${first.reason}; no document could be read` });
}
