/** The method, step by step, on one example that goes through all figures. */
import { useEffect, useMemo } from 'preact/hooks';
import { href, route, setParams } from '../route.ts';
import { Segments, Slider } from '../ui/parts.tsx';
import { ColumnsFigure, OrderingFigure, SelectionFigure } from './by-hand-figures.tsx';
import { examples } from './examples.ts';
import { ChecksumFigure, SetsFigure, ShingleFigure } from './first-figures.tsx';
import { ChainFigure, ClicksFigure, CurveFigure } from './last-figures.tsx';
import { BandsFigure, MinimaFigure, TableFigure } from './sketch-figures.tsx';
import { chosenExample, MOST_CHARACTERS, own, twoSets, useSketcher } from './state.ts';

const lessons = [
  ['exact', 'Exact copies'],
  ['shingles', 'Shingles'],
  ['resemblance', 'Resemblance'],
  ['permutation', 'Permutations'],
  ['minima', 'Minima'],
  ['sketch', 'Sketch and bands'],
  ['curve', 'The curve'],
  ['sets', 'Other sets'],
  ['chains', 'Chains'],
] as const;

export function LearnPage() {
  const { path, params } = route.value;
  const lesson = path[1];
  const example = chosenExample();
  const sketcher = useSketcher(example.k);
  const { a, b } = example;
  const sets = useMemo(() => sketcher && twoSets(sketcher, a, b), [sketcher, a, b]);
  useEffect(() => {
    if (!lesson) return;
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    document
      .getElementById(`learn-${lesson}`)
      ?.scrollIntoView({ behavior: isStill ? 'instant' : 'smooth', block: 'start' });
  }, [lesson, sets === undefined]);
  return (
    <>
      <h1>How near-duplicates are found</h1>
      <p class="lead">
        From two texts to one number, and from a million texts to the few pairs worth comparing. Go through it step by
        step, with an example or with your own text.
      </p>
      <nav class="lessons" aria-label="Lessons">
        <ul>
          {lessons.map(([name, title]) => (
            <li key={name}>
              <a href={href(['learn', name], params)} aria-current={name === lesson ? 'true' : undefined}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="fields block">
        <Segments
          label="Example"
          value={example.key}
          choices={[
            ...Object.entries(examples).map(([value, { name }]) => ({ value, label: name })),
            { value: 'own', label: 'Your own text' },
          ]}
          onChange={key =>
            setParams({ example: key === 'fish' ? undefined : key, k: undefined, shingle: undefined, round: undefined })
          }
        />
        <Slider
          label="Words in a shingle"
          min={1}
          max={8}
          step={1}
          value={example.k}
          onChange={k => setParams({ k: String(k), shingle: undefined })}
        />
      </div>
      {example.key === 'own' && <OwnTexts />}
      <ChecksumFigure example={example} />
      <ShingleFigure example={example} sets={sets} />
      {sets === undefined ? (
        <p class="note">Loading the kernel …</p>
      ) : sets.union.length === 0 ? (
        <p class="empty-state">Write a few words into both fields above to go on.</p>
      ) : (
        <>
          <SetsFigure sets={sets} />
          <ColumnsFigure />
          <TableFigure />
          <OrderingFigure />
          <MinimaFigure sets={sets} />
          <BandsFigure sets={sets} />
          <SelectionFigure />
          <CurveFigure resemblance={sets.resemblance} />
        </>
      )}
      <ClicksFigure />
      <ChainFigure />
    </>
  );
}

/** Not in the address: it stays on this machine. */
function OwnTexts() {
  const field = (side: 'a' | 'b') => (
    <div class="field">
      <label for={`own-${side}`}>Your text {side.toUpperCase()}</label>
      <textarea
        id={`own-${side}`}
        rows={3}
        maxLength={MOST_CHARACTERS}
        dir="auto"
        value={own.value[side]}
        onInput={({ currentTarget }) => {
          own.value = { ...own.value, [side]: currentTarget.value };
        }}
      />
    </div>
  );
  return (
    <div class="inputs">
      {field('a')}
      {field('b')}
    </div>
  );
}
