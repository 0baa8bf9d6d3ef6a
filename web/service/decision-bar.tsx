/** Two documents of the index → are they the same? The answer goes to the service's log of decisions. */
import { useEffect } from 'preact/hooks';
import { useKeys } from '../ui/keys.ts';
import { decideAll, knowVerdicts, pairKey, problem, verdicts } from './review-log.ts';
import type { DecisionVerdict } from './types.ts';

export function DecisionBar({ a, b }: { a: string; b: string }) {
  // What was decided before stands here, too.
  useEffect(() => void knowVerdicts(), []);
  const verdict = verdicts.value.get(pairKey(a, b)) ?? 'undecided';
  const decide = (given: DecisionVerdict) => decideAll([{ a, b, verdict: given }]);
  useKeys({ s: () => decide('same'), d: () => decide('different'), u: () => decide('undecided') });
  return (
    <div class="buttons block">
      <button type="button" aria-pressed={verdict === 'same'} onClick={() => decide('same')}>
        Same<kbd>s</kbd>
      </button>
      <button type="button" aria-pressed={verdict === 'different'} onClick={() => decide('different')}>
        Different<kbd>d</kbd>
      </button>
      <button type="button" disabled={verdict === 'undecided'} onClick={() => decide('undecided')}>
        Undo<kbd>u</kbd>
      </button>
      {problem.value && <span class="error">{problem.value}</span>}
    </div>
  );
}
