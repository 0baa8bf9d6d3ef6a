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
  /** Bounds of the least resemblance, which the server does not know: what is outside is passed over. */
  readonly from: number;
  readonly to: number;
}

export function filterOf(params: Params): ClusterFilter {
  const sort = params.sort === 'added' || params.sort === 'minResemblance' ? params.sort : 'size';
  return {
    sort,
    order: params.order === 'asc' || params.order === 'desc' ? params.order : sort === 'size' ? 'desc' : 'asc',
    q: params.q ?? '',
    state: params.state === 'open' || params.state === 'decided' ? params.state : '',
    minSize: /^\d{1,9}$/.test(params.minSize ?? '') ? params.minSize! : '',
    from: Number(params.from ?? 0) || 0,
    to: Number(params.to ?? 1) || 1,
  };
}

/** The most that the service gives at a time. */
const PAGE = 1000;

/** One list at a time; a new filter starts another. */
export class ClusterList {
  readonly clusters = signal<readonly ServiceCluster[]>([]);
  readonly total = signal<number | undefined>(undefined);
  readonly problem = signal('');
  readonly isLoading = signal(false);
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

  get isBounded(): boolean {
    return this.filter.from > 0 || this.filter.to < 1;
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
    const { sort, order, q, state, minSize, from, to } = this.filter;
    const page = await listClusters(
      { limit: PAGE, cursor: this.#next, sort, order, q, state, minSize },
      this.#controller.signal,
    );
    const inBounds = ({ minResemblance: least = 1 }: ServiceCluster) => least >= from && (least < to || to === 1);
    this.clusters.value = [...this.clusters.value, ...page.clusters.filter(inBounds)];
    const last = page.clusters.at(-1)?.minResemblance ?? 0;
    // Sorted by what is bounded, nothing follows past the bound.
    const isPast = sort === 'minResemblance' && order === 'asc' && last > to;
    this.#next = page.next;
    this.#isDone = page.next === undefined || isPast;
    this.total.value = this.isBounded ? (this.#isDone ? this.clusters.value.length : undefined) : page.total;
    if (this.isBounded && !this.#isDone) this.#wanted = Math.max(this.#wanted, this.clusters.value.length + 1);
  }
}

/** The list that a cluster was opened from, to go on to the next. */
export const currentList = signal<ClusterList | undefined>(undefined);
