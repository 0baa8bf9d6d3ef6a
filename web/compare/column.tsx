/** One text with what it shares, or what differs, marked; beside it a map of the whole of it. */
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { Id } from '../ui/parts.tsx';
import { many, percent, withCommas } from '../ui/shown.ts';
import {
  coveredShare,
  type MarkedRange,
  type NumberedPassage,
  numberedStretches,
  type Segment,
  segmentsOf,
  stretchesOf,
} from './segments.ts';
import type { Range, Side } from './types.ts';

export const colourOf = (number: number) => `c${(number - 1) % 8}`;

export interface ColumnProps {
  readonly side: Side;
  readonly name: string;
  readonly text: string;
  readonly passages: readonly NumberedPassage[];
  /** In the order of this text; empty where only the other text has something. */
  readonly differences: readonly MarkedRange[];
  /** What many documents have, too. */
  readonly boilerplate: readonly Range[];
  readonly show: 'shared' | 'differs';
  /** The number of the passage, or of the difference, that is looked at. */
  readonly current: number | undefined;
  readonly scroller: RefObject<HTMLDivElement | null>;
  onScroll(): void;
  onGo(number: number): void;
  onDifference(number: number): void;
}

export function Column(props: ColumnProps) {
  const { side, name, text, passages, differences, show } = props;
  const ranges = useMemo(() => passages.map(passage => passage[side]), [passages, side]);
  const segments = useMemo(
    () =>
      segmentsOf(
        text,
        passages.map(passage => ({ number: passage.number, start: passage[side][0], end: passage[side][1] })),
      ),
    [text, passages, side],
  );
  const label = side.toUpperCase();
  return (
    <section class="column" aria-labelledby={`text-${side}`}>
      <header>
        <h2 id={`text-${side}`}>
          {label} <Id id={name} />
        </h2>
        <p>
          {show === 'shared'
            ? `${percent(coveredShare(ranges, text.length))} in shared passages`
            : many(differences.filter(({ start, end }) => end > start).length, 'different place')}
        </p>
      </header>
      <div class="with-map">
        <div
          class={`text scroll ${show}`}
          dir="auto"
          lang=""
          tabIndex={0}
          role="region"
          aria-label={`Text of ${label}`}
          ref={props.scroller}
          onScroll={props.onScroll}
        >
          {text.trim() === '' && <p class="empty">There is no text.</p>}
          {segments.map(segment => (
            <Piece key={segment.start} segment={segment} {...props} />
          ))}
        </div>
        <Minimap {...props} />
      </div>
    </section>
  );
}

function Piece({ segment, ...props }: ColumnProps & { segment: Segment }) {
  if (segment.isFolded) return <Fold segment={segment} {...props} />;
  return <Shown segment={segment} {...props} />;
}

function Shown({ segment, ...props }: ColumnProps & { segment: Segment }) {
  const { side, text, show, current, differences, boilerplate } = props;
  const { start, end, numbers, isContinued } = segment;
  const [first] = numbers;
  const chips = isContinued ? null : numbers.map(number => <Chip key={number} number={number} {...props} />);
  if (show === 'differs') {
    return (
      <>
        {chips}
        {numberedStretches(start, end, differences, end === text.length).map(({ number, isMarked, ...stretch }) => {
          const here = number !== undefined && number === current ? ' current' : '';
          if (isMarked)
            return (
              <mark
                key={`${number} ${stretch.start}`}
                class={`${side === 'a' ? 'gone' : 'come'}${here}`}
                data-difference={number}
              >
                {text.slice(stretch.start, stretch.end)}
              </mark>
            );
          // Where the other text has something more: a place to scroll to.
          if (number !== undefined) return <i key={`${number} here`} class={`gap${here}`} data-difference={number} />;
          return <span key={stretch.start}>{text.slice(stretch.start, stretch.end)}</span>;
        })}
      </>
    );
  }
  if (first === undefined) return <>{text.slice(start, end)}</>;
  return (
    <mark class={`${colourOf(first)}${current !== undefined && numbers.includes(current) ? ' current' : ''}`}>
      {chips}
      {stretchesOf(start, end, boilerplate).map(stretch =>
        stretch.isMarked ? (
          <span key={stretch.start} class="boilerplate">
            {text.slice(stretch.start, stretch.end)}
          </span>
        ) : (
          text.slice(stretch.start, stretch.end)
        ),
      )}
    </mark>
  );
}

/** The number at the head of a passage: the place both sides are scrolled to. */
function Chip({ number, side, onGo }: ColumnProps & { number: number }) {
  return (
    <button
      type="button"
      class={`chip ${colourOf(number)}`}
      data-passage={number}
      aria-label={`Passage ${number} of ${side.toUpperCase()}: show it in both texts`}
      onClick={() => onGo(number)}
    >
      {number}
    </button>
  );
}

/** Characters of a fold that are shown at a time: a fold may hold a whole book. */
const STEP = 100_000;

function Fold({ segment, ...props }: ColumnProps & { segment: Segment }) {
  const shown = useSignal(0);
  const { start, end, numbers } = segment;
  const { show, current, differences } = props;
  // A difference that is looked at is never hidden.
  const sought = show === 'differs' ? differences.find(({ number }) => number === current)?.start : undefined;
  const isSought = sought !== undefined && sought >= start && sought < end;
  useLayoutEffect(() => {
    if (isSought) shown.value = Math.max(shown.peek(), STEP * Math.ceil((sought - start + 1) / STEP));
  }, [isSought, sought, start, shown]);
  const upTo = Math.min(end, start + shown.value);
  const left = end - upTo;
  return (
    <>
      {upTo > start && <Shown segment={{ start, end: upTo, numbers, isContinued: true }} {...props} />}
      {left > 0 && (
        <button
          type="button"
          class="fold"
          onClick={() => {
            shown.value += STEP;
          }}
        >
          Show {left > STEP ? `${withCommas(STEP)} of ` : ''}
          {withCommas(left)} {numbers.length > 0 ? 'more shared characters' : 'characters without a match'}
        </button>
      )}
    </>
  );
}

/** A bar as tall as the column: where in the text passages, or differences, are. A click goes to the nearest. */
function Minimap({ side, text, passages, current, show, differences, onGo, onDifference }: ColumnProps) {
  const height = 1000;
  const scale = height / Math.max(1, text.length);
  const bar = (start: number, end: number) => ({ y: start * scale, height: Math.max(2, (end - start) * scale) });
  return (
    <svg
      class="minimap"
      viewBox={`0 0 10 ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      onClick={event => {
        const box = event.currentTarget.getBoundingClientRect();
        const at = ((event.clientY - box.top) / box.height) * text.length;
        const nearest =
          show === 'shared'
            ? nearestOf(
                passages.map(({ number, [side]: [start, end] }) => ({ number, start, end })),
                at,
              )
            : nearestOf(differences, at);
        if (nearest !== undefined) (show === 'shared' ? onGo : onDifference)(nearest);
      }}
    >
      <rect class="track" width="10" height={height} rx="2" />
      {show === 'shared'
        ? passages.map(({ number, [side]: range }) => (
            <rect
              key={number}
              class={`${colourOf(number)}${number === current ? ' current' : ''}`}
              width="10"
              {...bar(...range)}
            />
          ))
        : differences
            .filter(({ start, end }) => end > start)
            .slice(0, 2000)
            .map(({ number, start, end }) => (
              <rect
                key={number}
                class={`${side === 'a' ? 'gone' : 'come'}${number === current ? ' current' : ''}`}
                width="10"
                {...bar(start, end)}
              />
            ))}
    </svg>
  );
}

function nearestOf(ranges: readonly MarkedRange[], at: number): number | undefined {
  let nearest: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const { number, start, end } of ranges) {
    const distance = at < start ? start - at : Math.max(0, at - end);
    if (distance < least) [nearest, least] = [number, distance];
  }
  return nearest;
}
