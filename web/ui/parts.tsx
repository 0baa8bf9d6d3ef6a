/** The small parts all pages are made of. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { announce } from './announce.tsx';
import { inTheMiddle, onOneLine } from './shown.ts';

/** Any string of a document or a file name, isolated so that right-to-left letters turn nothing around them. */
export function Id({ id, most }: { id: string; most?: number }) {
  return id === '' ? (
    <i class="empty">empty</i>
  ) : (
    <bdi title={id.length > 60 ? onOneLine(id, 1000) : undefined}>
      {most === undefined ? onOneLine(id) : inTheMiddle(id, most)}
    </bdi>
  );
}

/** Letters at the end of an id that are cut last. */
const TAIL = 24;

/** On one line, as wide as there is room: paths begin alike, so the end stays and the middle is cut. */
export function IdLine({ id }: { id: string }) {
  if (id.length <= TAIL + 8) return <Id id={id} />;
  return (
    <bdi class="id-line" title={onOneLine(id, 1000)}>
      <span>{onOneLine(id.slice(0, -TAIL))}</span>
      <span>{onOneLine(id.slice(-TAIL))}</span>
    </bdi>
  );
}

export function Block({ title, id, children }: { title: string; id: string; children: ComponentChildren }) {
  return (
    <section class="block" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

export function Figures({ figures }: { figures: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl class="figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Says what to do next; never only that there is nothing. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="empty-state">{children}</div>;
}

/** What may be wider than the window scrolls by itself, and is reached by keys. */
export function Wide({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="wide" role="group" tabIndex={0} aria-label={label}>
      {children}
    </div>
  );
}

/** At work: how far, and a way to end it. Without a share nobody knows how far. */
export function Progress({ text, share, onCancel }: { text: string; share?: number | undefined; onCancel(): void }) {
  return (
    <div class="progress">
      <div>
        <span>{text}</span>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
      <progress aria-label={text} {...(share === undefined ? {} : { value: share })} max={1} />
    </div>
  );
}

interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

/** One of a few, as a row of radio buttons. */
export function Segments<Value extends string>(props: {
  label: string;
  value: Value;
  choices: readonly Choice<Value>[];
  onChange(value: Value): void;
  hideLabel?: boolean;
}) {
  const name = useId();
  return (
    <fieldset class="field">
      <legend class={props.hideLabel ? 'visually-hidden' : 'label'}>{props.label}</legend>
      <div class="segments">
        {props.choices.map(({ value, label }) => (
          <label key={value}>
            <input
              type="radio"
              name={name}
              value={value}
              checked={value === props.value}
              onChange={() => props.onChange(value)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A slider and the number it stands for, which can be typed, too. */
export function Slider(props: {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  onChange(value: number): void;
  hint?: string;
}) {
  const id = useId();
  const { value, min, max, step } = props;
  const change = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    const given = currentTarget.valueAsNumber;
    if (given >= min && given <= max) props.onChange(given);
  };
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <div class="buttons">
        <input id={id} type="range" {...{ min, max, step, value }} onInput={change} />
        <input type="number" aria-label={props.label} {...{ min, max, step, value }} onChange={change} />
      </div>
      {props.hint && <small>{props.hint}</small>}
    </div>
  );
}

export function CopyLine({ text, label }: { text: string; label: string }) {
  const isCopied = useSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    isCopied.value = true;
    announce('Copied.');
    setTimeout(() => {
      isCopied.value = false;
    }, 2000);
  };
  return (
    <div class="command">
      <pre>
        <code>{text}</code>
      </pre>
      <button type="button" aria-label={`Copy ${label}`} onClick={copy}>
        {isCopied.value ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}
