/** Members as points, links between those that are alike; past 300 members only the strongest links that connect all. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { ServicePair } from '../service/types.ts';
import { inTheMiddle, onOneLine, rounded, withCommas } from '../ui/shown.ts';
import { Cancelled, WorkerClient } from '../work/client.ts';
import type { LayoutApi } from '../work/layout.worker.ts';

const worker = new WorkerClient<LayoutApi>(
  () => new Worker(new URL('../work/layout.worker.ts', import.meta.url), { type: 'module' }),
);

/**
 * More links hide each other. A member came in as a duplicate of the document most like it, so the links to the representative are
 * the strongest that connect all.
 */
const TREE_FROM = 300;
/** More points are no picture. */
const MOST_DRAWN = 2000;
/** More names would lie on each other. */
const NAMED = 12;
const SIDE = 560;

export function Graph(props: {
  members: readonly string[];
  pairs: readonly ServicePair[];
  threshold: number;
  chosen: string;
  representative: string;
  onChoose(id: string): void;
}) {
  const { pairs, threshold, representative } = props;
  const members = useMemo(() => props.members.slice(0, MOST_DRAWN), [props.members]);
  const links = useMemo(() => {
    const numbers = new Map(members.map((id, number) => [id, number]));
    const drawn = pairs.filter(({ a, resemblance }) =>
      members.length > TREE_FROM ? a === representative : resemblance >= threshold,
    );
    return drawn.flatMap(({ a, b, resemblance }) => {
      const [from, to] = [numbers.get(a), numbers.get(b)];
      return from === undefined || to === undefined ? [] : [{ a: from, b: to, resemblance }];
    });
  }, [members, pairs, threshold, representative]);
  const places = useSignal<Float32Array | undefined>(undefined);
  const problem = useSignal('');
  useEffect(() => {
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
  if (problem.value) return <p class="error">{problem.value}</p>;
  if (!places.value) return <p class="note">Placing {members.length} documents …</p>;
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
            r={(id === props.representative ? 8 : 6) * (members.length > TREE_FROM ? 0.6 : 1)}
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
        {members.length > TREE_FROM
          ? `Each member is linked to the representative, which was most like it when it came in.${members.length < props.members.length ? ` The first ${withCommas(MOST_DRAWN)} of ${withCommas(props.members.length)} are drawn.` : ''}`
          : `A link for each pair of resemblance ${threshold} or more.`}
      </figcaption>
    </figure>
  );
}
