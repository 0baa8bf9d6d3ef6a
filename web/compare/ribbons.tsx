/** Both texts as bars, a ribbon from each passage of A to the same words in B; below, the passages in words. */
import { Id } from '../ui/parts.tsx';
import { many, onOneLine, withCommas } from '../ui/shown.ts';
import { colourOf } from './column.tsx';
import type { NumberedPassage } from './segments.ts';
import type { ComparedText } from './side-by-side.tsx';

const width = 1000;
const height = 132;
const bar = 14;
/** More would be a blur; the longest are drawn. */
const mostRibbons = 400;
const mostListed = 200;
/** A word in a long book would be invisible. */
const thinnest = 1.5;

export interface RibbonsProps {
  readonly a: ComparedText;
  readonly b: ComparedText;
  readonly passages: readonly NumberedPassage[];
  /** Passages there are in all. */
  readonly all: number;
  readonly current: number | undefined;
  onGo(number: number): void;
}

export function Ribbons({ a, b, passages, all, current, onGo }: RibbonsProps) {
  const drawn = [...passages].sort((x, y) => y.a[1] - y.a[0] - (x.a[1] - x.a[0])).slice(0, mostRibbons);
  const scales = { a: width / Math.max(1, a.text.length), b: width / Math.max(1, b.text.length) };
  return (
    <>
      <Ends letter="A" text={a} />
      <svg class="ribbons" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width={width} height={bar} rx="3" />
        <rect class="track" y={height - bar} width={width} height={bar} rx="3" />
        {drawn.map(passage => (
          <g
            key={passage.number}
            class={`${colourOf(passage.number)}${passage.number === current ? ' current' : ''}`}
            onClick={() => onGo(passage.number)}
          >
            <title>Passage {passage.number}</title>
            <path class="band" d={bandPath(passage, scales)} />
            <path class="end" d={endPath(passage, scales)} />
          </g>
        ))}
      </svg>
      <Ends letter="B" text={b} />
      {passages.length === 0 ? (
        <p class="note">No run of words as long as a shingle is in both.</p>
      ) : (
        <details class="passages" open={passages.length <= 8}>
          <summary>{many(passages.length, 'passage')}, in the order of A</summary>
          <ol>
            {passages.slice(0, mostListed).map(({ number, a: [start, end] }) => (
              <li key={number}>
                <button
                  type="button"
                  class={`chip ${colourOf(number)}`}
                  aria-label={`Show passage ${number}`}
                  onClick={() => onGo(number)}
                >
                  {number}
                </button>
                <q>{onOneLine(a.text.slice(start, Math.min(end, start + 160)).replace(/\s+/g, ' '))}</q>
                <span>{withCommas(end - start)} characters</span>
              </li>
            ))}
          </ol>
          {passages.length > mostListed && (
            <p class="note">… and {withCommas(passages.length - mostListed)} more, marked in the texts.</p>
          )}
        </details>
      )}
      {all > passages.length && (
        <p class="note">
          The {withCommas(passages.length)} longest passages are marked; {withCommas(all - passages.length)} shorter
          ones are not.
        </p>
      )}
    </>
  );
}

function Ends({ letter, text }: { letter: string; text: ComparedText }) {
  return (
    <div class="ends">
      <span>
        {letter} <Id id={text.id} />
      </span>
      <span>{withCommas(text.text.length)} characters</span>
    </div>
  );
}

type Scales = Readonly<Record<'a' | 'b', number>>;

function ends({ a, b }: NumberedPassage, scales: Scales) {
  const at = (value: number) => Math.round(Math.min(value, width) * 10) / 10;
  const range = ([start, end]: readonly [number, number], scale: number) =>
    [at(start * scale), at(Math.max(end * scale, start * scale + thinnest))] as const;
  return [...range(a, scales.a), ...range(b, scales.b)] as const;
}

function bandPath(passage: NumberedPassage, scales: Scales): string {
  const [fromA, toA, fromB, toB] = ends(passage, scales);
  const lower = height - bar;
  const middle = height / 2;
  return (
    `M${fromA} ${bar}C${fromA} ${middle} ${fromB} ${middle} ${fromB} ${lower}` +
    `L${toB} ${lower}C${toB} ${middle} ${toA} ${middle} ${toA} ${bar}Z`
  );
}

function endPath(passage: NumberedPassage, scales: Scales): string {
  const [fromA, toA, fromB, toB] = ends(passage, scales);
  const lower = height - bar;
  return `M${fromA} 0H${toA}V${bar}H${fromA}ZM${fromB} ${lower}H${toB}V${height}H${fromB}Z`;
}
