/** What reading met → the lines that tell of it on standard error. */
import type { FilesRead } from '../engine/engine.ts';
import { fail } from '../errors.ts';
import { fieldsSeen } from '../formats/fields-seen.ts';
import type { InputFile } from '../formats/find/inputs.ts';
import type { Reject } from '../formats/item.ts';
import { firstOf, printable } from '../report/printable.ts';
import { failOnNothing, isBrokenLink, type Messages, warnOfDamage, warnOfRejects } from './losses.ts';

/** Rejects shown one by one when there is no file for them. */
const SHOWN = 5;

export async function noteRejects(
  io: Messages,
  { documents, rejects, damages, unknownFields }: FilesRead,
  inputs: readonly InputFile[],
  hasFile: boolean,
): Promise<void> {
  const [first, ...more] = firstOf(rejects, SHOWN);
  if (documents === 0 && (first ?? damages[0])) failOnNothing(inputs, first ?? damages[0]);
  for (const damage of damages) warnOfDamage(io, damage);
  if (io.quiet) warnOfRejects(io, rejects.length, countBrokenLinks(rejects), first);
  else if (first !== undefined && !hasFile) {
    for (const { file, line, reason } of [first, ...more]) io.note(printable(`rejected ${file}:${line}: ${reason}`));
    if (rejects.length > SHOWN) io.note(`… and ${rejects.length - SHOWN} more; --rejects FILE lists them all`);
  }
  if (documents === 0) io.note('warning: there is no document in the input');
  else for (const field of unknownFields) await failOnField(field, inputs);
}

/** A field that no document has is a mistake in the command, not in every line. */
async function failOnField(field: string, inputs: readonly InputFile[]): Promise<never> {
  const seen = new Set<string>();
  for (const file of inputs.slice(0, MOST_FILES)) for (const name of await fieldsSeen(file)) seen.add(name);
  const hint = seen.size > 0 ? `; fields seen: ${[...seen].join(', ')}` : '';
  return fail('BAD_DOCUMENT', { reason: printable(`no document has a field ${JSON.stringify(field)}${hint}`) });
}

/** Files that are looked at for the fields they have. */
const MOST_FILES = 10;

/** They come before all others. */
function countBrokenLinks(rejects: Iterable<Reject>): number {
  let count = 0;
  for (const reject of rejects) {
    if (!isBrokenLink(reject)) break;
    count++;
  }
  return count;
}
