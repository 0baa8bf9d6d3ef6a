/** "Why do these match?": the shingles behind the exact number, the minima behind the estimate, the bands behind the find. */
import { useSignal } from '@preact/signals';
import { many, onOneLine, rounded, withCommas } from '../ui/shown.ts';
import type { Explanation, HashedShingle, Minimum } from './types.ts';

export function Why({ explanation }: { explanation: Explanation }) {
  const { minima, bands, rows, sizes, shared, onlyA, onlyB } = explanation;
  const chosen = useSignal(0);
  const all = sizes.a + sizes.b - sizes.shared;
  const equal = minima.filter(isEqual).length;
  const agreeing = Array.from({ length: bands }, (_, band) => minima.slice(band * rows, (band + 1) * rows)).filter(of =>
    of.every(isEqual),
  ).length;
  if (all === 0) return <p class="note">Neither text has a shingle.</p>;
  return (
    <>
      <h3>The exact number: shingles</h3>
      <p>
        A has {many(sizes.a, 'distinct shingle')}, B has {withCommas(sizes.b)}; {withCommas(sizes.shared)} are in both,
        so {withCommas(all)} in all. Resemblance = {withCommas(sizes.shared)} / {withCommas(all)} ={' '}
        <b>{rounded(sizes.shared / all)}</b>.
      </p>
      <div class="shingle-lists">
        <ShingleList title="In both" shingles={shared} all={sizes.shared} />
        <ShingleList title="Only in A" shingles={onlyA} all={sizes.a - sizes.shared} />
        <ShingleList title="Only in B" shingles={onlyB} all={sizes.b - sizes.shared} />
      </div>
      <h3>The estimate: minima</h3>
      <p>
        Each of {minima.length} permutations puts all shingles in another order. The smallest of A and the smallest of B
        are equal with a chance of the resemblance. Here <b>{equal}</b> of {minima.length} are equal:{' '}
        <b>{rounded(equal / minima.length)}</b>. Choose one to see which shingles they are.
      </p>
      <ol class="sketch">
        {minima.map((minimum, at) => (
          <li key={at}>
            <button
              type="button"
              class={isEqual(minimum) ? 'equal' : ''}
              aria-pressed={at === chosen.value}
              aria-label={`Permutation ${at + 1}: ${isEqual(minimum) ? 'equal' : 'different'}`}
              onClick={() => {
                chosen.value = at;
              }}
            >
              {at + 1}
            </button>
          </li>
        ))}
      </ol>
      <ChosenMinimum number={chosen.value + 1} minimum={minima[chosen.value]!} />
      <h3>How they would be found: bands</h3>
      <p>
        With the default settings the first {bands * rows} minima are cut into {bands} bands of {rows}. Documents that
        agree in a whole band are compared exactly. These two agree in <b>{agreeing}</b> of {bands}:{' '}
        {agreeing > 0 ? 'they would be compared.' : 'they would not be compared.'}
      </p>
    </>
  );
}

/** 0xffffffff marks a set without an element. */
const isEqual = ({ a, b }: Minimum) => a === b && a !== 0xffffffff;

function ChosenMinimum({ number, minimum }: { number: number; minimum: Minimum }) {
  return (
    <table class="minimum" aria-live="polite">
      <thead>
        <tr>
          <th scope="col">Permutation {number}</th>
          <th scope="col">smallest image</th>
          <th scope="col">of the shingle</th>
        </tr>
      </thead>
      <tbody>
        {(['A', 'B'] as const).map(side => (
          <tr key={side}>
            <th scope="row">{side}</th>
            <td class="mono">{(side === 'A' ? minimum.a : minimum.b).toString(16).padStart(8, '0')}</td>
            <td>{onOneLine((side === 'A' ? minimum.shingleA : minimum.shingleB) || '–')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ShingleList({ title, shingles, all }: { title: string; shingles: readonly HashedShingle[]; all: number }) {
  return (
    <section>
      <h2>
        {title}: {withCommas(all)}
      </h2>
      <ol tabIndex={0} aria-label={title}>
        {shingles.map(({ text, hash }) => (
          <li key={hash}>
            <bdi>{onOneLine(text)}</bdi>
            <code>{hash}</code>
          </li>
        ))}
        {all > shingles.length && <li class="note">… and {withCommas(all - shingles.length)} more</li>}
        {all === 0 && <li class="note">none</li>}
      </ol>
    </section>
  );
}
