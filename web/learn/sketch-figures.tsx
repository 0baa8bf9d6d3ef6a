/** Permutations, minima, the sketch, and its bands. */
import { permuteByTable } from 'neardup/browser';
import { useMemo } from 'preact/hooks';
import { Slider, Wide } from '../ui/parts.tsx';
import { rounded } from '../ui/shown.ts';
import { Figure } from './figure.tsx';
import { numberParam, type Round, roundOf, setNumber, type TwoSets } from './state.ts';

/** Minima of a sketch, as in the lecture. */
const SKETCH = 100;

const table = [2, 4, 3, 1, 7, 6, 5, 0];
const setA = [2, 4, 6];
const setB = [4, 5, 6];

export function TableFigure() {
  return (
    <Figure
      id="permutation"
      title="A permutation puts all numbers in another order"
      text={
        <p>
          Shuffle the numbers 0 to 7: π(x) is what becomes of x. Replace each number of a set in this way, and keep only
          the smallest result, the minimum. Here it is 3 for A and 5 for B. With another shuffle the two minima may be
          equal, but only if they come from a number that is in both sets.
        </p>
      }
    >
      <Wide label="The permutation">
        <table class="bytes">
          <tbody>
            <tr>
              <th scope="row">x</th>
              {table.map((_, x) => (
                <td key={x * 1}>{x}</td>
              ))}
            </tr>
            <tr>
              <th scope="row">π(x)</th>
              {table.map((image, x) => (
                <td key={x * 1}>{image}</td>
              ))}
            </tr>
            {[setA, setB].map((set, row) => (
              <tr key={'AB'[row]}>
                <th scope="row">in {'AB'[row]}</th>
                {table.map((image, x) => (
                  <td key={x * 1} class={image === permuteByTable(set, table)[0] ? 'on' : ''}>
                    {set.includes(x) ? '●' : ''}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      {[
        ['A', setA],
        ['B', setB],
      ].map(([name, set]) => {
        const images = permuteByTable(set as number[], table);
        return (
          <p key={name as string}>
            {name} = {`{${(set as number[]).join(', ')}}`} → π({name}) = {`{${images.join(', ')}}`}, smallest{' '}
            <b>{images[0]}</b>
          </p>
        );
      })}
    </Figure>
  );
}

export function MinimaFigure({ sets }: { sets: TwoSets }) {
  const at = numberParam('round', 1, SKETCH, 1);
  const rounds = useMemo(() => Array.from({ length: SKETCH }, (_, index) => roundOf(sets, index)), [sets]);
  const round = rounds[at - 1]!;
  const equal = rounds.slice(0, at).filter(({ isEqual }) => isEqual).length;
  const error = Math.sqrt((sets.resemblance * (1 - sets.resemblance)) / at);
  return (
    <Figure
      id="minima"
      title="The chance that two minima are equal is the resemblance"
      text={
        <>
          <p>
            Permutation {at} gives each shingle of both texts a new number, its image. The rows are in the order of
            these. Look down the columns for the first dot of A and the first of B. If they are in one row, the minima
            are equal.
          </p>
          <p>
            Each of the {sets.union.length} rows is equally likely to come first, and {sets.shared} of them are in both
            texts. So the minima are equal with the chance {sets.shared} / {sets.union.length}: the resemblance.
          </p>
          <p role="status">
            So far <b>{equal}</b> of <b>{at}</b> equal, so the estimate is {rounded(equal / at)}. Exact is{' '}
            {rounded(sets.resemblance)}; the standard error after {at === 1 ? '1 permutation' : `${at} permutations`} is{' '}
            {rounded(error)}.
          </p>
        </>
      }
    >
      <fieldset class="buttons steps" aria-label="Permutations">
        <button type="button" disabled={at <= 1} onClick={() => setNumber('round', at - 1)}>
          Back
        </button>
        <button type="button" class="primary" disabled={at >= SKETCH} onClick={() => setNumber('round', at + 1)}>
          Next permutation
        </button>
        <button type="button" disabled={at >= SKETCH} onClick={() => setNumber('round', Math.min(SKETCH, at + 10))}>
          10 more
        </button>
        <button type="button" disabled={at >= SKETCH} onClick={() => setNumber('round', SKETCH)}>
          All {SKETCH}
        </button>
      </fieldset>
      <OrderTable round={round} />
      <Running rounds={rounds.slice(0, at)} resemblance={sets.resemblance} />
    </Figure>
  );
}

/** Rows below the first of A and of B decide nothing. */
const MOST_ROWS = 12;

function OrderTable({ round }: { round: Round }) {
  const { order, minA, minB } = round;
  return (
    <table class="order">
      <thead>
        <tr>
          <th scope="col">image</th>
          <th scope="col">A</th>
          <th scope="col">B</th>
          <th scope="col">shingle</th>
        </tr>
      </thead>
      <tbody>
        {order.slice(0, MOST_ROWS).map(({ text, image, inA, inB }) => (
          <tr key={text} class={text === minA || text === minB ? 'first' : ''}>
            <td class="mono">{image.toString(16).padStart(16, '0').slice(0, 6)}…</td>
            <td>{inA ? text === minA ? <b>●</b> : '○' : ''}</td>
            <td>{inB ? text === minB ? <b>●</b> : '○' : ''}</td>
            <td>{text}</td>
          </tr>
        ))}
      </tbody>
      {order.length > MOST_ROWS && (
        <tfoot>
          <tr>
            <td colSpan={4} class="note">
              … and {order.length - MOST_ROWS} more
            </td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}

/** The estimate after 1, 2, 3 … permutations. */
function Running({ rounds, resemblance }: { rounds: readonly Round[]; resemblance: number }) {
  let equal = 0;
  const points = rounds.map(({ isEqual }, index) => {
    if (isEqual) equal++;
    return `${(index / (SKETCH - 1)) * 600 + 30},${100 - (equal / (index + 1)) * 90}`;
  });
  return (
    <figure>
      <svg
        class="chart"
        viewBox="0 0 640 112"
        role="img"
        aria-label="The estimate after each permutation, and the exact resemblance"
      >
        <line class="axis" x1="30" x2="630" y1="100" y2="100" />
        <line class="mark-line" x1="30" x2="630" y1={100 - resemblance * 90} y2={100 - resemblance * 90} />
        <text class="end" x="26" y="104">
          0
        </text>
        <text class="end" x="26" y="14">
          1
        </text>
        <polyline class="curve" points={points.join(' ')} />
        <circle class="dot" cx={points.at(-1)?.split(',')[0]} cy={points.at(-1)?.split(',')[1]} r="4" />
      </svg>
      <figcaption>The estimate after each permutation, from 1 to {SKETCH}. Dashed: the exact resemblance.</figcaption>
    </figure>
  );
}

export function BandsFigure({ sets }: { sets: TwoSets }) {
  const bands = numberParam('b', 1, SKETCH, 20);
  const rows = numberParam('r', 1, 20, 5);
  const used = Math.min(bands, Math.floor(SKETCH / rows));
  const equal = useMemo(() => Array.from({ length: SKETCH }, (_, index) => roundOf(sets, index).isEqual), [sets]);
  const agreeing = Array.from({ length: used }, (_, band) =>
    equal.slice(band * rows, (band + 1) * rows).every(Boolean),
  );
  const found = agreeing.filter(Boolean).length;
  const count = equal.filter(Boolean).length;
  return (
    <Figure
      id="sketch"
      title="The sketch, and its bands"
      text={
        <>
          <p>
            {SKETCH} minima of 4 bytes each are the sketch of a text: 400 bytes, however long the text is. Here {count}{' '}
            of {SKETCH} are equal, so the estimate is {rounded(count / SKETCH)}. The rule “similar if 90 of 100 are
            equal” would call the two <b>{count >= 90 ? 'similar' : 'not similar'}</b>.
          </p>
          <p>
            A million texts make 500 billion pairs, too many to compare. So cut the sketch into bands: only texts that
            agree in a whole band meet in a bucket and are compared. Here <b>{found}</b> of {used} bands agree:{' '}
            <b>{found > 0 ? 'they meet' : 'they do not meet'}</b>.
          </p>
        </>
      }
    >
      <div class="fields">
        <Slider label="Bands" min={1} max={50} step={1} value={bands} onChange={value => setNumber('b', value)} />
        <Slider label="Rows" min={1} max={20} step={1} value={rows} onChange={value => setNumber('r', value)} />
      </div>
      {used < bands && (
        <p class="note">
          {SKETCH} minima are enough for {used} bands of {rows}.
        </p>
      )}
      <div class="bands" role="img" aria-label={`${found} of ${used} bands agree`}>
        {agreeing.map((agrees, band) => (
          <div key={`${band * 1}`} class={agrees ? 'band agrees' : 'band'}>
            {equal.slice(band * rows, (band + 1) * rows).map((isEqual, row) => (
              <i key={`${row * 1}`} class={isEqual ? 'cell on' : 'cell'} />
            ))}
          </div>
        ))}
      </div>
      <p class="note">A column is a band. Blue: equal minima. Framed: the whole band agrees.</p>
    </Figure>
  );
}
