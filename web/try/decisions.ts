/** What a person decided on pairs of documents, as the log that decisions.jsonl is: the last line about a pair counts. */
import { computed, signal } from '@preact/signals';
import type { Decision, DecisionVerdict } from '../service/types.ts';
import type { Group, Member } from './types.ts';

export interface Decided extends Decision {
  readonly itemA: number;
  readonly itemB: number;
}

export const log = signal<readonly Decided[]>([]);

/** Lines that are in no file yet. */
export const unsaved = signal(0);

/** Of the removed and the kept document. */
const verdicts = computed(() => {
  const found = new Map<string, DecisionVerdict>();
  for (const { itemA, itemB, verdict } of log.value) found.set(`${itemA} ${itemB}`, verdict);
  return found;
});

export function verdictOf(group: Group, member: Member): DecisionVerdict {
  return verdicts.value.get(`${member.item} ${group.item}`) ?? 'undecided';
}

export function decide(group: Group, member: Member, verdict: DecisionVerdict, now: Date): void {
  const line: Decided = {
    a: member.id,
    b: group.id,
    verdict,
    ...(verdict === 'same' && { keep: group.id }),
    at: now.toISOString(),
    itemA: member.item,
    itemB: group.item,
  };
  log.value = [...log.value, line];
  unsaved.value++;
}

/** The last decision that still stands is taken back, by a line that says so. */
export function undo(now: Date): { itemA: number; itemB: number } | undefined {
  const standing = log.value.findLast(
    (line, at) =>
      line.verdict !== 'undecided' &&
      !log.value.slice(at + 1).some(later => later.itemA === line.itemA && later.itemB === line.itemB),
  );
  if (!standing) return undefined;
  const { keep, ...rest } = standing;
  log.value = [...log.value, { ...rest, verdict: 'undecided', at: now.toISOString() }];
  unsaved.value++;
  return standing;
}

export function forget(): void {
  log.value = [];
  unsaved.value = 0;
}

export function decisionLines(): string {
  return log.value.map(({ itemA, itemB, ...line }) => `${JSON.stringify(line)}\n`).join('');
}

/** What goes: all that was found, but for pairs that were called different. */
export function removedItems(groups: readonly Group[]): number[] {
  return groups.flatMap(group =>
    group.members.filter(member => verdictOf(group, member) !== 'different').map(({ item }) => item),
  );
}
