/** Two documents of the index → are they the same? The answer goes to the service's log of decisions. */
import { useSignal } from '@preact/signals';
import { announce } from '../ui/announce.tsx';
import { useKeys } from '../ui/keys.ts';
import { addDecision } from './client.ts';
import type { DecisionVerdict } from './types.ts';

export function DecisionBar({ a, b }: { a: string; b: string }) {
  const verdict = useSignal<DecisionVerdict>('undecided');
  const problem = useSignal('');
  const decide = async (given: DecisionVerdict) => {
    problem.value = '';
    try {
      await addDecision({ a, b, verdict: given });
      verdict.value = given;
      announce(`Called ${given}.`);
    } catch (error) {
      problem.value = (error as Error).message;
    }
  };
  useKeys({ s: () => decide('same'), d: () => decide('different'), u: () => decide('undecided') });
  return (
    <div class="buttons block">
      <button type="button" aria-pressed={verdict.value === 'same'} onClick={() => decide('same')}>
        Same<kbd>s</kbd>
      </button>
      <button type="button" aria-pressed={verdict.value === 'different'} onClick={() => decide('different')}>
        Different<kbd>d</kbd>
      </button>
      <button type="button" disabled={verdict.value === 'undecided'} onClick={() => decide('undecided')}>
        Undo<kbd>u</kbd>
      </button>
      {problem.value && <span class="error">{problem.value}</span>}
    </div>
  );
}
