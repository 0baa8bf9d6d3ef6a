/** Documents, one after another → a sample of bounded size, in which near-duplicates are together. */
import { mix } from '../../kernel/hash.ts';
import type { Sketch } from '../../sketch/sketch.ts';
import { Pace } from '../pace.ts';
import type { Sketchable, Sketcher } from '../sketcher.ts';

export type Sketchables = AsyncIterable<Sketchable> | Iterable<Sketchable>;

interface DrawnSample {
  /** In the order they came; none without a shingle, no two with equal shingles. */
  readonly documents: readonly DrawnDocument[];
  /** How many were gone through. */
  readonly read: number;
}

/** What is left of a document: its shingle hashes and the values of its sketch. */
interface DrawnDocument {
  readonly set: BigUint64Array;
  readonly sketch: Sketch;
}

interface Drawn extends DrawnDocument {
  readonly lot: number;
  readonly content: bigint;
  /** Which of the documents it is, counted from 0. */
  readonly number: number;
}

/**
 * A sample of single documents would lose nearly all pairs: of a thousandth of the documents, a millionth. So the lot of a
 * document is a hash of its smallest shingle hash, which two documents of resemblance r share with probability r: a pair is
 * drawn with r times the chance of a document. The lots are fixed by the shingles, so the sample is the same every time.
 */
export async function drawSample(
  documents: Sketchables,
  sketcher: Sketcher,
  size: number,
  pace = new Pace(),
): Promise<DrawnSample> {
  let drawn: Drawn[] = [];
  let highest = Number.POSITIVE_INFINITY;
  let read = 0;
  for await (const document of documents) {
    if (pace.isDue) await pace.rest({ stage: 'sketch', done: read });
    const number = read++;
    const set = sketcher.set(document);
    if (set.length === 0) continue;
    const lot = Number(mix(set[0]!));
    if (lot > highest) continue;
    drawn.push({ set, sketch: sketcher.sketch(document), lot, content: contentOf(set, sketcher), number });
    if (drawn.length < 2 * size) continue;
    drawn = lowestLots(drawn, size);
    if (drawn.length === size) highest = drawn.at(-1)!.lot;
  }
  return { documents: lowestLots(drawn, size).sort((a, b) => a.number - b.number), read };
}

/** Of equal documents the first: LSH finds their pairs for certain, and they would drown the others. */
function lowestLots(drawn: readonly Drawn[], size: number): Drawn[] {
  const seen = new Set<bigint>();
  return [...drawn]
    .sort((a, b) => a.lot - b.lot || compare(a.content, b.content) || a.number - b.number)
    .filter(({ content }) => !seen.has(content) && seen.add(content))
    .slice(0, size);
}

/** Ties are not decided by the number, so that the order of the documents does not matter. */
function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function contentOf(set: BigUint64Array, { kernel }: Sketcher): bigint {
  return kernel.read(new Uint8Array(set.buffer, set.byteOffset, set.byteLength)).contentHash;
}
