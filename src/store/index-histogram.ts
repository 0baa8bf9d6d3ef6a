/** Duplicates of an index → how many resemble their best match by how much, and how many clusters have which size. */
import { setImmediate } from 'node:timers/promises';
import { entriesIn, type State, type Store } from './contract.ts';
import type { ReadEntries } from './read-entries.ts';
import type { Status } from './record.ts';

export interface IndexHistogram {
  /** Of each relation the documents by resemblance to the one they duplicate: 0 to 0.01, 0.01 to 0.02 …; the 101st is of resemblance 1. */
  readonly matches: Readonly<Record<Exclude<Status, 'new'>, readonly number[]>>;
  /** Clusters of 2 documents, of 3 and 4, of 5 to 8 …: twice as many each time. */
  readonly sizes: readonly number[];
}

interface Counted extends IndexHistogram {
  readonly state: State;
  readonly freshTill: number;
}

/** Clusters looked at in one go, and documents. */
const GROUPS = 256;
const DOCUMENTS = 1024;
/** Counting takes at most a tenth of the time: what took longer than this is shown for ten times as long, though documents came. */
const QUICK = 20; // ms

export class HistogramCounter {
  readonly #store: Pick<Store, 'state' | 'groups'>;
  readonly #read: ReadEntries;
  #counting: Promise<Counted> | undefined;

  constructor(store: Pick<Store, 'state' | 'groups'>, read: ReadEntries) {
    this.#store = store;
    this.#read = read;
  }

  async histogram(): Promise<IndexHistogram> {
    const { matches, sizes } = await this.#newest();
    return { matches, sizes };
  }

  async #newest(): Promise<Counted> {
    const state = await this.#store.state();
    const before = await this.#counting;
    if (before && (performance.now() < before.freshTill || isSame(before.state, state))) return before;
    const counting = this.#count(state, before);
    this.#counting = counting;
    counting.catch(() => {
      if (this.#counting === counting) this.#counting = undefined;
    });
    return counting;
  }

  /** Where documents only came, those that were counted before need not be read again. */
  async #count(state: State, before: Counted | undefined): Promise<Counted> {
    const began = performance.now();
    const known = before && onlyGrew(before.state, state) ? before : undefined;
    const first = known?.state.next ?? 0;
    const matches = {
      exact: [...(known?.matches.exact ?? none)],
      near: [...(known?.matches.near ?? none)],
      contained: [...(known?.matches.contained ?? none)],
    };
    const sizes: number[] = [];
    for (let from = 0; ; ) {
      const groups = await this.#store.groups(from, GROUPS);
      for (const { of, members } of groups) {
        const power = Math.ceil(Math.log2(members.length + 1)) - 1;
        while (sizes.length <= power) sizes.push(0);
        sizes[power]!++;
        // What comes meanwhile is counted the next time.
        const fresh = members.filter(number => number >= first && number < state.next);
        for (let at = 0; at < fresh.length; at += DOCUMENTS) {
          for (const entry of await this.#read(fresh.slice(at, at + DOCUMENTS), { of })) {
            if (!entry || entry.status === 'new') continue;
            matches[entry.status][Math.min(100, Math.floor(entry.verdict.resemblance! * 100 + 1e-9))]!++;
          }
          await setImmediate();
        }
      }
      if (groups.length < GROUPS) break;
      from = groups.at(-1)!.of + 1;
      await setImmediate();
    }
    const took = performance.now() - began;
    return { matches, sizes, state, freshTill: took < QUICK ? 0 : began + 11 * took };
  }
}

const none: readonly number[] = new Array(101).fill(0);

function isSame(before: State, now: State): boolean {
  return JSON.stringify(before) === JSON.stringify(now);
}

/** Each document that comes takes the next number; one that is removed or replaced leaves a gap, and may change other verdicts. */
function onlyGrew(before: State, now: State): boolean {
  const came = now.next - before.next;
  return came >= 0 && entriesIn(now) - entriesIn(before) === came;
}
