/** All clusters, or the one that the address names. */
import { route } from '../route.ts';
import { Gate } from '../service/gate.tsx';
import { ClusterView } from './cluster.tsx';
import { ClusterListView } from './list.tsx';

export function ClustersPage() {
  const [, id] = route.value.path;
  return <Gate title="Clusters">{id === undefined ? <ClusterListView /> : <ClusterView key={id} id={id} />}</Gate>;
}
