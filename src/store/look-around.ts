/** A document, and an index → other documents of the index to hold it against: like ones, and an even sample of all. */
import { setImmediate } from 'node:timers/promises';
import type { Numbers, Store } from './contract.ts';
import type { Prepared } from './prepare.ts';
import type { OpenEntry } from './read-entries.ts';
import type { Entry } from './record.ts';
import { spread } from './spread.ts';

/** Of each kind. */
const MOST_DOCUMENTS = 256;
/** Entries read for them: many may hold no text. */
const MOST_READ = 2048;
/** Stored bytes, and those of one document: what is longer takes too long to read for this. */
const MOST_BYTES = 4 * 2 ** 20;
const LARGEST = 128 * 1024;
const PORTION = 64;

/**
 * Stored texts, at most one of each cluster, since near-duplicates of one document are not many documents. The document itself
 * is not among them.
 */
export async function textsAround(
  store: Pick<Store, 'find' | 'read' | 'state'>,
  open: OpenEntry,
  prepared: Prepared,
  itself: Entry | undefined,
): Promise<string[]> {
  const found = new Map<number, string>();
  const { next } = await store.state();
  const sharing = [...new Set((await store.find(prepared.bands)).flat())];
  for (const numbers of [spreadOver(sharing), spread(next)]) {
    const most = found.size + MOST_DOCUMENTS;
    let [bytes, read] = [0, 0];
    for (const portion of portions(numbers)) {
      if (found.size >= most || bytes >= MOST_BYTES || read >= MOST_READ) break;
      read += portion.length;
      for (const [at, one] of (await store.read(portion)).entries()) {
        if (!one || one.length > LARGEST || found.size >= most || bytes >= MOST_BYTES) continue;
        const entry = open(portion[at]!, one);
        if (entry.isCommons || entry.status !== 'new' || entry.number === itself?.number) continue;
        const text = entry.document?.text;
        if (text === undefined) continue;
        bytes += one.length;
        found.set(entry.number, text);
      }
      await setImmediate();
    }
  }
  return [...found.values()];
}

function* spreadOver(numbers: Numbers): Generator<number> {
  for (const at of spread(numbers.length)) yield numbers[at]!;
}

function* portions(numbers: Iterable<number>): Generator<Numbers> {
  let portion: number[] = [];
  for (const number of numbers) {
    if (portion.push(number) < PORTION) continue;
    yield portion;
    portion = [];
  }
  if (portion.length > 0) yield portion;
}
