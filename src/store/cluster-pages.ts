/**
 * Clusters, chosen and sorted → pages of them.
 *
 * A cursor names the last cluster of a page by what it was sorted by and its number, so that the next page begins behind
 * it whatever came or went meanwhile.
 */
import { setImmediate } from 'node:timers/promises';
import { fail } from '../errors.ts';
import { parseInteger } from '../options.ts';
import {
  type ClusterReading,
  type ClusterSource,
  type ClusterState,
  clusterOf,
  type IndexCluster,
  leastResemblance,
  stateOf,
} from './clusters.ts';
import type { Numbers, State } from './contract.ts';
import { LARGEST_PAGE, PAGE } from './documents-page.ts';

export const clusterSorts = ['added', 'size', 'minResemblance'] as const;
export type ClusterSort = (typeof clusterSorts)[number];
export const clusterOrders = ['asc', 'desc'] as const;
export type ClusterOrder = (typeof clusterOrders)[number];

export interface ClusterQuery {
  /** Clusters at most: 100 unless given. */
  readonly limit?: number;
  /** The `next` of a page before, of the same query. */
  readonly cursor?: string;
  /** Documents a cluster must have. */
  readonly minSize?: number;
  /** In the order their representatives were added, unless given. */
  readonly sort?: ClusterSort;
  /** Largest first, but otherwise ascending: the least sure first. */
  readonly order?: ClusterOrder;
  /** What the id of one of its documents contains, in lower or upper case. */
  readonly q?: string;
  readonly state?: ClusterState;
  /** One of its documents resembles the representative as much as `from`, or more, and less than `to`. */
  readonly from?: number;
  readonly to?: number;
}

export interface ClusterPage {
  readonly clusters: readonly IndexCluster[];
  /** Clusters on all pages. */
  readonly total: number;
  /** The cursor of the next page, when there is one. */
  readonly next?: string;
}

interface Row {
  readonly of: number;
  readonly members: Numbers;
  /** What it is sorted by. */
  readonly by: number;
}

/** Groups looked at in one go. */
const READ_AHEAD = 256;
/** Lists that are remembered: pages of one query follow one another. */
const LISTS = 8;
/** A list that took longer than this to make is shown for a while though documents came: ten times as long. Decisions count at once. */
const QUICK = 20; // ms

interface List {
  /** Of the documents. */
  readonly version: string;
  /** Lines of the log of decisions, where the list goes by them. */
  readonly decisions: number | undefined;
  readonly rows: readonly Row[];
  readonly freshTill: number;
}

type Wanted = Required<Pick<ClusterQuery, 'minSize' | 'sort' | 'order'>> &
  Pick<ClusterQuery, 'q' | 'state' | 'from' | 'to'>;

export class ClusterPages {
  readonly #store: ClusterSource & { state(): Promise<State> };
  readonly #reading: ClusterReading;
  readonly #lists = new Map<string, Promise<List>>();

  constructor(store: ClusterSource & { state(): Promise<State> }, reading: ClusterReading) {
    this.#store = store;
    this.#reading = reading;
  }

  async page(query: ClusterQuery): Promise<ClusterPage> {
    const { limit = PAGE, minSize = 2, sort = 'added', q, state, cursor, from, to } = query;
    const order = query.order ?? (sort === 'size' ? 'desc' : 'asc');
    parseInteger(limit, 'limit', 1, LARGEST_PAGE);
    parseInteger(minSize, 'minSize', 1, 2 ** 32);
    requireChoice('sort', sort, clusterSorts);
    requireChoice('order', order, clusterOrders);
    if (state !== undefined) requireChoice('state', state, ['open', 'decided']);
    const bounds = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    for (const [option, value] of Object.entries(bounds))
      if (!(value >= 0 && value <= 1)) fail('BAD_OPTION', { option, expected: 'a number from 0 to 1', got: value });
    const wanted = { minSize, sort, order, ...(q && { q }), ...(state && { state }), ...bounds };
    const rows = await this.#rows(wanted);
    const clusters: IndexCluster[] = [];
    const start = cursor === undefined ? 0 : placeBehind(rows, readCursor(cursor, wanted), order);
    for (let at = start; at < rows.length; at++) {
      if (clusters.length === limit) return { clusters, total: rows.length, next: writeCursor(rows[at - 1]!, wanted) };
      const { of } = rows[at]!;
      // Its members may be others by now.
      const cluster = await clusterOf(this.#reading, { of, members: await this.#store.membersOf(of) });
      if (cluster) clusters.push(cluster);
    }
    return { clusters, total: rows.length };
  }

  async #rows(wanted: Wanted): Promise<readonly Row[]> {
    await this.#reading.book.catchUp();
    const version = JSON.stringify(await this.#store.state());
    const decisions = wanted.state && this.#reading.book.lines;
    const key = JSON.stringify(wanted);
    // Somebody else may be making it by now.
    for (let known = this.#lists.get(key), last: typeof known; known && known !== last; ) {
      const list = await known;
      const isFresh = list.version === version || performance.now() < list.freshTill;
      if (isFresh && list.decisions === decisions) return list.rows;
      last = known;
      known = this.#lists.get(key);
    }
    const making = this.#make(wanted, { version, decisions });
    this.#lists.delete(key);
    this.#lists.set(key, making);
    making.catch(() => this.#lists.delete(key));
    for (const oldest of this.#lists.keys()) {
      if (this.#lists.size <= LISTS) break;
      this.#lists.delete(oldest);
    }
    return (await making).rows;
  }

  async #make(wanted: Wanted, of: Pick<List, 'version' | 'decisions'>): Promise<List> {
    const began = performance.now();
    const rows: Row[] = [];
    for await (const row of this.#chosen(wanted)) rows.push(row);
    const direction = wanted.order === 'asc' ? 1 : -1;
    rows.sort((a, b) => direction * (a.by - b.by || a.of - b.of));
    const now = performance.now();
    return { ...of, rows, freshTill: now - began < QUICK ? 0 : now + 10 * (now - began) };
  }

  async *#chosen({ minSize, sort, q, state, from = 0, to = 2 }: Wanted): AsyncGenerator<Row> {
    const needle = q?.toLowerCase();
    const isUnbounded = from === 0 && to > 1;
    for (let first = 0; ; ) {
      const groups = await this.#store.groups(first, READ_AHEAD);
      for (const { of, members } of groups) {
        if (members.length + 1 < minSize) continue;
        if (needle === undefined && state === undefined && sort !== 'minResemblance' && isUnbounded) {
          yield { of, members, by: sort === 'size' ? members.length + 1 : of };
          continue;
        }
        const entries = (await this.#reading.read([of, ...members], { of })).filter(entry => entry !== undefined);
        if (entries[0]?.number !== of || entries.length < 2) continue;
        if (needle !== undefined && !entries.some(({ id }) => id.toLowerCase().includes(needle))) continue;
        if (!isUnbounded && !entries.slice(1).some(({ verdict }) => isBetween(verdict.resemblance!, from, to)))
          continue;
        if (state !== undefined && stateOf(this.#reading, entries) !== state) continue;
        yield {
          of,
          members,
          by: { added: of, size: entries.length, minResemblance: leastResemblance(entries.slice(1)) }[sort],
        };
      }
      if (groups.length < READ_AHEAD) return;
      first = groups.at(-1)!.of + 1;
      await setImmediate();
    }
  }
}

/** A value that is printed as a bound counts as one, as in a histogram. */
function isBetween(value: number, from: number, to: number): boolean {
  return value + 1e-9 >= from && value + 1e-9 < to;
}

function requireChoice(option: string, given: string, choices: readonly string[]): void {
  if (!choices.includes(given)) fail('BAD_OPTION', { option, expected: `one of ${choices.join(', ')}`, got: given });
}

function writeCursor({ by, of }: Row, { sort, order }: Wanted): string {
  return Buffer.from(JSON.stringify([sort, order, by, of])).toString('base64url');
}

function readCursor(cursor: string, wanted: Wanted): Pick<Row, 'by' | 'of'> {
  const refuse = () =>
    fail('BAD_OPTION', { option: 'cursor', expected: 'the next of a page of the same query', got: cursor });
  try {
    const [sort, order, by, of] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (sort !== wanted.sort || order !== wanted.order || !Number.isFinite(by) || !Number.isFinite(of)) return refuse();
    return { by, of };
  } catch {
    return refuse();
  }
}

/** Of the first row that comes after this one, which may be gone. */
function placeBehind(rows: readonly Row[], last: Pick<Row, 'by' | 'of'>, order: ClusterOrder): number {
  const direction = order === 'asc' ? 1 : -1;
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rows[middle]!;
    if (direction * (row.by - last.by || row.of - last.of) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
