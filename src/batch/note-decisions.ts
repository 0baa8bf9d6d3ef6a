/** A log of decisions → its lines, and on standard error what of them has no effect. */
import type { Decision } from '../decisions/decision.ts';
import { readDecisions, type UnreadableLine } from '../decisions/decision-file.ts';
import type { DecisionCounts } from '../engine/decide/settle-decisions.ts';
import { many, printable } from '../report/printable.ts';
import type { Messages } from './losses.ts';

/** `strict`: a line that is no decision fails the run. */
export async function openDecisions(
  path: string | undefined,
  strict: boolean | undefined,
  io: Messages,
): Promise<Decision[] | undefined> {
  if (path === undefined) return undefined;
  const unreadable: UnreadableLine[] = [];
  const onUnreadable = strict ? undefined : (line: UnreadableLine) => void unreadable.push(line);
  const decisions = await readDecisions(path, { onUnreadable });
  const [first] = unreadable;
  if (first)
    io.warn(
      printable(`warning: ${path}:${first.line}: ${first.reason}; ${many(unreadable.length, 'such line')} ignored`),
    );
  return decisions;
}

/** Never kept from the caller: a document that was to stay may go. */
export function noteDecisions(io: Messages, path: string | undefined, counts: DecisionCounts | undefined): void {
  if (path === undefined || !counts) return;
  const { stale, unknown, apart } = counts;
  const ignored = [
    stale > 0 && `${many(stale, 'line')} about a text that has changed since`,
    unknown > 0 && `${many(unknown, 'pair')} with an id that no document has`,
    apart > 0 && `${many(apart, 'pair')} that this run does not compare (--by)`,
  ].filter(part => part !== false);
  if (ignored.length > 0) io.warn(printable(`warning: ${path}: ignored ${ignored.join(', ')}`));
}
