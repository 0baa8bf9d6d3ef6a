/** A place to drop files, or to choose them with a button. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { droppedFiles } from './files.ts';

export function Drop(props: {
  label: string;
  accept?: string;
  multiple?: boolean;
  onFiles(files: File[]): void;
  children?: ComponentChildren;
}) {
  const isOver = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  const hover = (over: boolean) => (event: DragEvent) => {
    event.preventDefault();
    isOver.value = over;
  };
  return (
    <div
      class={isOver.value ? 'drop over' : 'drop'}
      onDragOver={hover(true)}
      onDragLeave={hover(false)}
      onDrop={async event => {
        hover(false)(event);
        if (event.dataTransfer) props.onFiles(await droppedFiles(event.dataTransfer));
      }}
    >
      <button type="button" class="primary" onClick={() => input.current?.click()}>
        {props.label}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={props.label}
        multiple={props.multiple ?? true}
        accept={props.accept}
        onChange={({ currentTarget }) => {
          props.onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
      {props.children}
    </div>
  );
}
