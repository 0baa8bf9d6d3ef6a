/** The list of clusters as the server sorts and filters it, loaded page by page as far as it is looked at. */
import { signal } from '@preact/signals';
import type { Params } from '../route.ts';
import { listClusters } from '../service/client.ts';
import type { ServiceCluster } from '../service/types.ts';

export interface ClusterFilter {
  readonly sort: string;
  readonly order: string;
  readonly q: string;
  readonly state: string;
  readonly minSize: string;
  /** Bounds for the resemblance of a member: from a bar of the overview. */
  readonly from: string;
  readonly to: string;
}

export function filterOf(params: Params): ClusterFilter {
  const sort = params.sort === 'added' || params.sort === 'minResemblance' ? params.sort : 'size';
  return {
    sort,
    order: params.order === 'asc' || params.order === 'desc' ? params.order : sort === 'size' ? 'desc' : 'asc',
    q: params.q ?? '',
    state: params.state === 'open' || params.state === 'decided' ? params.state : '',
    minSize: /^\d{1,9}$/.test(params.minSize ?? '') ? params.minSize! : '',
    from: shareOf(params.from),
    to: shareOf(params.to),
  };
}

function shareOf(given: string | undefined): string {
  return given && Number(given) >= 0 && Number(given) <= 1 ? given : '';
}

/** The most that the service gives at a time. */
const PAGE = 1000;

/** One list at a time; a new filter starts another. */
export class ClusterList {
  readonly clusters = signal<readonly ServiceCluster[]>([]);
  readonly total = signal<number | undefined>(undefined);
  readonly problem = signal('');
  readonly isLoading = signal(false);
  /** The row that was chosen last: the place to come back to. */
  readonly chosen = signal(0);
  readonly filter: ClusterFilter;
  readonly key: string;
  #next: string | undefined;
  #isDone = false;
  #wanted = 0;
  readonly #controller = new AbortController();

  constructor(filter: ClusterFilter) {
    this.filter = filter;
    this.key = JSON.stringify(filter);
  }

  /** At least so many rows, if there are as many. */
  async want(rows: number): Promise<void> {
    this.#wanted = Math.max(this.#wanted, rows);
    if (this.isLoading.value) return;
    this.isLoading.value = true;
    try {
      while (!this.#isDone && this.clusters.value.length < this.#wanted) await this.#loadPage();
    } catch (error) {
      if (!this.#controller.signal.aborted) this.problem.value = (error as Error).message;
    } finally {
      this.isLoading.value = false;
    }
  }

  stop(): void {
    this.#controller.abort();
  }

  async #loadPage(): Promise<void> {
    const page = await listClusters({ limit: PAGE, cursor: this.#next, ...this.filter }, this.#controller.signal);
    this.clusters.value = [...this.clusters.value, ...page.clusters];
    this.#next = page.next;
    this.#isDone = page.next === undefined;
    this.total.value = page.total;
  }
}

/** The list that a cluster was opened from, to go on to the next. */
export const currentList = signal<ClusterList | undefined>(undefined);
