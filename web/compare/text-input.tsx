/** A text: pasted, or dropped as a file. A large one is held, not shown: a field of 50 MB would stop the page. */
import { type Signal, useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { Id } from '../ui/parts.tsx';
import { many, size } from '../ui/shown.ts';
import { Cancelled } from '../work/client.ts';
import { compareWorker } from '../work/compare-client.ts';
import type { ComparedText } from './side-by-side.tsx';

/** Characters that a field takes without slowing down. */
const MOST_SHOWN = 200_000;
const MOST_BYTES = 64e6;

export function TextInput({ label, value }: { label: string; value: Signal<ComparedText> }) {
  const id = useId();
  const problem = useSignal('');
  const { text } = value.value;
  const take = async (file: File | undefined) => {
    if (!file) return;
    problem.value = file.size > MOST_BYTES ? `${file.name} is larger than ${size(MOST_BYTES)}.` : '';
    if (problem.value) return;
    try {
      value.value = { id: file.name, text: await compareWorker.call('read', { file }) };
    } catch (error) {
      if (!(error instanceof Cancelled)) problem.value = `${file.name}: ${(error as Error).message}`;
    }
  };
  return (
    <div
      class="field"
      onDragOver={event => event.preventDefault()}
      onDrop={event => {
        event.preventDefault();
        void take(event.dataTransfer?.files[0]);
      }}
    >
      <div class="head">
        <label for={id}>Text {label}</label>
        <label class="file">
          <input
            type="file"
            class="visually-hidden"
            aria-label={`Open a file for ${label}`}
            onChange={({ currentTarget }) => take(currentTarget.files?.[0])}
          />
          <span class="file-open">Open a file</span>
        </label>
      </div>
      {problem.value && <p class="error">{problem.value}</p>}
      {text.length > MOST_SHOWN ? (
        <div class="sheet">
          <p>
            <Id id={value.value.id} />: {many(text.length, 'character')}
          </p>
          <button
            type="button"
            onClick={() => {
              value.value = { id: `text ${label}`, text: '' };
            }}
          >
            Clear
          </button>
        </div>
      ) : (
        <textarea
          id={id}
          rows={6}
          spellcheck={false}
          dir="auto"
          value={text}
          placeholder={`Paste a text, or drop a file of up to ${size(MOST_BYTES)}`}
          onInput={({ currentTarget }) => {
            value.value = { id: `text ${label}`, text: currentTarget.value };
          }}
          onPaste={event => {
            const pasted = event.clipboardData?.getData('text/plain') ?? '';
            if (pasted.length <= MOST_SHOWN) return;
            // The browser would lay out all of it in the field first.
            event.preventDefault();
            const { selectionStart: start, selectionEnd: end } = event.currentTarget;
            const size = pasted.length + text.length;
            if (size > MOST_BYTES)
              problem.value = `The text has ${many(size, 'character')}; ${many(MOST_BYTES, 'character')} are the most.`;
            else value.value = { id: `text ${label}`, text: text.slice(0, start) + pasted + text.slice(end) };
          }}
        />
      )}
    </div>
  );
}
