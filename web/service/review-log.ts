/** Decisions of this session: sent to the service one after the other, each batch can be taken back as one. */
import { signal } from '@preact/signals';
import { announce } from '../ui/announce.tsx';
import { addDecision, listDecisions } from './client.ts';
import type { Decision } from './types.ts';

export const done = signal<readonly (readonly Decision[])[]>([]);
export const problem = signal('');
/** What was decided on pairs, as far as it is known: all of it once the log was read. */
export const verdicts = signal<ReadonlyMap<string, Decision['verdict']>>(new Map());

/** Which of a pair stays, where someone said so. */
export const keeps = signal<ReadonlyMap<string, string | undefined>>(new Map());

export const pairKey = (a: string, b: string) => JSON.stringify(a < b ? [a, b] : [b, a]);

let isLogAsked = false;

/** Reads the log of the service once: what others decided, or you before you opened this page. */
export async function knowVerdicts(): Promise<void> {
  if (isLogAsked) return;
  isLogAsked = true;
  try {
    const known = new Map<string, Decision['verdict']>();
    const kept = new Map<string, string | undefined>();
    for (const { a, b, verdict, keep } of await listDecisions()) {
      known.set(pairKey(a, b), verdict);
      kept.set(pairKey(a, b), keep);
    }
    keeps.value = new Map([...kept, ...keeps.value]);
    verdicts.value = new Map([...known, ...verdicts.value]);
  } catch {
    // Rows say what the service says of a whole cluster; it is asked again with the next view.
    isLogAsked = false;
  }
}

export async function decideAll(
  decisions: readonly Decision[],
  isWanted: () => boolean = () => true,
): Promise<boolean> {
  const sent = await send(decisions, isWanted);
  // What takes something back is not taken back itself.
  if (sent.length > 0 && sent[0]!.verdict !== 'undecided') done.value = [...done.value, sent];
  if (sent.length === decisions.length) announce(`${decisions[0]?.verdict ?? 'Nothing'}: decided.`);
  return sent.length === decisions.length;
}

/** The last batch: a line `undecided` for each of its pairs. */
export async function undoLast(): Promise<readonly Decision[] | undefined> {
  const last = done.value.at(-1);
  if (!last) return undefined;
  done.value = done.value.slice(0, -1);
  const undone = await send(
    last.map(({ a, b }) => ({ a, b, verdict: 'undecided' as const })),
    () => true,
  );
  // What could not be taken back still stands, and can be tried again.
  if (undone.length < last.length) done.value = [...done.value, last.slice(undone.length)];
  else announce('Taken back.');
  return last;
}

async function send(decisions: readonly Decision[], isWanted: () => boolean): Promise<Decision[]> {
  problem.value = '';
  const sent: Decision[] = [];
  for (const decision of decisions) {
    if (!isWanted()) break;
    try {
      await addDecision(decision);
    } catch (error) {
      problem.value = (error as Error).message;
      break;
    }
    sent.push(decision);
  }
  const known = new Map(verdicts.value);
  const kept = new Map(keeps.value);
  for (const { a, b, verdict, keep } of sent) {
    known.set(pairKey(a, b), verdict);
    kept.set(pairKey(a, b), keep);
  }
  keeps.value = kept;
  verdicts.value = known;
  return sent;
}
