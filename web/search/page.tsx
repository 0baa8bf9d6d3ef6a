/** A text, or an id of the index → its near-duplicates there, with the matching passages; and whether to add it. */
import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { StoredTexts } from '../clusters/stored-texts.tsx';
import type { ComparedText } from '../compare/side-by-side.tsx';
import { TextInput } from '../compare/text-input.tsx';
import { route, setParams } from '../route.ts';
import { addDocument, getDocument, indexOptions, search } from '../service/client.ts';
import { Gate } from '../service/gate.tsx';
import type { FoundDocument, Verdict } from '../service/types.ts';
import { announce } from '../ui/announce.tsx';
import { isNarrow } from '../ui/narrow.ts';
import { Block, Empty, Id, Progress, Slider } from '../ui/parts.tsx';
import { many, percent, rounded } from '../ui/shown.ts';

export function SearchPage() {
  return (
    <Gate title="Search">
      <Search />
    </Gate>
  );
}

const query = signal<ComparedText>({ id: 'your text', text: '' });

interface Found {
  readonly text: string;
  readonly results: readonly FoundDocument[];
}
const found = signal<Found | undefined>(undefined);

function Search() {
  const { id = '', threshold: given, measure = indexOptions.value.measure } = route.value.params;
  const threshold = Number(given) > 0 && Number(given) <= 1 ? Number(given) : 0.5;
  const problem = useSignal('');
  const chosen = useSignal('');
  const work = useRef<AbortController | undefined>(undefined);
  const isAtWork = useSignal(false);

  const run = async (asked: { text?: string; id?: string }) => {
    work.current?.abort();
    const controller = new AbortController();
    work.current = controller;
    isAtWork.value = true;
    problem.value = '';
    try {
      const text = asked.text ?? (await getDocument(asked.id!, controller.signal)).text ?? '';
      const { results } = await search({ ...asked, threshold, measure, limit: 50 }, controller.signal);
      found.value = { text, results };
      chosen.value = results[0]?.id ?? '';
      announce(`${many(results.length, 'document')} found.`);
    } catch (error) {
      if (!controller.signal.aborted) problem.value = (error as Error).message;
    } finally {
      if (work.current === controller) isAtWork.value = false;
    }
  };
  // A shared address names a document of the index.
  useEffect(() => {
    if (id) void run({ id });
    return () => work.current?.abort();
  }, [id, threshold, measure]);
  return (
    <>
      <h1>Search</h1>
      <p class="lead">Find documents of the index that are like a text, or like one of them.</p>
      <div class="pair">
        <div>
          <TextInput label="to look for" value={query} />
          <p class="buttons decision">
            <button
              type="button"
              class="primary"
              disabled={query.value.text === ''}
              onClick={() => {
                setParams({ id: undefined });
                void run({ text: query.value.text });
              }}
            >
              Search
            </button>
          </p>
        </div>
        <div class="controls">
          <form
            class="field"
            onSubmit={event => {
              event.preventDefault();
              const value = String(new FormData(event.currentTarget).get('id') ?? '').trim();
              setParams({ id: value });
            }}
          >
            <label for="id">or the id of a document</label>
            <div class="buttons">
              <input id="id" name="id" type="text" defaultValue={id} />
              <button type="submit">Find</button>
            </div>
          </form>
          <Slider
            label="Threshold"
            min={0.05}
            max={1}
            step={0.01}
            value={threshold}
            onChange={value => setParams({ threshold: String(value) })}
          />
          {/* Only an index that was made for containment finds by it. */}
          {indexOptions.value.measure === 'containment' && (
            <div class="field">
              <label for="measure">Measure</label>
              <select
                id="measure"
                value={measure}
                onChange={({ currentTarget }) => setParams({ measure: currentTarget.value })}
              >
                <option value="resemblance">resemblance</option>
                <option value="containment">containment: your text in the document</option>
              </select>
            </div>
          )}
        </div>
      </div>
      {isAtWork.value && <Progress text="Searching …" onCancel={() => work.current?.abort()} />}
      {problem.value && <p class="error">{problem.value}</p>}
      {found.value ? (
        <Results found={found.value} chosen={chosen.value} onChoose={value => (chosen.value = value)} ofId={id} />
      ) : (
        !isAtWork.value && (
          <Empty>
            <p>Paste or drop a text and choose Search, or name a document. What is like it appears here, best first.</p>
          </Empty>
        )
      )}
    </>
  );
}

function Results(props: { found: Found; chosen: string; onChoose(id: string): void; ofId: string }) {
  const { text, results } = props.found;
  return (
    <>
      {props.ofId === '' && <AddForm text={text} />}
      {results.length === 0 ? (
        <Empty>
          <p>
            No document is that similar. A lower threshold finds more.{' '}
            {indexOptions.value.measure === 'containment' ? (
              'Measure containment finds documents that contain yours.'
            ) : (
              <>
                To find documents that contain yours, make the index with <code>--measure containment</code>.
              </>
            )}
          </p>
        </Empty>
      ) : (
        <div class="found">
          <Block title={many(results.length, 'document')} id="found">
            <div class="found-list" role="group" tabIndex={0} aria-label="Results">
              <table>
                <thead>
                  <tr>
                    <th scope="col">document</th>
                    <th scope="col" class="number">
                      resemblance
                    </th>
                    <th scope="col" class="number">
                      of yours in&nbsp;it
                    </th>
                    <th scope="col" class="number">
                      of it in&nbsp;yours
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {results.map(({ id, resemblance, containment }) => (
                    <tr key={id} class={id === props.chosen ? 'chosen' : ''}>
                      <td class="wrap">
                        <button
                          type="button"
                          class="plain"
                          aria-pressed={id === props.chosen}
                          onClick={() => props.onChoose(id)}
                        >
                          <Id id={id} most={isNarrow.value ? 34 : 48} />
                        </button>
                      </td>
                      <td class="number">{rounded(resemblance)}</td>
                      <td class="number">{percent(containment)}</td>
                      <td class="number">{percent(otherContainment(resemblance, containment))}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </Block>
          {props.chosen && (
            <Block title="Matching passages" id="match">
              <StoredTexts a={props.ofId || 'your text'} b={props.chosen} textA={text} />
            </Block>
          )}
        </div>
      )}
    </>
  );
}

/**
 * With |A∩B| as the unit, your text has 1/containment shingles and both together have 1/resemblance, which leaves those of the document.
 */
function otherContainment(resemblance: number, containment: number): number {
  return resemblance === 0 ? 0 : Math.min(1, 1 / (1 / resemblance + 1 - 1 / containment));
}

/** First what the index would say; then, if wanted, the document is added. */
function AddForm({ text }: { text: string }) {
  const id = useSignal('');
  const verdict = useSignal<{ verdict: Verdict; isAdded: boolean } | undefined>(undefined);
  const problem = useSignal('');
  const send = async (isDry: boolean) => {
    problem.value = '';
    try {
      verdict.value = { verdict: await addDocument({ id: id.value, text }, isDry), isAdded: !isDry };
    } catch (error) {
      problem.value = (error as Error).message;
    }
  };
  return (
    <form
      class="fields block"
      onSubmit={event => {
        event.preventDefault();
        void send(false);
      }}
    >
      <div class="field">
        <label for="new-id">Add this text to the index as</label>
        <input
          id="new-id"
          type="text"
          placeholder="id"
          value={id.value}
          onInput={({ currentTarget }) => {
            id.value = currentTarget.value;
            verdict.value = undefined;
          }}
        />
      </div>
      <button type="button" disabled={id.value === ''} onClick={() => send(true)}>
        Only check
      </button>
      <button type="submit" disabled={id.value === ''}>
        Add
      </button>
      {verdict.value && (
        <span role="status">
          {verdict.value.isAdded ? 'Added' : 'It would be'}:{' '}
          <span class={`relation ${verdict.value.verdict.status}`}>{verdict.value.verdict.status}</span>
          {verdict.value.verdict.of !== undefined && (
            <>
              {' '}
              of <Id id={verdict.value.verdict.of} most={80} />
            </>
          )}
        </span>
      )}
      {problem.value && <span class="error">{problem.value}</span>}
    </form>
  );
}
