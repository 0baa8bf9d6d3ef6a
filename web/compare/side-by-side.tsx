/** Two texts side by side: shared passages or differences, scrolled together, one passage after the other by n and p. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useKeys } from '../ui/keys.ts';
import { Segments } from '../ui/parts.tsx';
import { withCommas } from '../ui/shown.ts';
import { Column } from './column.tsx';
import { numberedPassages } from './segments.ts';
import type { CommonRanges, ComparedTexts, Range, Side } from './types.ts';

export interface ComparedText {
  readonly id: string;
  readonly text: string;
}

export interface SideBySideProps {
  readonly a: ComparedText;
  readonly b: ComparedText;
  readonly compared: ComparedTexts;
  readonly show: 'shared' | 'differs';
  onShow(show: 'shared' | 'differs'): void;
  /** The passage that is shown, if one was asked for. */
  readonly passage: number | undefined;
  onPassage(number: number): void;
  /** Shown in grey within what is shared. */
  readonly boilerplate?: CommonRanges | undefined;
}

export function SideBySide({ a, b, compared, show, onShow, passage, onPassage, boilerplate }: SideBySideProps) {
  const passages = useMemo(() => numberedPassages(compared.passages), [compared]);
  const together = useSignal(true);
  const columns = { a: useRef<HTMLDivElement>(null), b: useRef<HTMLDivElement>(null) };
  // The column that was scrolled by us, whose own event is no wish of the reader.
  const moved = useRef<{ side: Side; until: number }>({ side: 'a', until: 0 });

  const goTo = (number: number) => {
    onPassage(number);
    moved.current = { side: 'a', until: performance.now() + 900 };
    for (const column of [columns.a.current, columns.b.current]) scrollToPassage(column, number);
  };
  const step = (by: number) => {
    if (passages.length === 0) return;
    const from = passage ?? (by > 0 ? 0 : passages.length + 1);
    goTo(((from - 1 + by + passages.length) % passages.length) + 1);
  };
  useKeys({ n: () => step(1), p: () => step(-1) });
  // Only when other texts are shown.
  useEffect(() => {
    if (passage !== undefined && passage <= passages.length) goTo(passage);
  }, [passages]);

  const onScroll = (side: Side) => () => {
    const now = performance.now();
    if (!together.value || now < moved.current.until) return;
    const [from, to] = side === 'a' ? [columns.a.current, columns.b.current] : [columns.b.current, columns.a.current];
    if (!from || !to) return;
    moved.current = { side, until: now + 60 };
    follow(from, to);
  };
  const shared = { passages, show, current: passage, onGo: goTo };
  return (
    <>
      <div class="toolbar">
        <Segments
          label="Show"
          hideLabel
          value={show}
          choices={[
            { value: 'shared', label: 'What is shared' },
            { value: 'differs', label: 'What differs' },
          ]}
          onChange={onShow}
        />
        <div class="buttons">
          <button type="button" disabled={passages.length === 0} onClick={() => step(-1)}>
            Previous<kbd>p</kbd>
          </button>
          <button type="button" disabled={passages.length === 0} onClick={() => step(1)}>
            Next<kbd>n</kbd>
          </button>
          <span class="note">
            {passages.length === 0
              ? 'No shared passage'
              : `Passage ${passage === undefined ? '–' : withCommas(passage)} of ${withCommas(passages.length)}`}
          </span>
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={together.value}
            onChange={({ currentTarget }) => {
              together.value = currentTarget.checked;
            }}
          />{' '}
          Scroll together
        </label>
      </div>
      <div class="columns">
        {(['a', 'b'] as const).map(side => (
          <Column
            key={side}
            side={side}
            name={(side === 'a' ? a : b).id}
            text={(side === 'a' ? a : b).text}
            differences={compared.differences[side]}
            boilerplate={boilerplate?.[side] ?? none}
            scroller={columns[side]}
            onScroll={onScroll(side)}
            {...shared}
          />
        ))}
      </div>
    </>
  );
}

const none: readonly Range[] = [];

function scrollToPassage(column: HTMLDivElement | null, number: number): void {
  const chip = column?.querySelector<HTMLElement>(`[data-passage="${number}"]`);
  if (!column || !chip) return;
  const top = topIn(column, chip) - 48;
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  // In one column under the other (a narrow window) the page itself scrolls.
  if (column.scrollHeight <= column.clientHeight + 1) chip.scrollIntoView({ block: 'nearest' });
  else column.scrollTo({ top, behavior: isStill ? 'instant' : 'smooth' });
}

function topIn(column: HTMLElement, element: HTMLElement): number {
  return element.getBoundingClientRect().top - column.getBoundingClientRect().top + column.scrollTop;
}

/** The passage at the top of one column is brought to the same height in the other; between passages, by share. */
function follow(from: HTMLElement, to: HTMLElement): void {
  const chips = [...from.querySelectorAll<HTMLElement>('[data-passage]')];
  const upper = lastAbove(from, chips);
  const other = upper && to.querySelector<HTMLElement>(`[data-passage="${upper.dataset.passage}"]`);
  if (!upper || !other) {
    to.scrollTop =
      (from.scrollTop / Math.max(1, from.scrollHeight - from.clientHeight)) * (to.scrollHeight - to.clientHeight);
    return;
  }
  to.scrollTop = topIn(to, other) - (topIn(from, upper) - from.scrollTop);
}

/** By halves: there may be thousands. */
function lastAbove(column: HTMLElement, chips: readonly HTMLElement[]): HTMLElement | undefined {
  let [low, high] = [0, chips.length];
  const middle = column.getBoundingClientRect().top + column.clientHeight / 3;
  while (low < high) {
    const at = (low + high) >> 1;
    if (chips[at]!.getBoundingClientRect().top <= middle) low = at + 1;
    else high = at;
  }
  return chips[low - 1] ?? chips[0];
}
