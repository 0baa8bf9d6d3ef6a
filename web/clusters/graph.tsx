/** Members as points, links between those that are alike; past 300 members only the strongest links that connect all. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { getPairs } from '../service/client.ts';
import { useLoaded } from '../service/loading.ts';
import type { ServicePair } from '../service/types.ts';
import { inTheMiddle, onOneLine, rounded, withCommas } from '../ui/shown.ts';
import { Cancelled, WorkerClient } from '../work/client.ts';
import type { LayoutApi } from '../work/layout.worker.ts';

const worker = new WorkerClient<LayoutApi>(
  () => new Worker(new URL('../work/layout.worker.ts', import.meta.url), { type: 'module' }),
);

/** More links hide each other: past this only those of a tree are drawn. */
const TREE_FROM = 300;
/** More points are no picture. */
const MOST_DRAWN = 2000;
/** More names would lie on each other. */
const NAMED = 12;
const SIDE = 560;

export function Graph(props: {
  cluster: string;
  members: readonly string[];
  pairs: readonly ServicePair[];
  threshold: number;
  chosen: string;
  representative: string;
  onChoose(id: string): void;
}) {
  const { pairs, threshold, cluster } = props;
  const members = useMemo(() => props.members.slice(0, MOST_DRAWN), [props.members]);
  const isTree = members.length > TREE_FROM;
  const tree = useLoaded(isTree ? `tree ${cluster}` : undefined, signal =>
    getPairs(cluster, { limit: props.members.length, tree: 'true' }, signal),
  );
  const links = useMemo(() => {
    const drawn = isTree ? tree.value.value?.pairs : pairs.filter(({ resemblance }) => resemblance >= threshold);
    const numbers = new Map(members.map((id, number) => [id, number]));
    return drawn?.flatMap(({ a, b, resemblance }) => {
      const [from, to] = [numbers.get(a), numbers.get(b)];
      return from === undefined || to === undefined ? [] : [{ a: from, b: to, resemblance }];
    });
  }, [members, pairs, threshold, isTree, tree.value.value]);
  const places = useSignal<Float32Array | undefined>(undefined);
  const problem = useSignal('');
  useEffect(() => {
    if (!links) return;
    worker.call('layout', { count: members.length, links }).then(
      found => {
        places.value = found;
      },
      error => {
        if (!(error instanceof Cancelled)) problem.value = error.message;
      },
    );
    return () => worker.stop();
  }, [members, links, places, problem]);
  const failed = tree.problem.value || problem.value;
  if (failed) return <p class="error">{failed}</p>;
  if (!links || !places.value) return <p class="note">Placing {members.length} documents …</p>;
  const at = (number: number) => ({
    x: 20 + places.value![number * 2]! * (SIDE - 40),
    y: 20 + places.value![number * 2 + 1]! * (SIDE - 40),
  });
  return (
    <figure>
      <svg class="chart graph" viewBox={`0 0 ${SIDE} ${SIDE}`} aria-hidden="true">
        {links.map(({ a, b, resemblance }) => (
          <line
            key={`${a}-${b}`}
            class="link"
            x1={at(a).x}
            y1={at(a).y}
            x2={at(b).x}
            y2={at(b).y}
            stroke-opacity={Math.max(0.15, resemblance ** 3)}
          >
            <title>{rounded(resemblance)}</title>
          </line>
        ))}
        {members.map((id, number) => (
          <circle
            key={id}
            class={`node${id === props.chosen ? ' chosen' : ''}${id === props.representative ? ' representative' : ''}`}
            cx={at(number).x}
            cy={at(number).y}
            r={(id === props.representative ? 8 : 6) * (isTree ? 0.6 : 1)}
            onClick={() => props.onChoose(id)}
          >
            <title>{onOneLine(id, 80)}</title>
          </circle>
        ))}
        {members.length <= NAMED &&
          members.map((id, number) => (
            <text
              key={id}
              class={`name${at(number).x > SIDE / 2 ? ' end' : ''}`}
              x={at(number).x + (at(number).x > SIDE / 2 ? -12 : 12)}
              y={at(number).y + 5}
            >
              {inTheMiddle(id, 26)}
            </text>
          ))}
      </svg>
      <figcaption>
        {isTree
          ? `The strongest links that connect all${members.length < props.members.length ? `; the first ${withCommas(MOST_DRAWN)} of ${withCommas(props.members.length)} members are drawn` : ''}.`
          : `A link for each pair of resemblance ${threshold} or more.`}
      </figcaption>
    </figure>
  );
}
