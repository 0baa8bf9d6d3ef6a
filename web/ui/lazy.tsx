/** A page that is loaded when it is first shown, so that a visitor loads only what they look at. */
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { Empty } from './parts.tsx';

export function lazy(load: () => Promise<ComponentType>): ComponentType {
  const loaded = signal<ComponentType | undefined>(undefined);
  const problem = signal('');
  const start = () => {
    problem.value = '';
    load().then(
      page => {
        loaded.value = page;
      },
      error => {
        problem.value = (error as Error).message;
      },
    );
  };
  return function LazyPage() {
    useEffect(() => {
      if (!loaded.peek()) start();
    }, []);
    const Page = loaded.value;
    if (Page) return <Page />;
    if (!problem.value) return <p class="note">Loading …</p>;
    return (
      <Empty>
        <p class="error">The page could not be loaded: {problem.value}</p>
        <button type="button" onClick={start}>
          Try again
        </button>
      </Empty>
    );
  };
}
