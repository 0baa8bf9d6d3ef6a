/** A file of decisions → its lines, parsed. Unlike in a log that is still being written, the last line counts without a newline. */
import { readFile } from 'node:fs/promises';
import { fail } from '../errors.ts';
import { failReading } from '../files/system-errors.ts';
import { checkedLine, type Decision } from './decision.ts';

/** A line that is not a decision, such as half a line after a crash. */
export interface UnreadableLine {
  readonly line: number;
  readonly reason: string;
}

/** How `readDecisions` goes on. */
export interface ReadDecisionsSettings {
  /** Called with each line that is not a decision, which is then skipped. Default: such a line fails the call. */
  readonly onUnreadable?: ((unreadable: UnreadableLine) => void) | undefined;
}

/**
 * The lines of `decisions.jsonl`, as the service and `neardup` write them. A file that is not empty and has no decision fails
 * the call, because it is some other file.
 *
 * @example
 * ```ts
 * const { kept } = await dedup(articles, { decisions: await readDecisions('decisions.jsonl') });
 * ```
 */
export async function readDecisions(path: string, { onUnreadable }: ReadDecisionsSettings = {}): Promise<Decision[]> {
  const text = await readFile(path, 'utf8').catch(error => failReading(path, error));
  const decisions: Decision[] = [];
  const unreadable: UnreadableLine[] = [];
  for (const [at, line] of text
    .replace(/^\ufeff/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue;
    const read = decisionIn(line);
    if (typeof read === 'string') unreadable.push({ line: at + 1, reason: read });
    else decisions.push(read);
  }
  const [first] = unreadable;
  if (first && (!onUnreadable || decisions.length === 0)) fail('BAD_LINE', { file: path, ...first });
  for (const one of unreadable) onUnreadable?.(one);
  return decisions;
}

/** The decision, or the reason why it is none. */
function decisionIn(line: string): Decision | string {
  let parsed: Decision;
  try {
    parsed = JSON.parse(line);
  } catch {
    return 'not JSON';
  }
  try {
    return checkedLine(parsed);
  } catch (error) {
    return `not a decision: ${(error as Error).message}`;
  }
}
