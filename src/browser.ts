/** The public surface of `neardup/browser`, listed by hand: the same core, with no Node module in it (CI follows its imports). */
export {
  createSketcher,
  type GivenSketcherOptions,
  type Sketchable,
  type Sketcher,
  type SketcherOptions,
} from './engine/sketcher.ts';
export { type ErrorCode, NeardupError } from './errors.ts';
export type { Kernel, KernelOptions, OnePermutationSketch, Text, TextFacts } from './kernel/contract.ts';
export { bandKeys } from './lsh/bands.ts';
export { buckets, candidatePairs } from './lsh/candidates.ts';
export { bandCurve, type Curve, type CurvePoint, curvePoints, matchCurve, selectionCurve } from './lsh/curve.ts';
export { selectionKeys, selectPositions, signatureOf } from './lsh/random-selection.ts';
export { type BandTuning, type MatchTuning, type TuneOptions, tune } from './lsh/tune.ts';
export type {
  Document,
  Estimate,
  LshSpec,
  Measure,
  Passage,
  ShingleSpec,
  SketchKind,
  SketchSpec,
} from './model.ts';
export type { NormaliseStep } from './options.ts';
export { shingleHashesOf, shingleTexts } from './shingle/shingles.ts';
export { editDistance, editSimilarity, editSimilarityAtLeast } from './similarity/edit.ts';
export { byteSum, type Checksums, checksumsOf, crc32, md5 } from './similarity/fingerprint.ts';
export { createInvertedIndex, type InvertedIndex } from './similarity/inverted-index.ts';
export { compareSets, intersectionSize, type Measures, measuresOf } from './similarity/measures.ts';
export { sharedPassages } from './similarity/passages.ts';
export { decodeSketch, encodeSketch } from './sketch/binary.ts';
export { estimateContainment, estimateCosine, estimateResemblance } from './sketch/estimate.ts';
export type { MinHashSketch, OnePermutationHashSketch, SampleSketch, SimHashSketch, Sketch } from './sketch/sketch.ts';
export { decodeHtml, decodeText } from './text/charset.ts';
export { htmlToText } from './text/html.ts';
export { loadNormaliser } from './text/load-normaliser.ts';
export type { Normaliser } from './text/normalise.ts';
