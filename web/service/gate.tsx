/** Pages that stand on the service: shown when it is there; else how to start it, or a field for its key. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { CopyLine, Empty } from '../ui/parts.tsx';
import { findService, presence, unlock } from './client.ts';

export function Gate({ title, children }: { title: string; children: ComponentChildren }) {
  useEffect(() => {
    if (presence.peek() === 'unknown') void findService();
  }, []);
  const state = presence.value;
  if (state === 'there') return <>{children}</>;
  return (
    <>
      <h1>{title}</h1>
      {state === 'unknown' && <p class="note">Looking for the service …</p>}
      {state === 'locked' && <KeyForm />}
      {state === 'absent' && (
        <Empty>
          <p>This page shows an index, and no service answers. Start one, then open its address:</p>
          <CopyLine label="the command" text="neardup serve --index ./index" />
          <button
            type="button"
            onClick={() => {
              presence.value = 'unknown';
              void findService();
            }}
          >
            Look again
          </button>
        </Empty>
      )}
    </>
  );
}

/** The key is sent in a header and kept in memory, nowhere else. */
function KeyForm() {
  const key = useSignal('');
  const isWrong = useSignal(false);
  return (
    <form
      class="fields"
      onSubmit={async event => {
        event.preventDefault();
        await unlock(key.value);
        isWrong.value = presence.value === 'locked';
      }}
    >
      <div class="field">
        <label for="key">Key of the service (NEARDUP_API_KEY)</label>
        <input
          id="key"
          type="password"
          autocomplete="off"
          value={key.value}
          aria-invalid={isWrong.value}
          onInput={({ currentTarget }) => {
            key.value = currentTarget.value;
          }}
        />
        {isWrong.value && <small class="error">The service does not accept this key.</small>}
      </div>
      <button type="submit" class="primary">
        Unlock
      </button>
    </form>
  );
}
