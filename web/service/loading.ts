/** A question to the service → its answer, or what went wrong; asked again when the question changes, dropped when the view goes. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

export interface Loading<Value> {
  readonly value: Signal<Value | undefined>;
  readonly problem: Signal<string>;
  readonly isLoading: Signal<boolean>;
}

/** `key` names the question; an undefined one asks nothing. */
export function useLoaded<Value>(
  key: string | undefined,
  ask: (signal: AbortSignal) => Promise<Value>,
): Loading<Value> {
  const value = useSignal<Value | undefined>(undefined);
  const problem = useSignal('');
  const isLoading = useSignal(false);
  useEffect(() => {
    if (key === undefined) return;
    const controller = new AbortController();
    isLoading.value = true;
    problem.value = '';
    ask(controller.signal)
      .then(
        answer => {
          if (!controller.signal.aborted) value.value = answer;
        },
        error => {
          if (!controller.signal.aborted) problem.value = (error as Error).message;
        },
      )
      .finally(() => {
        if (!controller.signal.aborted) isLoading.value = false;
      });
    return () => controller.abort();
  }, [key]);
  return { value, problem, isLoading };
}
