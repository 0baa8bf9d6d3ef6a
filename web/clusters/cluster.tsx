/** One cluster: its matrix or graph, its members, and two of them side by side, to decide. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { go, href, route, setParams } from '../route.ts';
import { getCluster, getPairs, indexOptions } from '../service/client.ts';
import { useLoaded } from '../service/loading.ts';
import {
  decideAll,
  done,
  keeps,
  knowVerdicts,
  pairKey,
  problem as sending,
  undoLast,
  verdicts,
} from '../service/review-log.ts';
import type { Decision, ServiceCluster, ServicePair, ServicePairs } from '../service/types.ts';
import { save } from '../ui/files.ts';
import { useKeys } from '../ui/keys.ts';
import { Block, Id, IdLine, Segments } from '../ui/parts.tsx';
import { many, rounded, withCommas } from '../ui/shown.ts';
import { Windowed } from '../ui/windowed.tsx';
import { Graph } from './graph.tsx';
import { currentList } from './list-state.ts';
import { Matrix } from './matrix.tsx';
import { NearlyIn } from './nearly.tsx';
import { orderByLikeness, Resemblances } from './order.ts';
import { StoredTexts } from './stored-texts.tsx';

/** The representative with each member, and each with each of the first: with all but the largest clusters, of 100. */
const MOST_PAIRS = 10_000;
const ORDERED = 100;

export function ClusterView({ id }: { id: string }) {
  const cluster = useLoaded(`cluster ${id}`, signal => getCluster(id, signal));
  const pairs = useLoaded(`pairs ${id}`, signal => getPairs(id, { limit: MOST_PAIRS }, signal));
  return (
    <>
      <p>
        <a href={href(['clusters'], listParams())}>All clusters</a>
      </p>
      {cluster.problem.value ? (
        <>
          <h1>Cluster</h1>
          <p class="error">{cluster.problem.value}</p>
        </>
      ) : cluster.value.value ? (
        <Shown cluster={cluster.value.value} known={pairs.value.value} problem={pairs.problem.value} />
      ) : (
        <p class="note">Loading …</p>
      )}
    </>
  );
}

/** Back to the list as it was. */
function listParams(): Record<string, string> {
  const filter = currentList.value?.filter;
  if (!filter) return {};
  const { sort, order, state, q, minSize, from, to } = filter;
  return { sort, order, state, q, minSize, from, to };
}

const noPairs: readonly ServicePair[] = [];

function Shown(props: { cluster: ServiceCluster; known: ServicePairs | undefined; problem: string }) {
  const { cluster, known } = props;
  const pairs = known?.pairs ?? noPairs;
  const { representative, size } = cluster;
  const { view, member } = route.value.params;
  const resemblances = useMemo(() => new Resemblances(pairs), [pairs]);
  const members = useMemo(
    () => [representative, ...cluster.members.filter(id => id !== representative)],
    [cluster, representative],
  );
  const order = useMemo(() => orderByLikeness(members.slice(0, ORDERED), resemblances), [members, resemblances]);
  const others = useMemo(() => members.filter(id => id !== representative), [members, representative]);
  const at = Math.max(0, others.indexOf(member ?? ''));
  const chosen = others[at] ?? representative;
  const choose = (id: string) => setParams({ member: id === representative ? undefined : id });
  const step = (by: number) => choose(others[Math.min(others.length - 1, Math.max(0, at + by))]!);
  const isBusy = useSignal(false);
  useEffect(() => void knowVerdicts(), []);
  // The list comes back to the cluster that was seen last.
  useEffect(() => {
    const list = currentList.peek();
    const row = list?.clusters.peek().findIndex(one => one.cluster === cluster.cluster) ?? -1;
    if (list && row !== -1) list.chosen.value = row;
  }, [cluster]);

  const verdictOf = (id: string) => verdicts.value.get(pairKey(id, representative)) ?? 'undecided';
  const stays = (id: string) => verdictOf(id) === 'same' && keeps.value.get(pairKey(id, representative)) === id;
  const decide = async (verdict: 'same' | 'different', keep = representative) => {
    if (isBusy.value) return;
    isBusy.value = true;
    const decision: Decision = { a: chosen, b: representative, verdict, ...(verdict === 'same' && { keep }) };
    const isSent = await decideAll([decision]);
    isBusy.value = false;
    if (!isSent) return;
    const next = others.find((id, place) => place > at && verdictOf(id) === 'undecided');
    if (next !== undefined) choose(next);
    else if (others.every(id => verdictOf(id) !== 'undecided')) goOn(cluster.cluster);
  };
  // Of this visit the last decision, else what was decided on the pair that is shown, by whomever.
  const canUndo = done.value.length > 0 || verdictOf(chosen) !== 'undecided';
  const undo = async () => {
    if (done.value.length === 0 && canUndo) await decideAll([{ a: chosen, b: representative, verdict: 'undecided' }]);
    const last = await undoLast();
    const undone = last?.find(({ b }) => b === representative);
    if (undone) choose(undone.a);
    else if (last?.[0]) showUndone(last[0]);
  };
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    s: () => decide('same'),
    d: () => decide('different'),
    x: () => decide('different'),
    r: () => decide('same', chosen),
    u: undo,
  });
  return (
    <>
      <h1>
        Cluster of <Id id={representative} />
      </h1>
      <p class="lead">
        {many(size, 'document')}, {reviewed(others.filter(id => verdictOf(id) !== 'undecided').length, others.length)},
        least resemblance to the representative{' '}
        <strong>{cluster.minResemblance === undefined ? 'unknown' : rounded(cluster.minResemblance)}</strong>
      </p>
      <div class="review">
        <div>
          <Block title="How alike they are" id="alike">
            <Segments
              label="View"
              hideLabel
              value={view === 'graph' ? 'graph' : 'matrix'}
              choices={[
                { value: 'matrix', label: 'Matrix' },
                { value: 'graph', label: 'Graph' },
              ]}
              onChange={value => setParams({ view: value === 'graph' ? 'graph' : undefined })}
            />
            {props.problem && <p class="error">{props.problem}</p>}
            {!known ? (
              !props.problem && <p class="note">Loading …</p>
            ) : view === 'graph' ? (
              <Graph
                {...{ members, pairs, chosen, representative }}
                cluster={cluster.cluster}
                threshold={indexOptions.value.threshold}
                onChoose={choose}
              />
            ) : (
              <Matrix {...{ order, resemblances, chosen, representative }} all={members.length} onChoose={choose} />
            )}
            {known && known.notStored > 0 && <NotStored count={known.notStored} of={size} />}
          </Block>
          <Windowed
            label="Members"
            count={others.length}
            rowHeight={44}
            chosen={at}
            onChoose={row => choose(others[row]!)}
            row={row => (
              <div class="pair-row">
                <div>
                  <IdLine id={others[row]!} />
                  <span class="number">{shownValue(resemblances.of(others[row]!, representative))}</span>
                  {verdictOf(others[row]!) !== 'undecided' && (
                    <b>{stays(others[row]!) ? 'same, and it stays' : verdictOf(others[row]!)}</b>
                  )}
                </div>
              </div>
            )}
          />
          <p class="buttons decision">
            <button type="button" onClick={() => save(pairLines(pairs), 'pairs.jsonl')} disabled={pairs.length === 0}>
              Export pairs
            </button>
          </p>
        </div>
        <div class="review-detail">
          <div class="buttons decision">
            <button
              type="button"
              aria-pressed={verdictOf(chosen) === 'same' && !stays(chosen)}
              onClick={() => decide('same')}
            >
              Same<kbd>s</kbd>
            </button>
            <button type="button" aria-pressed={verdictOf(chosen) === 'different'} onClick={() => decide('different')}>
              Different, take out<kbd>x</kbd>
            </button>
            <button type="button" aria-pressed={stays(chosen)} onClick={() => decide('same', chosen)}>
              Make it the representative<kbd>r</kbd>
            </button>
            <button type="button" disabled={!canUndo} onClick={undo}>
              Undo<kbd>u</kbd>
            </button>
            <span class="note">
              <kbd>j</kbd> <kbd>k</kbd> next and previous
            </span>
          </div>
          {sending.value && <p class="error">{sending.value}</p>}
          <StoredTexts a={chosen} b={representative} first="differs" stored={cluster.stored} />
        </div>
        <div class="review-after">
          <NearlyIn cluster={cluster} />
        </div>
      </div>
    </>
  );
}

/** What is not known, and why. */
function NotStored({ count, of }: { count: number; of: number }) {
  return (
    <p class="note">
      The index keeps no text of {withCommas(count)} of these {withCommas(of)} documents. They were compared with the
      representative when they came in, and cannot be compared with each other. An index that is made with{' '}
      <code>--store all</code> keeps the texts of duplicates, too.
    </p>
  );
}

/** The next cluster of the list that this one was opened from; else the list. */
function goOn(cluster: string): void {
  const clusters = currentList.value?.clusters.value ?? [];
  const at = clusters.findIndex(one => one.cluster === cluster);
  const next = at === -1 ? undefined : clusters[at + 1];
  go(next ? ['clusters', next.cluster] : ['clusters'], next ? {} : listParams());
}

/** What was taken back is shown: it may be of the cluster before, from which the last decision went on to this one. */
function showUndone({ a, b }: Decision): void {
  const cluster = currentList
    .peek()
    ?.clusters.peek()
    .find(({ representative }) => representative === b);
  if (cluster) go(['clusters', cluster.cluster], { member: a });
}

function reviewed(decided: number, of: number): string {
  return decided === 0 ? 'none decided' : decided === of ? 'all decided' : `${decided} of ${of} decided`;
}

function shownValue(value: number | undefined): string {
  return value === undefined ? '' : rounded(value);
}

function pairLines(pairs: readonly ServicePair[]): Blob {
  return new Blob(pairs.map(pair => `${JSON.stringify(pair)}\n`));
}
