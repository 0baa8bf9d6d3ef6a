/** Two documents of the index side by side, as far as their texts are stored. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { OwnSideBySide } from '../compare/own-side-by-side.tsx';
import type { ComparedTexts } from '../compare/types.ts';
import { href } from '../route.ts';
import { getDocument, indexOptions, ServiceError } from '../service/client.ts';
import type { ServiceDocument } from '../service/types.ts';
import { Id } from '../ui/parts.tsx';
import { percent } from '../ui/shown.ts';
import { Cancelled } from '../work/client.ts';
import { compareWorker as worker } from '../work/compare-client.ts';

interface Loaded {
  readonly a: ServiceDocument | undefined;
  readonly b: ServiceDocument | undefined;
  readonly compared: ComparedTexts | undefined;
}

/** `stored`: ids whose texts are; others need not be asked for. */
export function StoredTexts(props: {
  a: string;
  b: string;
  textA?: string;
  first?: 'shared' | 'differs';
  stored?: readonly string[] | undefined;
}) {
  const { a, b, textA, first: firstShown = 'shared' } = props;
  const isThere = (id: string) => props.stored === undefined || props.stored.includes(id);
  const loaded = useSignal<Loaded | undefined>(undefined);
  const problem = useSignal('');
  useEffect(() => {
    const controller = new AbortController();
    const load = async () => {
      const [first, second] = await Promise.all([
        textA === undefined ? isThere(a) && stored(a, controller.signal) : { id: a, text: textA },
        isThere(b) && stored(b, controller.signal),
      ]);
      const compared =
        first && second && first.text !== undefined && second.text !== undefined
          ? await worker.call('compare', {
              a: first.text,
              b: second.text,
              options: { shingle: indexOptions.peek().shingle },
            })
          : undefined;
      if (!controller.signal.aborted) loaded.value = { a: first || undefined, b: second || undefined, compared };
    };
    problem.value = '';
    load().catch(error => {
      if (!controller.signal.aborted && !(error instanceof Cancelled)) problem.value = error.message;
    });
    return () => controller.abort();
  }, [a, b, textA, loaded, problem]);
  if (problem.value) return <p class="error">{problem.value}</p>;
  if (!loaded.value) return <p class="note">Loading …</p>;
  const { a: first, b: second, compared } = loaded.value;
  if (!compared || first?.text === undefined || second?.text === undefined)
    return <OneText missing={first?.text === undefined ? a : b} there={first?.text === undefined ? second : first} />;
  return (
    <>
      <p>
        Resemblance {percent(compared.measures.resemblance)}; {percent(compared.measures.containmentAB)} of A is in B,{' '}
        {percent(compared.measures.containmentBA)} of B is in A.{' '}
        {textA === undefined && <a href={href(['compare'], { a, b })}>All measures</a>}
      </p>
      <OwnSideBySide
        a={{ id: first.id, text: first.text }}
        b={{ id: second.id, text: second.text }}
        compared={compared}
        first={firstShown}
      />
    </>
  );
}

/** Letters of a text that is only to be recognised. */
const SHOWN = 5000;

/** What can be said where a text is not kept: why, what to do about it, and the text that is there. */
function OneText({ missing, there }: { missing: string; there: ServiceDocument | undefined }) {
  return (
    <>
      <p class="note">
        The index keeps no text of <Id id={missing} most={80} />, so the two cannot be shown side by side. Documents
        that are added with <code>--store all</code> keep theirs.
      </p>
      {there?.text !== undefined && (
        <section class="column" aria-label="The text that is stored">
          <header>
            <h2>
              <Id id={there.id} />
            </h2>
            {there.text.length > SHOWN && <p>its beginning</p>}
          </header>
          <div class="text scroll" dir="auto" lang="" tabIndex={0} role="region" aria-label="Text">
            {there.text.slice(0, SHOWN)}
          </div>
        </section>
      )}
    </>
  );
}

/** Undefined when only a verdict is kept. */
async function stored(id: string, signal: AbortSignal): Promise<ServiceDocument | undefined> {
  try {
    return await getDocument(id, signal);
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  }
}
