/** An index at a glance: what came in, how alike it is, how far the review is, and what comes in now. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Bar, Histogram } from '../charts/histogram.tsx';
import { href, route, setParams } from '../route.ts';
import { getRecall, getStats, listClusters, listDocuments } from '../service/client.ts';
import { Gate } from '../service/gate.tsx';
import { useLoaded } from '../service/loading.ts';
import type { ServiceCluster, Stats, Verdict } from '../service/types.ts';
import { Block, Empty, Figures, Id, Segments } from '../ui/parts.tsx';
import { many, percent, rounded, size, withCommas } from '../ui/shown.ts';

/** Documents read for the histogram: enough for its shape. */
const MOST_DOCUMENTS = 5000;
const PAGE = 1000;
const LATEST = 12;
/** Milliseconds between two looks. */
const POLL = 4000;

export function OverviewPage() {
  return (
    <Gate title="Overview">
      <Overview />
    </Gate>
  );
}

interface Sampled {
  readonly documents: readonly Verdict[];
  readonly isAll: boolean;
}

function Overview() {
  const tick = useSignal(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) tick.value++;
    }, POLL);
    return () => clearInterval(timer);
  }, [tick]);
  const { value: stats, problem } = useLoaded(`stats ${tick.value}`, getStats);
  const first = useSignal<Stats | undefined>(undefined);
  first.value ??= stats.value;
  if (!stats.value) return problem.value ? <p class="error">{problem.value}</p> : <p class="note">Loading …</p>;
  const { documents, bytes, verdicts } = stats.value;
  const known = verdicts ? Object.values(verdicts).reduce((sum, count) => sum + count, 0) : documents;
  const since = known - totalOf(first.value ?? stats.value);
  return (
    <>
      <h1>Overview</h1>
      <p class="lead" role="status">
        <strong>{many(known, 'document')}</strong> came in, {withCommas(documents)} stored.
        {since > 0 && ` ${many(since, 'document')} since you opened this page.`}
      </p>
      {problem.value && <p class="error">Not up to date: {problem.value}</p>}
      <Figures
        figures={[
          ['stored', withCommas(documents)],
          ...Object.entries(verdicts ?? {}).map(([name, count]) => [name, withCommas(count)] as const),
          ['size', size(bytes)],
        ]}
      />
      {known === 0 ? (
        <Empty>
          <p>The index is empty. Add documents on the Search page, or with the command line:</p>
          <p>
            <code>neardup index add DIR documents.jsonl</code>
          </p>
        </Empty>
      ) : (
        <Details known={known} />
      )}
    </>
  );
}

function totalOf({ documents, verdicts }: Stats): number {
  return verdicts ? Object.values(verdicts).reduce((sum, count) => sum + count, 0) : documents;
}

function Details({ known }: { known: number }) {
  const latest = useLoaded(`latest ${known}`, signal => listDocuments({ limit: LATEST, order: 'desc' }, signal));
  const sampled = useLoaded<Sampled>(`documents ${known}`, readDocuments);
  const clusters = useLoaded(`clusters ${known}`, async signal => {
    const [all, decided] = await Promise.all([
      listClusters({ limit: PAGE, sort: 'size', order: 'desc' }, signal),
      listClusters({ limit: 1, state: 'decided' }, signal),
    ]);
    return { largest: all.clusters, total: all.total, decided: decided.total };
  });
  const isLog = route.value.params.scale === 'log';
  return (
    <>
      {clusters.value.value && <Review {...clusters.value.value} />}
      <div class="pair">
        <Block title="Best match of each duplicate" id="matches">
          {sampled.value.value ? (
            <>
              <Histogram
                title="Documents by the resemblance to their best match"
                axis="resemblance to the best match"
                kinds={['exact', 'near', 'contained']}
                bars={matchBars(sampled.value.value.documents)}
                isLog={isLog}
              />
              <Segments
                label="Scale"
                hideLabel
                value={isLog ? 'log' : 'plain'}
                choices={[
                  { value: 'plain', label: 'Plain' },
                  { value: 'log', label: 'Logarithmic' },
                ]}
                onChange={scale => setParams({ scale: scale === 'log' ? 'log' : undefined })}
              />
              {!sampled.value.value.isAll && (
                <p class="note">Of the first {withCommas(sampled.value.value.documents.length)} documents.</p>
              )}
            </>
          ) : (
            <p class="note">{sampled.problem.value || 'Loading …'}</p>
          )}
        </Block>
        <Block title="Clusters by size" id="sizes">
          {clusters.value.value ? (
            <Histogram
              title="Clusters by size"
              axis="documents in the cluster"
              kinds={['clusters']}
              bars={sizeBars(clusters.value.value.largest)}
              isLog={isLog}
            />
          ) : (
            <p class="note">{clusters.problem.value || 'Loading …'}</p>
          )}
        </Block>
      </div>
      <Block title="Measured recall" id="recall">
        <Recall />
      </Block>
      {latest.value.value && <Recent documents={latest.value.value.documents} />}
    </>
  );
}

/** Measured once for a visit: it takes the service up to two seconds. */
function Recall() {
  const { value, problem } = useLoaded('recall', getRecall);
  if (problem.value) return <p class="error">{problem.value}</p>;
  if (!value.value) return <p class="note">Measuring …</p>;
  const { recall, found, documents, leastResemblance, meanResemblance } = value.value;
  if (recall === null)
    return <p class="note">Nothing to measure: no stored document is long enough to make a changed copy of it.</p>;
  return (
    <p>
      <strong>{percent(recall)}</strong>: the index recognises {withCommas(found)} of {withCommas(documents)} copies of
      stored documents, each shortened until it was just at the threshold (resemblance {rounded(leastResemblance!)} or
      more, {rounded(meanResemblance!)} in the mean). Copies that are more alike are easier to find.
    </p>
  );
}

async function readDocuments(signal: AbortSignal): Promise<Sampled> {
  const documents: Verdict[] = [];
  let cursor: string | undefined;
  do {
    const page = await listDocuments({ limit: PAGE, cursor }, signal);
    documents.push(...page.documents);
    cursor = page.next;
  } while (cursor !== undefined && documents.length < MOST_DOCUMENTS);
  return { documents, isAll: cursor === undefined };
}

function Review({ total, decided }: { total: number; decided: number }) {
  if (total === 0) return <p class="note">No document was found to be a near-duplicate yet.</p>;
  return (
    <Block title="Review" id="review">
      <p>
        {withCommas(decided)} of {many(total, 'cluster')} decided.{' '}
        <progress value={decided} max={total} aria-label="Clusters decided" />
      </p>
      <p class="buttons">
        <a class="button primary" href={href(['clusters'], { state: 'open', sort: 'minResemblance' })}>
          Start with the closest decisions
        </a>
        <a class="button" href={href(['clusters'], { sort: 'size' })}>
          The largest clusters
        </a>
      </p>
    </Block>
  );
}

const relations = ['exact', 'near', 'contained'] as const;

/** Twentieths, from the lowest there is. */
function matchBars(documents: readonly Verdict[]): Bar[] {
  const counts = Array.from({ length: 21 }, () => [0, 0, 0]);
  for (const { status, resemblance } of documents) {
    const kind = (relations as readonly string[]).indexOf(status);
    if (kind >= 0 && resemblance !== undefined) counts[Math.min(20, Math.floor(resemblance * 20 + 1e-9))]![kind]!++;
  }
  const lowest = Math.min(
    16,
    counts.findIndex(of => of.some(count => count > 0)),
  );
  return counts.slice(Math.max(0, lowest)).map((of, at) => {
    const from = (Math.max(0, lowest) + at) / 20;
    const range = from === 1 ? '1' : `${from.toFixed(2)} – ${(from + 0.05).toFixed(2)}`;
    const to = from === 1 ? 1 : from + 0.05;
    return {
      tick: from === 1 ? '1' : from.toFixed(2),
      range,
      counts: of,
      href: href(['clusters'], { sort: 'minResemblance', from: String(from), to: to.toFixed(2) }),
    };
  });
}

function sizeBars(clusters: readonly ServiceCluster[]): Bar[] {
  const counts: number[] = [];
  for (const cluster of clusters) {
    const power = Math.max(0, Math.ceil(Math.log2(cluster.size)) - 1);
    counts[power] = (counts[power] ?? 0) + 1;
  }
  return Array.from(counts, (count = 0, power) => {
    const [from, to] = [2 ** power + 1, 2 ** (power + 1)];
    const range = power === 0 ? '2' : `${from}–${to}`;
    return {
      // Both ends would run into each other on a phone.
      tick: power === 0 ? '2' : `${from}+`,
      range,
      counts: [count],
      href: href(['clusters'], { sort: 'size', minSize: String(power === 0 ? 2 : from) }),
    };
  });
}

function Recent({ documents }: { documents: readonly Verdict[] }) {
  return (
    <Block title="What came in lately" id="recent">
      <table>
        <tbody>
          {documents.map(({ id, status, of, resemblance }) => (
            <tr key={id}>
              <td>
                <Id id={id} most={80} />
              </td>
              <td>
                <span class={`relation ${status}`}>{status}</span>
              </td>
              <td class="wrap">
                {of !== undefined && (
                  <a href={href(['clusters', of])}>
                    <Id id={of} most={80} />
                  </a>
                )}
              </td>
              <td class="number">{resemblance !== undefined && rounded(resemblance)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Block>
  );
}
