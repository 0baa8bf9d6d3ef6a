/** A figure of the page: heading, a few sentences, the picture, and buttons to go through it step by step. */
import type { ComponentChildren } from 'preact';

export function Figure(props: { id: string; title: string; children: ComponentChildren; text: ComponentChildren }) {
  return (
    <section class="lesson" id={`learn-${props.id}`} aria-labelledby={`${props.id}-title`}>
      <div class="lesson-text">
        <h3 id={`${props.id}-title`}>{props.title}</h3>
        {props.text}
      </div>
      <div class="sheet lesson-figure">{props.children}</div>
    </section>
  );
}

/** Steps before animation: nothing moves by itself. */
export function Steps(props: { label: string; at: number; count: number; onStep(at: number): void }) {
  const { at, count } = props;
  return (
    <fieldset class="buttons steps" aria-label={props.label}>
      <button type="button" disabled={at <= 0} onClick={() => props.onStep(0)}>
        Start
      </button>
      <button type="button" disabled={at <= 0} onClick={() => props.onStep(at - 1)}>
        Back
      </button>
      <button type="button" class="primary" disabled={at >= count} onClick={() => props.onStep(at + 1)}>
        Next step
      </button>
      <button type="button" disabled={at >= count} onClick={() => props.onStep(count)}>
        All
      </button>
      <span class="note">
        {at} of {count}
      </span>
    </fieldset>
  );
}
