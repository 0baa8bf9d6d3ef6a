/** One text with what it shares, or what differs, marked; beside it a map of the whole of it. */
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useMemo } from 'preact/hooks';
import { Id } from '../ui/parts.tsx';
import { many, percent, withCommas } from '../ui/shown.ts';
import { coveredShare, type NumberedPassage, type Segment, segmentsOf, stretchesOf } from './segments.ts';
import type { Range, Side } from './types.ts';

export const colourOf = (number: number) => `c${(number - 1) % 8}`;

export interface ColumnProps {
  readonly side: Side;
  readonly name: string;
  readonly text: string;
  readonly passages: readonly NumberedPassage[];
  readonly differences: readonly Range[];
  /** What many documents have, too. */
  readonly boilerplate: readonly Range[];
  readonly show: 'shared' | 'differs';
  readonly current: number | undefined;
  readonly scroller: RefObject<HTMLDivElement | null>;
  onScroll(): void;
  onGo(number: number): void;
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
            : many(differences.length, 'different place')}
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
        {first === undefined
          ? stretchesOf(start, end, differences).map(stretch =>
              stretch.isMarked ? (
                <mark key={stretch.start} class={side === 'a' ? 'gone' : 'come'}>
                  {text.slice(stretch.start, stretch.end)}
                </mark>
              ) : (
                <span key={stretch.start}>{text.slice(stretch.start, stretch.end)}</span>
              ),
            )
          : text.slice(start, end)}
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

/** A bar as tall as the column: where in the text passages are. A click goes to the nearest. */
function Minimap({ side, text, passages, current, show, differences, onGo }: ColumnProps) {
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
        const nearest = nearestPassage(passages, side, at);
        if (nearest !== undefined) onGo(nearest);
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
            .slice(0, 2000)
            .map(range => <rect key={range[0]} class={side === 'a' ? 'gone' : 'come'} width="10" {...bar(...range)} />)}
    </svg>
  );
}

function nearestPassage(passages: readonly NumberedPassage[], side: Side, at: number): number | undefined {
  let nearest: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const { number, [side]: range } of passages) {
    const distance = at < range[0] ? range[0] - at : Math.max(0, at - range[1]);
    if (distance < least) [nearest, least] = [number, distance];
  }
  return nearest;
}
