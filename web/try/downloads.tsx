/** What a run and its review gave, to take along: the kept documents, the evidence, the decisions. */
import { useSignal } from '@preact/signals';
import { save } from '../ui/files.ts';
import { many } from '../ui/shown.ts';
import { decisionLines, log, removedItems, unsaved, verdictOf } from './decisions.ts';
import { worker } from './state.ts';
import type { RunResult } from './types.ts';

export function Downloads({ result }: { result: RunResult }) {
  const isAtWork = useSignal(false);
  const problem = useSignal('');
  const saveKept = async () => {
    isAtWork.value = true;
    problem.value = '';
    try {
      const { blob, name } = await worker.call('kept', { removed: removedItems(result.groups) });
      save(blob, name);
    } catch (error) {
      problem.value = (error as Error).message;
    } finally {
      isAtWork.value = false;
    }
  };
  return (
    <div class="buttons block">
      <button type="button" class="primary" disabled={isAtWork.value || result.documents === 0} onClick={saveKept}>
        {isAtWork.value ? 'Writing …' : 'Download what stays'}
      </button>
      <button
        type="button"
        disabled={result.groups.length === 0}
        onClick={() => save(new Blob([evidenceLines(result)]), 'removed.jsonl')}
      >
        Download the evidence
      </button>
      <button
        type="button"
        disabled={log.value.length === 0}
        onClick={() => {
          save(new Blob([decisionLines()]), 'decisions.jsonl');
          unsaved.value = 0;
        }}
      >
        Download decisions.jsonl
      </button>
      {unsaved.value > 0 && <span class="note">{many(unsaved.value, 'decision')} not downloaded yet</span>}
      {problem.value && <span class="error">{problem.value}</span>}
    </div>
  );
}

/** The lines of `--removed`, in the order of the documents. */
function evidenceLines({ groups }: RunResult): string {
  const removals = groups.flatMap(group =>
    group.members
      .filter(member => verdictOf(group, member) !== 'different')
      .map(({ item, id, relation, resemblance, containment }) => ({
        item,
        line: { id, keptId: group.id, relation, resemblance, containment, cluster: group.id },
      })),
  );
  return removals
    .sort((a, b) => a.item - b.item)
    .map(({ line }) => `${JSON.stringify(line)}\n`)
    .join('');
}
