/** An index at a glance: what came in, how alike it is, how far the review is, and what comes in now. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Bar, Histogram } from '../charts/histogram.tsx';
import { href, route, setParams } from '../route.ts';
import { getHistogram, getRecall, getStats, listClusters, listDocuments } from '../service/client.ts';
import { Gate } from '../service/gate.tsx';
import { useLoaded } from '../service/loading.ts';
import type { IndexHistogram, Stats, Verdict } from '../service/types.ts';
import { isNarrow } from '../ui/narrow.ts';
import { Block, Empty, Figures, IdLine, Segments } from '../ui/parts.tsx';
import { many, percent, rounded, shortCount, size, withCommas } from '../ui/shown.ts';

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
  const histogram = useLoaded(`histogram ${known}`, getHistogram);
  const review = useLoaded(`clusters ${known}`, async signal => {
    const [all, decided] = await Promise.all([
      listClusters({ limit: 1 }, signal),
      listClusters({ limit: 1, state: 'decided' }, signal),
    ]);
    return { total: all.total, decided: decided.total };
  });
  const isLog = route.value.params.scale === 'log';
  const counted = histogram.value.value;
  return (
    <>
      {review.value.value && <Review {...review.value.value} />}
      {counted && counted.sizes.length > 0 && (
        <>
          <div class="pair charts">
            <Block title="Best match of each duplicate" id="matches">
              <Histogram
                title="Documents by the resemblance to their best match"
                axis="resemblance to the best match"
                kinds={relations}
                bars={matchBars(counted.matches)}
                isLog={isLog}
              />
            </Block>
            <Block title="Clusters by size" id="sizes">
              <Histogram
                title="Clusters by size"
                axis="documents in the cluster"
                kinds={['clusters']}
                bars={sizeBars(counted.sizes)}
                isLog={isLog}
              />
            </Block>
          </div>
          <div class="buttons block">
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
            <span class="note">A bar leads to the clusters behind it.</span>
          </div>
        </>
      )}
      {!counted && <p class="note">{histogram.problem.value || 'Counting …'}</p>}
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
    <p class="prose">
      <strong>{percent(recall)}</strong>: the index recognises {withCommas(found)} of {withCommas(documents)} copies of
      stored documents, each shortened until it was just at the threshold (resemblance {rounded(leastResemblance!)} or
      more, {rounded(meanResemblance!)} on average). Copies that are more alike are easier to find.
    </p>
  );
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
/** Hundredths of a bar: twentieths are few enough to have a number each. */
const WIDE = 5;

/** From the lowest there is. */
function matchBars(matches: IndexHistogram['matches']): Bar[] {
  const hasAny = (at: number) => relations.some(relation => matches[relation][at]! > 0);
  const lowest = Math.min(80, Array.from({ length: 101 }, (_, at) => at).find(hasAny) ?? 80);
  const first = lowest - (lowest % WIDE);
  return Array.from({ length: (100 - first) / WIDE + 1 }, (_, place) => {
    const start = first + place * WIDE;
    const counts = relations.map(relation =>
      matches[relation].slice(start, start + WIDE).reduce((sum, count) => sum + count, 0),
    );
    const [from, to] = [start / 100, (start + WIDE) / 100];
    if (start === 100)
      return { tick: '1', range: '1', counts, href: href(['clusters'], { sort: 'minResemblance', from: '1' }) };
    return {
      tick: from.toFixed(2),
      range: `${from.toFixed(2)} – ${to.toFixed(2)}`,
      counts,
      href: href(['clusters'], { sort: 'minResemblance', from: String(from), to: String(to) }),
    };
  });
}

function sizeBars(sizes: readonly number[]): Bar[] {
  return sizes.map((count, power) => {
    const [from, to] = [2 ** power + 1, 2 ** (power + 1)];
    return {
      // Both ends would run into each other on a phone.
      tick: power === 0 ? '2' : `${shortCount(from)}+`,
      range: power === 0 ? '2' : `${withCommas(from)}–${withCommas(to)}`,
      counts: [count],
      href: href(['clusters'], { sort: 'size', order: 'asc', minSize: String(from) }),
    };
  });
}

function Recent({ documents }: { documents: readonly Verdict[] }) {
  const match = ({ of }: Verdict) =>
    of !== undefined && (
      <a href={href(['clusters', of])}>
        <IdLine id={of} />
      </a>
    );
  const found = ({ status }: Verdict) => <span class={`relation ${status}`}>{status}</span>;
  const value = ({ resemblance }: Verdict) => resemblance !== undefined && rounded(resemblance);
  return (
    <Block title="What came in lately" id="recent">
      {isNarrow.value ? (
        <table class="recent">
          <thead>
            <tr>
              <th scope="col">document, best match</th>
              <th scope="col">found</th>
            </tr>
          </thead>
          <tbody>
            {documents.map(document => (
              <tr key={document.id}>
                <td class="id">
                  <IdLine id={document.id} /> {match(document)}
                </td>
                <td>
                  {found(document)} {value(document)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <table class="recent">
          <thead>
            <tr>
              <th scope="col">document</th>
              <th scope="col">found</th>
              <th scope="col">best match</th>
              <th scope="col" class="number">
                resemblance
              </th>
            </tr>
          </thead>
          <tbody>
            {documents.map(document => (
              <tr key={document.id}>
                <td class="id">
                  <IdLine id={document.id} />
                </td>
                <td>{found(document)}</td>
                <td class="id">{match(document)}</td>
                <td class="number">{value(document)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Block>
  );
}
