/** Two texts → all measures, exact and estimated, passages and differences; and the steps behind the estimate. */
import {
  compareUsing,
  createSketcher,
  differences,
  type GivenSketcherOptions,
  modulusFor,
  passagesUsing,
  type Sketcher,
  shinglesOf,
  tune,
} from 'neardup/browser';
import type { ComparedTexts, Estimated, Explanation, HashedShingle, Minimum } from '../compare/types.ts';

/** Two unlike texts of 100 KB take about a second. */
const MOST_EDIT_CELLS = 1e10;
/** Shown in a list; all of a large document would be of no use to a reader. */
const MOST_SHINGLES = 200;

export async function compareTexts(a: string, b: string, options: GivenSketcherOptions): Promise<ComparedTexts> {
  const sketcher = await createSketcher(options);
  const { estimated, editSimilarity, ...measures } = compareUsing(sketcher, a, b, { maxEditCells: MOST_EDIT_CELLS });
  const [setA, setB] = [sketcher.set(a), sketcher.set(b)];
  const passages = passagesUsing(sketcher, a, b);
  const resemblance = estimated && 'resemblance' in estimated ? estimated : undefined;
  return {
    measures,
    editSimilarity,
    estimated: {
      ...(resemblance && {
        resemblance: { value: resemblance.resemblance, standardError: resemblance.standardError },
      }),
      ...(await estimatedContainments(a, b, options, Math.max(setA.length, setB.length))),
    },
    sizes: { a: setA.length, b: setB.length, shared: sketcher.kernel.intersectionSize(setA, setB) },
    passages,
    differences: differences(a, b, passages),
  };
}

/** By samples of 50 to 100 shingles of the larger text. Where a sample would be the whole set, nothing is estimated. */
async function estimatedContainments(a: string, b: string, options: GivenSketcherOptions, largest: number) {
  const modulus = modulusFor(largest);
  if (modulus === 1) return {};
  const { estimated } = compareUsing(await createSketcher({ ...options, sketch: `mod:${modulus}` }), a, b, {
    maxEditCells: 0,
  });
  if (!estimated || !('containmentAB' in estimated)) return {};
  const { containmentAB, standardErrorAB, containmentBA, standardErrorBA } = estimated;
  const known = (value: number | null, standardError: number | null): Estimated | undefined =>
    value === null || standardError === null ? undefined : { value, standardError };
  const [inB, inA] = [known(containmentAB, standardErrorAB), known(containmentBA, standardErrorBA)];
  return { ...(inB && { containmentAB: inB }), ...(inA && { containmentBA: inA }) };
}

export async function explainTexts(a: string, b: string, options: GivenSketcherOptions): Promise<Explanation> {
  const sketcher = await createSketcher(options);
  const [shingledA, shingledB] = [shinglesOf(sketcher, { text: a }), shinglesOf(sketcher, { text: b })];
  const inA = new Set(shingledA.hashes);
  const inB = new Set(shingledB.hashes);
  const listed = ({ shingles, hashes }: typeof shingledA, isShown: (hash: bigint) => boolean) => {
    const list: HashedShingle[] = [];
    for (let at = 0; at < shingles.length && list.length < MOST_SHINGLES; at++)
      if (isShown(hashes[at]!)) list.push({ text: shingles[at]!, hash: hashes[at]!.toString(16).padStart(16, '0') });
    return list;
  };
  let shared = 0;
  for (const hash of inA) if (inB.has(hash)) shared++;
  const { bands, rows } = tune({ threshold: 0.8, recall: 0.999, hashes: 128 });
  return {
    minima: minimaOf(sketcher, shingledA, shingledB),
    bands,
    rows,
    shared: listed(shingledA, hash => inB.has(hash)),
    onlyA: listed(shingledA, hash => !inB.has(hash)),
    onlyB: listed(shingledB, hash => !inA.has(hash)),
    sizes: { a: inA.size, b: inB.size, shared },
  };
}

/** A minimum of a set is the smallest of those of its shingles alone: so the shingle it is of is found. */
function minimaOf(sketcher: Sketcher, a: ReturnType<typeof shinglesOf>, b: ReturnType<typeof shinglesOf>): Minimum[] {
  const [ofA, ofB] = [a, b].map(({ shingles, hashes }) => {
    const values = new Uint32Array(sketcher.kernel.options.hashes).fill(0xffffffff);
    const owners = new Array<string>(values.length).fill('');
    for (const [at, hash] of hashes.entries()) {
      const alone = sketcher.kernel.minhashOf(BigUint64Array.of(hash));
      for (let place = 0; place < alone.length; place++)
        if (alone[place]! < values[place]!) {
          values[place] = alone[place]!;
          owners[place] = shingles[at]!;
        }
    }
    return { values, owners };
  });
  return Array.from(ofA!.values, (value, place) => ({
    a: value,
    b: ofB!.values[place]!,
    shingleA: ofA!.owners[place]!,
    shingleB: ofB!.owners[place]!,
  }));
}
