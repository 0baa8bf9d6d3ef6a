/** Two texts side by side: shared passages or differences, scrolled together, one after the other by n and p. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useKeys } from '../ui/keys.ts';
import { Segments } from '../ui/parts.tsx';
import { withCommas } from '../ui/shown.ts';
import { Column } from './column.tsx';
import { numberedDifferences, numberedPassages } from './segments.ts';
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
  /** The difference that is shown, if one was asked for. */
  readonly difference: number | undefined;
  onDifference(number: number): void;
  /** Shown in grey within what is shared. */
  readonly boilerplate?: CommonRanges | undefined;
}

export function SideBySide(props: SideBySideProps) {
  const { a, b, compared, show, onShow, passage, onPassage, difference, onDifference, boilerplate } = props;
  const passages = useMemo(() => numberedPassages(compared.passages), [compared]);
  const differences = useMemo(
    () => ({ a: numberedDifferences(compared.differences, 'a'), b: numberedDifferences(compared.differences, 'b') }),
    [compared],
  );
  const together = useSignal(true);
  const columns = { a: useRef<HTMLDivElement>(null), b: useRef<HTMLDivElement>(null) };
  // The column that was scrolled by us, whose own event is no wish of the reader.
  const moved = useRef<{ side: Side; until: number }>({ side: 'a', until: 0 });

  const goTo = (number: number) => {
    onPassage(number);
    moved.current = { side: 'a', until: performance.now() + 900 };
    for (const column of [columns.a.current, columns.b.current])
      scrollInto(column, column?.querySelector<HTMLElement>(`[data-passage="${number}"]`));
  };
  const isDiffering = show === 'differs';
  const current = isDiffering ? difference : passage;
  const count = isDiffering ? compared.differences.length : passages.length;
  const step = (by: number) => {
    if (count === 0) return;
    const from = current ?? (by > 0 ? 0 : count + 1);
    const number = ((from - 1 + by + count) % count) + 1;
    if (isDiffering) onDifference(number);
    else goTo(number);
  };
  useKeys({ n: () => step(1), p: () => step(-1) });
  // Only when other texts are shown.
  useEffect(() => {
    if (passage !== undefined && passage <= passages.length) goTo(passage);
  }, [passages]);
  // Behind the drawing: what was folded around it is open by then.
  useEffect(() => {
    const sought = isDiffering && difference !== undefined ? compared.differences[difference - 1] : undefined;
    if (!sought) return;
    moved.current = { side: 'a', until: performance.now() + 900 };
    for (const side of ['a', 'b'] as const) {
      const [start, end] = sought[side];
      // What has no counterpart in the other text has no place there.
      const hasPlace = end > start || start > 0 || sought[side === 'a' ? 'b' : 'a'][0] === 0;
      const column = columns[side].current;
      if (hasPlace) scrollInto(column, column?.querySelector<HTMLElement>(`[data-difference="${difference}"]`));
    }
  }, [difference, isDiffering, compared]);

  const onScroll = (side: Side) => () => {
    const now = performance.now();
    if (!together.value || now < moved.current.until) return;
    const [from, to] = side === 'a' ? [columns.a.current, columns.b.current] : [columns.b.current, columns.a.current];
    if (!from || !to) return;
    moved.current = { side, until: now + 60 };
    follow(from, to);
  };
  const shared = { passages, show, current, onGo: goTo, onDifference };
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
          <button type="button" disabled={count === 0} onClick={() => step(-1)}>
            Previous<kbd>p</kbd>
          </button>
          <button type="button" disabled={count === 0} onClick={() => step(1)}>
            Next<kbd>n</kbd>
          </button>
          <span class="note">
            {count === 0
              ? `No ${isDiffering ? 'difference' : 'shared passage'}`
              : `${isDiffering ? 'Difference' : 'Passage'} ${current === undefined ? '–' : withCommas(current)} of ${withCommas(count)}`}
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
            differences={differences[side]}
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

function scrollInto(column: HTMLDivElement | null, place: HTMLElement | null | undefined): void {
  if (!column || !place) return;
  const top = topIn(column, place) - 48;
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  // In one column under the other (a narrow window) the page itself scrolls.
  if (column.scrollHeight <= column.clientHeight + 1) place.scrollIntoView({ block: 'nearest' });
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
