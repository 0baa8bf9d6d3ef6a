/** Stored documents → copies that are changed as much as the threshold allows → how many of them the index recognises. */
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { splitWords } from '../kernel/words.ts';
import type { Document } from '../model.ts';
import { measuresOf } from '../similarity/measures.ts';
import { type Deciding, decideBatch } from './batch.ts';
import type { Store } from './contract.ts';
import type { Preparer } from './prepare.ts';
import type { OpenEntry } from './read-entries.ts';
import { spread } from './spread.ts';

export interface MeasuredRecall {
  /** Share of the copies that were recognised; null where no document could be used. */
  readonly recall: number | null;
  readonly found: number;
  /** Copies, one of each document of an even sample. */
  readonly documents: number;
  /** Of the copies to their documents: the least, and the mean. Null where there is none. */
  readonly leastResemblance: number | null;
  readonly meanResemblance: number | null;
}

export interface RecallSettings {
  /** Documents of the sample: 200 unless given. */
  readonly documents?: number;
  /**
   * It ends after so many seconds of CPU time, with a smaller sample: 2 unless given. On a busy machine, and with Redis, that takes
   * longer; after five times as many seconds it ends in any case.
   */
  readonly seconds?: number;
}

/** Longer documents take too long for this. */
const LARGEST = 64 * 1024;
const MOST_READ = 20_000;
const PORTION = 32;
/** How often the time given may pass while the process does not run, or waits. */
const MOST_WAITING = 5;

export async function measureRecall(
  { store, deciding, preparer, open }: RecallTools,
  { documents: most, seconds }: Required<RecallSettings>,
): Promise<MeasuredRecall> {
  const isOver = timeLimit(seconds);
  const { threshold } = deciding.options;
  const numbers = spread((await store.state()).next);
  let [found, documents, least, sum] = [0, 0, 1, 0];
  for (let read = 0; read < MOST_READ && documents < most && !isOver(); ) {
    const portion = Array.from({ length: PORTION }, () => numbers.next().value).filter(one => typeof one === 'number');
    if (portion.length === 0) break;
    read += portion.length;
    for (const [at, bytes] of (await store.read(portion)).entries()) {
      if (!bytes || bytes.length > LARGEST || documents === most || isOver()) continue;
      const entry = open(portion[at]!, bytes);
      const copy = entry.isCommons || !entry.isStored ? undefined : changedCopy(preparer, entry.document!, threshold);
      if (!copy) continue;
      const prepared = preparer.prepare({ ...copy.content, id: randomUUID() });
      const { outcomes } = await decideBatch(deciding, await store.state(), [{ kind: 'check', prepared }]);
      const [verdict] = outcomes;
      documents++;
      if (typeof verdict === 'object' && 'status' in verdict && verdict.status !== 'new') found++;
      least = Math.min(least, copy.resemblance);
      sum += copy.resemblance;
      await setImmediate();
    }
  }
  if (documents === 0) return { recall: null, found, documents, leastResemblance: null, meanResemblance: null };
  return {
    recall: found / documents,
    found,
    documents,
    leastResemblance: least,
    meanResemblance: sum / documents,
  };
}

/** Milliseconds: those that pass, and those that this process has worked. */
interface Clocks {
  now(): number;
  cpu(): number;
}

/** Whether the time is over. By the clock alone, a sample would be the smaller the busier the machine is. */
export function timeLimit(
  seconds: number,
  { now, cpu }: Clocks = { now: () => performance.now(), cpu: cpuTime },
): () => boolean {
  const [began, before] = [now(), cpu()];
  return () => {
    const passed = (now() - began) / 1000;
    return passed >= MOST_WAITING * seconds || (passed >= seconds && (cpu() - before) / 1000 >= seconds);
  };
}

function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export interface RecallTools {
  readonly store: Pick<Store, 'read' | 'state'>;
  readonly deciding: Deciding;
  readonly preparer: Preparer;
  readonly open: OpenEntry;
}

/** The shortest beginning of the document that is still at the threshold. Undefined where nothing can be left out. */
function changedCopy(preparer: Preparer, { text, set }: Document, threshold: number) {
  const words = text === undefined ? [] : splitWords(text);
  const content = (count: number) =>
    text === undefined ? { set: set!.slice(0, count) } : { text: text.slice(0, words[count - 1]!.end) };
  const whole = preparer.setOfContent(text === undefined ? { set: set! } : { text });
  const resemblanceOf = (count: number) => {
    const own = preparer.setOfContent(content(count));
    return measuresOf(own.length, whole.length, preparer.shared(own, whole)).resemblance;
  };
  let [low, high] = [1, text === undefined ? set!.length : words.length];
  if (whole.length === 0) return undefined;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (resemblanceOf(middle) >= threshold) high = middle;
    else low = middle + 1;
  }
  const resemblance = resemblanceOf(low);
  return resemblance < 1 && resemblance >= threshold ? { content: content(low), resemblance } : undefined;
}
