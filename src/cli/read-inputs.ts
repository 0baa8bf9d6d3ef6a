/** Inputs of a command → their documents, each reject noted on standard error; with no document at all, an error that says why. */
import { fail } from '../errors.ts';
import { RepeatedIds } from '../formats/ids.ts';
import { expandInputs, type InputFile } from '../formats/inputs.ts';
import { type DocumentItem, type Item, isReject, type Reject, type Source } from '../formats/item.ts';
import { readDocuments } from '../formats/read.ts';
import type { Options } from '../options.ts';
import { fieldsSeen } from './fields-seen.ts';
import type { inputOptions } from './input-options.ts';
import type { Io } from './io.ts';
import { printable } from './printable.ts';

export type InputOptions = Options<(typeof inputOptions)[number]>;

/** With --set-field a set and no text, even where the record has both. */
export interface InputDocument {
  readonly id: string;
  readonly text?: string;
  readonly set?: readonly (string | number)[];
  /** Of a text file, the bytes it is made of, if the reader gives them. */
  readonly bytes?: Uint8Array;
  readonly source: Source;
}

type Reader = (files: readonly InputFile[], options: InputOptions) => AsyncIterable<Item & { bytes?: Uint8Array }>;

/** Opens nothing before the first document is asked for, and fails at the end if there was none. */
export async function* readInputs(
  inputs: readonly string[],
  options: InputOptions,
  io: Pick<Io, 'note'>,
  read: Reader = readDocuments,
): AsyncGenerator<InputDocument> {
  const notes = new RejectNotes(io);
  const files = await expandInputs(inputs, options.format, options.strict ? undefined : reject => notes.add(reject));
  const ids = new RepeatedIds();
  let count = 0;
  for await (const item of read(files, options)) {
    if (isReject(item)) {
      notes.add(item.reject);
    } else {
      notes.show();
      count++;
      yield inputDocument(ids.rename(item), options);
    }
  }
  if (count === 0) await failOnNothing(files, options, notes);
  notes.end();
}

function inputDocument(item: DocumentItem & { bytes?: Uint8Array }, { setField }: InputOptions): InputDocument {
  const { document, source, bytes } = item;
  const { id, text, set } = document;
  if (setField !== undefined) return { id, source, ...(set && { set }) };
  return { id, source, ...(text !== undefined && { text }), ...(bytes && { bytes }) };
}

/** A document that this command can do nothing with. */
export function noteReject(io: Pick<Io, 'note'>, { file, line }: Source, reason: string): void {
  io.note(printable(`${file}:${line}: ${reason}`));
}

/** Rejects shown one by one; a file of the wrong kind would give one for each of a million lines. */
const SHOWN = 20;

/** Held back until a document comes: when none does, one line that says why is better than twenty. */
export class RejectNotes {
  readonly first: Reject[] = [];
  count = 0;
  /** Some records have no such field, and the others are no records at all. */
  isFieldMissing = false;
  #isFieldSeen = false;
  readonly #io: Pick<Io, 'note'>;
  #shown: number | undefined;

  constructor(io: Pick<Io, 'note'>) {
    this.#io = io;
  }

  add(reject: Reject): void {
    this.count++;
    const isMissing = /^(text|set) missing/.test(reject.reason);
    this.#isFieldSeen ||= !isMissing && !/^(not (JSON|an object)|broken link)/.test(reject.reason);
    this.isFieldMissing = (this.isFieldMissing || isMissing) && !this.#isFieldSeen;
    if (this.first.length < SHOWN) this.first.push(reject);
    if (this.#shown !== undefined) this.show();
  }

  show(): void {
    for (const reject of this.first.slice(this.#shown ?? 0)) noteReject(this.#io, reject, reject.reason);
    this.#shown = this.first.length;
  }

  end(): void {
    this.show();
    const more = this.count - this.first.length;
    if (more > 0) this.#io.note(`… and ${more} more rejects`);
  }
}

/** Says in one line why there is no document. */
export async function failOnNothing(
  files: readonly InputFile[],
  options: InputOptions,
  notes: RejectNotes,
): Promise<never> {
  const [reject] = notes.first;
  const file = files.length === 1 ? files[0]!.path : `${files[0]!.path} and ${files.length - 1} more`;
  if (reject === undefined) return fail('BAD_INPUT', { file, reason: 'no document in it' });
  // Of a table the reject itself says which columns there are.
  if (notes.isFieldMissing && !reject.reason.includes('no column')) {
    const seen = await fieldsSeen(files);
    const field = JSON.stringify(options.setField ?? options.textField);
    const rest = seen.length > 0 ? `; fields seen: ${seen.join(', ')}` : '';
    return fail('BAD_INPUT', { file, reason: `no document has a field ${field}${rest}` });
  }
  if (notes.count === 1 || notes.isFieldMissing) return fail('BAD_LINE', reject);
  notes.end();
  return fail('BAD_INPUT', { file, reason: `no document could be read, ${notes.count} were rejected` });
}
