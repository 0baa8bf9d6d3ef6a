/** Documents just below the threshold of a cluster: like its representative, and not in it. */
import { href } from '../route.ts';
import { indexOptions, search } from '../service/client.ts';
import { useLoaded } from '../service/loading.ts';
import type { ServiceCluster } from '../service/types.ts';
import { Block, IdLine } from '../ui/parts.tsx';
import { rounded } from '../ui/shown.ts';

/** Below the threshold of the index by so much. */
const BELOW = 0.3;
const MOST = 8;

export function NearlyIn({ cluster }: { cluster: ServiceCluster }) {
  const { representative, members } = cluster;
  const { threshold } = indexOptions.value;
  const from = Math.max(0.1, Math.round((threshold - BELOW) * 100) / 100);
  const { value, problem } = useLoaded(`nearly ${representative} ${from}`, signal =>
    // Members come first, so as many more are asked for.
    search({ id: representative, threshold: from, limit: Math.min(1000, members.length + MOST) }, signal),
  );
  const inside = new Set(members);
  const found = (value.value?.results ?? []).filter(({ id }) => !inside.has(id)).slice(0, MOST);
  return (
    <Block title="Nearly in this cluster" id="nearly">
      {problem.value ? (
        <p class="note">{problem.value}</p>
      ) : !value.value ? (
        <p class="note">Loading …</p>
      ) : found.length === 0 ? (
        <p class="note">
          No other document of resemblance {from} or more was found. Below the threshold the index finds only some.
        </p>
      ) : (
        <>
          <p class="note">
            Like the representative, but not in its cluster.
            {found.some(({ resemblance }) => resemblance >= threshold) &&
              ` From ${threshold} on, the threshold: in a cluster of their own, or of a document they resemble more.`}
          </p>
          <table>
            <tbody>
              {found.map(({ id, resemblance }) => (
                <tr key={id}>
                  <td class="id">
                    <a href={href(['compare'], { a: id, b: representative })}>
                      <IdLine id={id} />
                    </a>
                  </td>
                  <td class="number">{rounded(resemblance)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </Block>
  );
}
