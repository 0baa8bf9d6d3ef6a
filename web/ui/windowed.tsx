/** A long list → the rows that can be seen, at their places: 100,000 rows scroll as smoothly as ten. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export interface WindowedProps {
  readonly count: number;
  readonly rowHeight: number;
  readonly label: string;
  /** The chosen row; it is scrolled to when it changes. */
  readonly chosen: number;
  onChoose(row: number): void;
  /** By a double click. */
  onOpen?(row: number): void;
  row(at: number): ComponentChildren;
  /** Rows that are seen now: what is not loaded yet can be. */
  onSeen?(from: number, to: number): void;
}

/** Chromium lets no element be taller than 33 million pixels; past this, rows are scaled onto it. */
const TALLEST = 15_000_000;
const BEYOND = 6;

export function Windowed(props: WindowedProps) {
  const { count, rowHeight, chosen } = props;
  const box = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(600);
  const all = count * rowHeight;
  const tall = Math.min(all, TALLEST);
  // Where the list is too tall, a pixel of scrolling stands for several of the list.
  const scale = tall > height.value ? (all - height.value) / (tall - height.value) : 1;
  const at = top.value * scale;
  const from = Math.max(0, Math.floor(at / rowHeight) - BEYOND);
  const to = Math.min(count, Math.ceil((at + height.value) / rowHeight) + BEYOND);

  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.height > 0) height.value = entry.contentRect.height;
    });
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, [height]);
  useEffect(() => {
    if (!box.current || chosen < 0) return;
    const [start, end] = [chosen * rowHeight, (chosen + 1) * rowHeight];
    const now = box.current.scrollTop * scale;
    if (start < now) box.current.scrollTop = start / scale;
    else if (end > now + height.value) box.current.scrollTop = (end - height.value) / scale;
  }, [chosen, rowHeight, scale, height]);
  const { onSeen } = props;
  useEffect(() => onSeen?.(from, to), [onSeen, from, to]);

  return (
    <div
      class="windowed"
      role="listbox"
      tabIndex={0}
      aria-label={props.label}
      aria-activedescendant={chosen >= from && chosen < to ? `row-${chosen}` : undefined}
      ref={box}
      style={{ '--rows': `${tall + 2}px` }}
      onScroll={({ currentTarget }) => {
        top.value = currentTarget.scrollTop;
      }}
      onKeyDown={event => {
        const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -count, End: count }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        props.onChoose(Math.min(count - 1, Math.max(0, chosen + step)));
      }}
    >
      <div class="windowed-all" style={{ height: `${tall}px` }}>
        {Array.from({ length: Math.max(0, to - from) }, (_, place) => {
          const row = from + place;
          const y = row * rowHeight - at + top.value;
          return (
            <div
              key={row}
              id={`row-${row}`}
              role="option"
              class="windowed-row"
              aria-selected={row === chosen}
              aria-setsize={count}
              aria-posinset={row + 1}
              style={{ transform: `translateY(${y}px)`, height: `${rowHeight}px` }}
              onClick={() => props.onChoose(row)}
              onDblClick={() => props.onOpen?.(row)}
            >
              {props.row(row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
