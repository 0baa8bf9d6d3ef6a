/** A file of which every record was rejected → one line that says why, and what would help. */
import { fail } from '../errors.ts';
import { fieldsSeen } from './fields-seen.ts';
import type { InputFile } from './find/inputs.ts';
import type { ReadOptions, Reject } from './item.ts';
import { otherKind } from './other-kind.ts';

/** Rejects, however many, in the room of one. */
export class RejectTally {
  count = 0;
  first: Reject | undefined;
  /** Records there were, and none of them had the field. */
  isFieldMissing = false;
  #isFieldSeen = false;
  #lastReason: string | undefined;

  add(reject: Reject): void {
    this.count++;
    this.first ??= reject;
    if (reject.reason === this.#lastReason) return;
    this.#lastReason = reject.reason;
    this.addReason(reject.reason);
  }

  addReason(reason: string): void {
    const isMissing = /^(text|set) missing/.test(reason);
    this.#isFieldSeen ||= !isMissing && !/^(not (JSON|an object)|broken link)/.test(reason);
    this.isFieldMissing = (this.isFieldMissing || isMissing) && !this.#isFieldSeen;
  }
}

export async function failOnNoDocument(
  file: InputFile,
  { first, count, isFieldMissing }: Pick<RejectTally, 'first' | 'count' | 'isFieldMissing'>,
  { setField, textField }: Pick<ReadOptions, 'setField' | 'textField'>,
): Promise<never> {
  const what = await otherKind(file);
  if (what !== undefined) return fail('BAD_INPUT', { file: file.path, reason: what });
  // Of a table the reject itself says which columns there are.
  if (isFieldMissing && !first!.reason.includes('no column')) {
    const seen = await fieldsSeen(file);
    const hint = seen.length > 0 ? `; fields seen: ${seen.join(', ')}` : '';
    const reason = `no document has a field ${JSON.stringify(setField ?? textField)}${hint}`;
    return fail('BAD_INPUT', { file: file.path, reason });
  }
  if (count === 1) return fail('BAD_LINE', first!);
  return fail('BAD_LINE', { ...first!, reason: `${first!.reason}; no document could be read, ${count} were rejected` });
}
