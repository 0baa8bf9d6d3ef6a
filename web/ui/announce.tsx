/** What changed without a focus moving, for those who hear the page. */
import { signal } from '@preact/signals';

const message = signal('');

export function announce(text: string): void {
  message.value = '';
  queueMicrotask(() => {
    message.value = text;
  });
}

export function Announcer() {
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {message.value}
    </div>
  );
}
