/** What reading met → the lines that tell of it on standard error. */
import type { FilesRead, ReadReject } from '../../engine/files.ts';
import { fail } from '../../errors.ts';
import type { InputFile } from '../../formats/inputs.ts';
import type { Options } from '../../options.ts';
import { fieldsSeen } from '../fields-seen.ts';
import type { Io } from '../io.ts';
import { printable } from '../printable.ts';

/** Rejects shown one by one when there is no file for them. */
const SHOWN = 5;

export async function noteRejects(
  io: Pick<Io, 'note'>,
  { documents, rejects, unknownFields }: FilesRead,
  inputs: readonly InputFile[],
  { textField, setField }: Pick<Options, 'textField' | 'setField'>,
  hasFile: boolean,
): Promise<void> {
  const shown: ReadReject[] = [];
  let others = 0;
  let areAllMissing = true;
  for (const reject of rejects) {
    const { file, line, reason, endsFile } = reject;
    areAllMissing &&= /^(text|set) missing/.test(reason);
    if (endsFile) io.note(printable(`warning: ${file}:${line}: ${reason}; only what comes before it was read`));
    else if (++others <= SHOWN) shown.push(reject);
  }
  if (!hasFile) {
    for (const { file, line, reason } of shown) io.note(printable(`rejected ${file}:${line}: ${reason}`));
    if (others > SHOWN) io.note(`… and ${others - SHOWN} more; --rejects FILE lists them all`);
  }
  if (documents > 0) {
    for (const field of unknownFields) await failOnField(field, inputs);
    return;
  }
  if (rejects.length === 0) return io.note('warning: there is no document in the input');
  if (areAllMissing) await failOnField(setField ?? textField, inputs);
  io.note('warning: no document could be read');
}

/** A field that no document has is a mistake in the command, not in every line. */
async function failOnField(field: string, inputs: readonly InputFile[]): Promise<never> {
  const seen = await fieldsSeen(inputs);
  const hint = seen.length > 0 ? `; fields seen: ${seen.join(', ')}` : '';
  return fail('BAD_DOCUMENT', { reason: printable(`no document has a field ${JSON.stringify(field)}${hint}`) });
}
