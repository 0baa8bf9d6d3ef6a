/** Clusters in a windowed list, to decide one after the other, or all that the filter shows. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { go, href, route, setParams } from '../route.ts';
import { getCluster, getDocument, listDecisions } from '../service/client.ts';
import { decideAll, done, knowVerdicts, pairKey, problem, undoLast, verdicts } from '../service/review-log.ts';
import type { Decision, ServiceCluster } from '../service/types.ts';
import { save } from '../ui/files.ts';
import { useKeys } from '../ui/keys.ts';
import { isNarrow } from '../ui/narrow.ts';
import { Empty, IdLine, Progress } from '../ui/parts.tsx';
import { many, onOneLine, rounded, withCommas } from '../ui/shown.ts';
import { Windowed } from '../ui/windowed.tsx';
import { ClusterList, currentList, filterOf } from './list-state.ts';

export function ClusterListView() {
  const filter = filterOf(route.value.params);
  const key = JSON.stringify(filter);
  const list = useMemo(() => {
    const kept = currentList.peek();
    if (kept?.key === key) return kept;
    kept?.stop();
    const fresh = new ClusterList(filter);
    void fresh.want(50);
    return fresh;
  }, [key]);
  useEffect(() => {
    currentList.value = list;
  }, [list]);
  useEffect(() => void knowVerdicts(), []);
  const { chosen } = list;
  const bulk = useSignal<{ done: number; of: number } | undefined>(undefined);
  const clusters = list.clusters.value;
  const total = list.total.value;
  const at = Math.min(chosen.value, Math.max(0, clusters.length - 1));
  const choose = (row: number) => {
    chosen.value = Math.max(0, Math.min(row, (total ?? clusters.length) - 1));
    void list.want(chosen.value + 50);
  };
  const decideOne = async (verdict: 'same' | 'different') => {
    const cluster = clusters[at];
    if (cluster && verdict === 'different' && !mayCallDifferent(cluster)) return;
    const whole = cluster && (await inWhole(cluster));
    if (whole && (await decideAll(decisionsOn(whole, verdict)))) choose(at + 1);
  };
  // Of this visit the last decision, else what was decided on the cluster that is chosen, by whomever.
  const canUndo = done.value.length > 0 || (clusters[at] !== undefined && decidedOf(clusters[at]) > 0);
  const undo = async () => {
    if (done.value.length > 0) {
      const undone = await undoLast();
      const row = clusters.findIndex(({ representative }) => representative === undone?.[0]?.b);
      if (row !== -1) choose(row);
    } else if (canUndo) {
      const whole = await inWhole(clusters[at]!);
      if (whole) await decideAll(decisionsOn(whole, 'undecided').filter(isDecided));
    }
  };
  const decideShown = async (verdict: 'same' | 'different') => {
    const count = total ?? clusters.length;
    if (!confirm(`Call every pair of ${many(count, 'cluster')} ${verdict}? You can take it back as one.`)) return;
    bulk.value = { done: 0, of: count };
    problem.value = '';
    await list.want(Number.POSITIVE_INFINITY);
    const all: Decision[] = [];
    for (const cluster of list.clusters.value) {
      const whole = bulk.value && (await inWhole(cluster));
      if (!whole) break;
      all.push(...decisionsOn(whole, verdict));
    }
    // Stopped, or not known in whole: nothing was decided.
    if (!bulk.value || problem.value) {
      bulk.value = undefined;
      return;
    }
    let sent = 0;
    await decideAll(all, () => {
      if (!bulk.value) return false;
      bulk.value = { done: sent++, of: all.length };
      return true;
    });
    bulk.value = undefined;
  };
  useKeys({
    j: () => choose(at + 1),
    k: () => choose(at - 1),
    s: () => decideOne('same'),
    d: () => decideOne('different'),
    u: undo,
    Enter: () => clusters[at] && go(['clusters', clusters[at].cluster]),
  });
  const count = total ?? clusters.length;
  return (
    <>
      <h1>Clusters</h1>
      <Filters />
      {list.problem.value && <p class="error">{list.problem.value}</p>}
      {problem.value && <p class="error">{problem.value}</p>}
      {bulk.value && (
        <Progress
          text={`Deciding ${withCommas(bulk.value.done)} of ${withCommas(bulk.value.of)} …`}
          share={bulk.value.done / Math.max(1, bulk.value.of)}
          onCancel={() => {
            bulk.value = undefined;
          }}
        />
      )}
      <div class="toolbar">
        <span role="status">{total === undefined && list.isLoading.value ? 'Loading …' : many(count, 'cluster')}</span>
        <div class="buttons">
          {clusters[at] && (
            <a class="button primary" href={href(['clusters', clusters[at].cluster])}>
              Open<kbd>Enter</kbd>
            </a>
          )}
          <button type="button" disabled={count === 0} onClick={() => decideOne('same')}>
            Same<kbd>s</kbd>
          </button>
          <button type="button" disabled={count === 0} onClick={() => decideOne('different')}>
            Different<kbd>d</kbd>
          </button>
          <button type="button" disabled={!canUndo} onClick={undo}>
            Undo<kbd>u</kbd>
          </button>
        </div>
        <div class="buttons">
          <span class="note" aria-hidden="true">
            All shown:
          </span>
          <button
            type="button"
            aria-label="All shown are the same"
            disabled={count === 0}
            onClick={() => decideShown('same')}
          >
            same
          </button>
          <button
            type="button"
            aria-label="All shown are different"
            disabled={count === 0}
            onClick={() => decideShown('different')}
          >
            different
          </button>
          <button type="button" onClick={exportDecisions}>
            Export decisions
          </button>
        </div>
      </div>
      {count > 0 ? (
        <Windowed
          label="Clusters"
          count={count}
          rowHeight={isNarrow.value ? 86 : 64}
          chosen={at}
          onChoose={choose}
          onOpen={row => clusters[row] && go(['clusters', clusters[row].cluster])}
          onSeen={(_, to) => void list.want(to)}
          row={row => <Row cluster={clusters[row]} />}
        />
      ) : (
        !list.isLoading.value && (
          <Empty>
            <p>
              No cluster fits.{' '}
              {key === JSON.stringify(filterOf({})) ? 'Near-duplicates appear here as documents come in.' : ''}
            </p>
            {key !== JSON.stringify(filterOf({})) && <a href="#/clusters">Show all clusters</a>}
          </Empty>
        )
      )}
    </>
  );
}

/** A list has the first members of a large cluster; a decision is about all of them. Undefined when they cannot be had. */
async function inWhole(cluster: ServiceCluster): Promise<ServiceCluster | undefined> {
  if (cluster.members.length >= cluster.size) return cluster;
  try {
    return await getCluster(cluster.cluster);
  } catch (error) {
    problem.value = (error as Error).message;
    return undefined;
  }
}

function isDecided({ a, b }: Pick<Decision, 'a' | 'b'>): boolean {
  return (verdicts.value.get(pairKey(a, b)) ?? 'undecided') !== 'undecided';
}

/** Of the members that are named, how many were decided on. */
function decidedOf({ representative, members }: ServiceCluster): number {
  return members.filter(id => isDecided({ a: id, b: representative })).length;
}

/** Of more members than this, there are too many pairs to list: each takes a line of the log. */
const MOST_IN_PAIRS = 45;

/**
 * Each document against the representative. Documents that are not duplicates also differ from one another: otherwise the next run
 * would group those that are left.
 */
function decisionsOn({ representative, members }: ServiceCluster, verdict: Decision['verdict']): Decision[] {
  const others = members.filter(id => id !== representative);
  const keep = verdict === 'same' && { keep: representative };
  const withRepresentative = others.map(a => ({ a, b: representative, verdict, ...keep }));
  if (verdict === 'same' || members.length > MOST_IN_PAIRS) return withRepresentative;
  return [...withRepresentative, ...others.flatMap((a, at) => others.slice(0, at).map(b => ({ a, b, verdict })))];
}

function mayCallDifferent({ size }: Pick<ServiceCluster, 'size'>): boolean {
  return (
    size <= MOST_IN_PAIRS ||
    confirm(
      `Of ${withCommas(size)} documents, each will be called different from the representative. Their pairs with one another stay open, so dedup --decisions may group them again.`,
    )
  );
}

export async function exportDecisions(): Promise<void> {
  try {
    const lines = await listDecisions();
    save(new Blob(lines.map(line => `${JSON.stringify(line)}\n`)), 'decisions.jsonl');
  } catch (error) {
    problem.value = (error as Error).message;
  }
}

function Filters() {
  const { sort, state, q, minSize, from, to } = filterOf(route.value.params);
  const select = (name: string, label: string, value: string, choices: readonly (readonly [string, string])[]) => (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} value={value} onChange={({ currentTarget }) => setParams({ [name]: currentTarget.value })}>
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
  return (
    <form class="fields filters block" onSubmit={event => event.preventDefault()}>
      {select('sort', 'Order', sort, [
        ['size', 'largest first'],
        ['minResemblance', 'closest decisions first'],
        ['added', 'as they came'],
      ])}
      {select('state', 'State', state, [
        ['', 'all'],
        ['open', 'open'],
        ['decided', 'decided'],
      ])}
      <div class="field">
        <label for="q">Part of an id</label>
        <input id="q" type="search" value={q} onChange={({ currentTarget }) => setParams({ q: currentTarget.value })} />
      </div>
      <div class="field">
        <label for="minSize">Documents at least</label>
        <input
          id="minSize"
          type="number"
          min={2}
          value={minSize || '2'}
          onChange={({ currentTarget }) => setParams({ minSize: currentTarget.value })}
        />
      </div>
      {(from || to) && (
        <button
          type="button"
          aria-label="Show clusters of any resemblance"
          onClick={() => setParams({ from: undefined, to: undefined })}
        >
          with a match of {from || 0}
          {from !== '1' && ` – ${to || 1}`} ✕
        </button>
      )}
    </form>
  );
}

function Row({ cluster }: { cluster: ServiceCluster | undefined }) {
  const excerpt = useExcerpt(cluster?.representative);
  if (!cluster) return <p class="note">Loading …</p>;
  const { representative, members, size, minResemblance } = cluster;
  const decided = decidedOf(cluster);
  return (
    <div class="pair-row">
      <div>
        <b class="size">{many(size, 'document')}</b>
        <span class="number">
          least {isNarrow.value ? '' : 'resemblance '}
          {minResemblance === undefined ? '–' : rounded(minResemblance)}
        </span>
        <span>
          {decided >= members.length - 1 && (size === members.length || cluster.state === 'decided')
            ? 'decided'
            : decided > 0
              ? `${withCommas(decided)} of ${withCommas(size - 1)} decided`
              : 'open'}
        </span>
      </div>
      <div class="cut">
        <IdLine id={representative} /> <span class="note">{excerpt}</span>
      </div>
    </div>
  );
}

const excerpts = new Map<string, string>();

/** The start of a text, asked for when its row is seen. */
function useExcerpt(id: string | undefined): string {
  const shown = useSignal('');
  useEffect(() => {
    if (id === undefined) return;
    shown.value = excerpts.get(id) ?? '';
    if (excerpts.has(id)) return;
    const controller = new AbortController();
    getDocument(id, controller.signal).then(
      ({ text = '', set = [] }) => {
        excerpts.set(id, onOneLine((text || set.join(', ')).slice(0, 200).replace(/\s+/g, ' '), 140));
        shown.value = excerpts.get(id)!;
      },
      () => {},
    );
    return () => controller.abort();
  }, [id, shown]);
  return shown.value;
}
