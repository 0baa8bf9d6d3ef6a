/** Two texts, pasted or named by their ids → what they share, what differs, and how much. */
import { signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { route, setParams } from '../route.ts';
import { findService, getBoilerplate, getDocument, presence } from '../service/client.ts';
import { DecisionBar } from '../service/decision-bar.tsx';
import { useLoaded } from '../service/loading.ts';
import type { Boilerplate } from '../service/types.ts';
import { announce } from '../ui/announce.tsx';
import { Block, Empty, Progress } from '../ui/parts.tsx';
import { many, percent } from '../ui/shown.ts';
import { Cancelled } from '../work/client.ts';
import { compareWorker as worker } from '../work/compare-client.ts';
import { exampleA, exampleB } from './examples.ts';
import { MeasuresTable } from './measures.tsx';
import { Ribbons } from './ribbons.tsx';
import { numberedPassages } from './segments.ts';
import { type ComparedText, SideBySide } from './side-by-side.tsx';
import { TextInput } from './text-input.tsx';
import type { ComparedTexts, CompareOptions, Explanation } from './types.ts';
import { Why } from './why.tsx';

/** What was pasted stays while other pages are visited, and goes nowhere else. */
const textA = signal<ComparedText>({ id: 'first text', text: '' });
const textB = signal<ComparedText>({ id: 'second text', text: '' });

interface Result {
  readonly a: ComparedText;
  readonly b: ComparedText;
  readonly compared: ComparedTexts;
}
/** What came from the index, and was not changed since: only of that the index can say how common it is. */
const stored = signal<readonly ComparedText[]>([]);
const result = signal<Result | undefined>(undefined);

const shingles = ['word:1', 'word:2', 'word:3', 'word:4', 'word:5', 'word:8', 'char:5', 'char:9'] as const;

export function ComparePage() {
  const { a: idA, b: idB, show = 'shared', passage, difference, shingle: asked } = route.value.params;
  const shingle = shingles.find(one => one === asked) ?? 'word:5';
  const isAtWork = useSignal(false);
  const problem = useSignal('');
  const options = { shingle };

  const compare = async (a: ComparedText, b: ComparedText) => {
    worker.stop();
    isAtWork.value = true;
    problem.value = '';
    try {
      const compared = await worker.call('compare', { a: a.text, b: b.text, options });
      result.value = { a, b, compared };
      announce(`Compared. Resemblance: ${percent(compared.measures.resemblance)}`);
    } catch (error) {
      if (!(error instanceof Cancelled)) problem.value = (error as Error).message;
    } finally {
      isAtWork.value = false;
    }
  };

  // The frame asks the service only for pages that need it.
  useEffect(() => {
    if (presence.peek() === 'unknown') void findService();
  }, []);
  // Only other ids or other shingles mean another comparison.
  useEffect(() => {
    if (!idA || !idB) {
      if (result.peek()) void compare(textA.peek(), textB.peek());
      return;
    }
    const controller = new AbortController();
    Promise.all([getDocument(idA, controller.signal), getDocument(idB, controller.signal)]).then(
      ([a, b]) => {
        textA.value = { id: a.id, text: a.text ?? '' };
        textB.value = { id: b.id, text: b.text ?? '' };
        stored.value = [textA.value, textB.value];
        void compare(textA.value, textB.value);
      },
      error => {
        if (!controller.signal.aborted) problem.value = error.message;
      },
    );
    return () => controller.abort();
  }, [idA, idB, shingle]);

  const isReady = textA.value.text !== '' && textB.value.text !== '';
  const isStale = result.value && (result.value.a !== textA.value || result.value.b !== textB.value);
  return (
    <>
      <h1>Compare two texts</h1>
      <p class="lead">
        Paste or drop two texts to see what they share, even where it moved. They stay on this machine
        {presence.value === 'there' && ', unless you ask for documents of the index by their ids'}.
      </p>
      <div class="inputs">
        <TextInput label="A" value={textA} />
        <TextInput label="B" value={textB} />
      </div>
      <div class="fields block">
        <div class="field">
          <label for="shingle">Shingle</label>
          <select
            id="shingle"
            value={shingle}
            onChange={({ currentTarget }) =>
              setParams({ shingle: currentTarget.value === 'word:5' ? undefined : currentTarget.value })
            }
          >
            {shingles.map(value => (
              <option key={value} value={value}>
                {value.replace(
                  /(\w+):(\d+)/,
                  (_, unit, size) => `${size} ${unit === 'word' ? 'word' : 'character'}${size === '1' ? '' : 's'}`,
                )}
              </option>
            ))}
          </select>
        </div>
        <button type="button" class="primary" disabled={!isReady} onClick={() => compare(textA.value, textB.value)}>
          Compare
        </button>
        <button
          type="button"
          onClick={() => {
            textA.value = { id: 'notice, June', text: exampleA };
            textB.value = { id: 'notice, July', text: exampleB };
            void compare(textA.value, textB.value);
          }}
        >
          Show an example
        </button>
        {isStale && <span class="note">The texts have changed since.</span>}
      </div>
      {presence.value === 'there' && <IdFields key={`${idA} ${idB}`} a={idA} b={idB} />}
      {isAtWork.value && <Progress text="Comparing …" onCancel={() => worker.stop()} />}
      {problem.value && <p class="error">{problem.value}</p>}
      {result.value ? (
        <ComparedView
          result={result.value}
          options={options}
          show={show === 'differs' ? 'differs' : 'shared'}
          passage={passage ? Number(passage) : undefined}
          difference={difference ? Number(difference) : undefined}
          hasIds={Boolean(idA && idB)}
        />
      ) : (
        !isAtWork.value && (
          <Empty>
            <p>Nothing is compared yet. Fill in both texts and choose Compare, or look at the example.</p>
          </Empty>
        )
      )}
    </>
  );
}

/** Two documents of the index, by their ids: these are in the address, texts never are. */
function IdFields({ a, b }: { a: string | undefined; b: string | undefined }) {
  return (
    <form
      class="fields block"
      onSubmit={event => {
        event.preventDefault();
        const given = new FormData(event.currentTarget);
        const idOf = (name: string) => String(given.get(name) ?? '').trim() || undefined;
        setParams({ a: idOf('a'), b: idOf('b'), passage: undefined, difference: undefined });
      }}
    >
      <div class="field">
        <label for="id-a">or the id of A</label>
        <input id="id-a" name="a" type="text" defaultValue={a} required />
      </div>
      <div class="field">
        <label for="id-b">and the id of B</label>
        <input id="id-b" name="b" type="text" defaultValue={b} required />
      </div>
      <button type="submit">Compare these</button>
    </form>
  );
}

function ComparedView(props: {
  result: Result;
  options: CompareOptions;
  show: 'shared' | 'differs';
  passage: number | undefined;
  difference: number | undefined;
  hasIds: boolean;
}) {
  const { a, b, compared } = props.result;
  const passages = useMemo(() => numberedPassages(compared.passages), [compared]);
  const { resemblance, containmentAB, containmentBA } = compared.measures;
  const asked = useSignal(0);
  const isStored = props.hasIds && [a, b].every(one => stored.value.includes(one));
  const boilerplate = useLoaded(isStored ? JSON.stringify([a.id, b.id]) : undefined, signal =>
    Promise.all([getBoilerplate(a.id, signal), getBoilerplate(b.id, signal)]),
  );
  const common = isStored ? boilerplate.value.value : undefined;
  const commonRanges = useMemo(() => common && { a: common[0].ranges, b: common[1].ranges }, [common]);
  return (
    <>
      <p class="lead" role="status">
        {resemblance === 0 ? (
          <>
            They have <strong>no shingle in common</strong>.
          </>
        ) : (
          <>
            Resemblance: <strong>{percent(resemblance)}</strong>. B has {percent(containmentAB)} of the shingles of A,
            and A has {percent(containmentBA)} of those of B.
          </>
        )}
      </p>
      {props.hasIds && <DecisionBar a={a.id} b={b.id} />}
      <div class="pair">
        <Block title="Measures" id="measures">
          <MeasuresTable compared={compared} />
        </Block>
        <Block title="Shared passages" id="passages">
          <Ribbons
            a={a}
            b={b}
            passages={passages}
            all={compared.passages.length}
            current={props.passage}
            onGo={number => {
              setParams({ passage: String(number), show: undefined });
              asked.value++;
            }}
          />
        </Block>
      </div>
      {common && props.show === 'shared' && <BoilerplateNote of={common} />}
      {isStored && boilerplate.problem.value && (
        <p class="note">What many documents share is not shown: {boilerplate.problem.value}</p>
      )}
      <SideBySide
        key={asked.value}
        boilerplate={commonRanges}
        a={a}
        b={b}
        compared={compared}
        show={props.show}
        onShow={show => setParams({ show: show === 'shared' ? undefined : show })}
        passage={props.passage}
        onPassage={number => setParams({ passage: String(number) })}
        difference={props.difference}
        onDifference={number => setParams({ difference: String(number) })}
      />
      <WhyBlock {...props} />
    </>
  );
}

/** Says what grey means, or that nothing is grey. */
function BoilerplateNote({ of }: { of: readonly Boilerplate[] }) {
  const documents = Math.max(...of.map(one => one.documents));
  const { atLeast } = of[0]!;
  const looked = `at least ${atLeast} of the ${many(documents, 'other document')} compared`;
  return (
    <p class="note">
      {of.some(({ ranges }) => ranges.length > 0) ? (
        <>
          <span class="boilerplate">Grey</span>: boilerplate, found in {looked}.
        </>
      ) : (
        `No boilerplate: no passage is in ${looked}.`
      )}
    </p>
  );
}

/** The steps are worked out when they are asked for. */
function WhyBlock({ result, options }: { result: Result; options: CompareOptions }) {
  const explanation = useSignal<Explanation | undefined>(undefined);
  const problem = useSignal('');
  // What was explained is of the texts before.
  useEffect(() => {
    explanation.value = undefined;
  }, [result]);
  const explain = async () => {
    if (explanation.value) return;
    try {
      explanation.value = await worker.call('explain', { a: result.a.text, b: result.b.text, options });
    } catch (error) {
      if (!(error instanceof Cancelled)) problem.value = (error as Error).message;
    }
  };
  return (
    <details class="block why" onToggle={({ currentTarget }) => currentTarget.open && void explain()}>
      <summary>Why do these match?</summary>
      {problem.value && <p class="error">{problem.value}</p>}
      {explanation.value ? <Why explanation={explanation.value} /> : <p class="note">Working it out …</p>}
    </details>
  );
}
