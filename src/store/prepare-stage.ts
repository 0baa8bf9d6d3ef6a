/**
 * The work on documents that grows with their size, apart from who does it: right here, or on threads.
 *
 * An index decides on one thread, in order. A document of 10 MB takes a third of a second to shingle, sort and sketch;
 * on a thread, that holds up nobody who only asks.
 */
import type { ComparisonWithPassages } from '../engine/calls/compare.ts';
import { bytesOf, type IndexInput, readDocument, weightOf } from './index-input.ts';
import type { Prepared } from './prepare.ts';
import type { Entry } from './record.ts';
import type { ThreadPool } from './threads/pool.ts';
import { type Content, perform, type Tasks } from './threads/tasks.ts';
import type { Tools } from './threads/tools.ts';

export interface Preparing {
  /** The text it was read from, where it is given as an object. */
  readonly json?: string | undefined;
  /** Its bytes are not used again by who gives them. */
  readonly mayTake?: boolean | undefined;
  /** It is only asked about, and will not be stored. */
  readonly isAsked?: boolean;
}

export interface PrepareStage {
  prepare(given: IndexInput, how?: Preparing): Prepared | Promise<Prepared>;
  /** Whether its set is better asked for before it is needed. */
  isLarge(entry: Entry): boolean;
  setOf(entry: Entry): Promise<BigUint64Array>;
  jsonOf(entry: Entry): string | Promise<string>;
  compare(a: Content, b: Content): Promise<ComparisonWithPassages>;
  boilerplate(input: Tasks['boilerplate']['input']): Promise<Tasks['boilerplate']['output']>;
  pairs(input: Tasks['pairs']['input']): Promise<Tasks['pairs']['output']>;
  end(): Promise<void>;
}

/** Below this, the way to a thread takes longer than the work: some milliseconds. */
const LARGE = 128 * 1024;
/** Stored texts are compressed, to about half. */
const LARGE_ENTRY = LARGE / 2;
/** Edit distance and passages take longer than sketches. */
const LARGE_COMPARED = 8 * 1024;
const LARGE_PAIRS = 64 * 1024;

export function prepareHere(tools: Tools): PrepareStage {
  const { preparer } = tools;
  return {
    prepare(given, how = {}) {
      const { document, json = how.json } = readDocument(given);
      return preparer.prepare(document, json);
    },
    isLarge: () => false,
    setOf: async entry => preparer.setOf(entry),
    jsonOf: entry => entry.json!,
    compare: async (a, b) => perform(tools, 'compare', { a, b }),
    boilerplate: async input => perform(tools, 'boilerplate', input),
    pairs: async input => perform(tools, 'pairs', input),
    end: async () => {},
  };
}

export function prepareOnThreads(tools: Tools, pool: ThreadPool<Tasks>): PrepareStage {
  const here = prepareHere(tools);
  const { preparer } = tools;
  return {
    prepare(given, how = {}) {
      if (weightOf(given) < LARGE) return here.prepare(given, how);
      const { json, mayTake = false, isAsked = false } = how;
      const bytes = bytesOf(given);
      const own = bytes && (mayTake ? wholeOf(bytes) : new Uint8Array(bytes));
      const sent =
        own && 'jsonBytes' in given
          ? { id: given.id as string, jsonBytes: own }
          : (own ?? readDocument(given).document);
      return pool
        .ask('prepare', { given: sent, json, isAsked }, own ? [own.buffer] : [])
        .then(parts => preparer.revive(parts));
    },
    isLarge: entry => entry.bytes.length >= LARGE_ENTRY,
    setOf: entry => pool.ask('set', ...sent(entry)),
    jsonOf: entry =>
      entry.bytes.length < LARGE_ENTRY
        ? entry.json!
        : pool
            .ask('json', ...sent(entry))
            .then(bytes => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()),
    compare: (a, b) =>
      weightOfAll([a, b]) < LARGE_COMPARED ? here.compare(a, b) : pool.ask('compare', { a: bare(a), b: bare(b) }),
    // Words of hundreds of documents are split.
    boilerplate: input => pool.ask('boilerplate', input),
    pairs: input => (weightOfAll(input.documents) < LARGE_PAIRS ? here.pairs(input) : pool.ask('pairs', input)),
    end: () => pool.end(),
  };
}

/** The bytes with all of their memory, which can move; a copy where it is shared with others, as in the pool of Buffers. */
function wholeOf({ buffer, length, byteOffset }: Uint8Array): Uint8Array<ArrayBuffer> {
  const isWhole = buffer instanceof ArrayBuffer && length === buffer.byteLength;
  return isWhole ? new Uint8Array(buffer) : Uint8Array.from(new Uint8Array(buffer, byteOffset, length));
}

/** A copy of its own, since what LMDB gives is a view of the whole map. */
function sent({ number, bytes }: Entry): [Tasks['set']['input'], ArrayBuffer[]] {
  const copy = new Uint8Array(bytes);
  return [{ number, bytes: copy }, [copy.buffer]];
}

/** Other fields need not travel. */
function bare({ text, set }: Content): Content {
  return text === undefined ? { set: set! } : { text };
}

function weightOfAll(contents: readonly Content[]): number {
  return contents.reduce((sum, content) => sum + weightOf(content as IndexInput), 0);
}
