/** The public surface of `neardup/browser`, listed by hand; nothing in it reaches a Node module, and CI follows its imports. */

export type { Decision, DecisionVerdict, GivenDecision } from './decisions/decision.ts';
export { type ContentOf, DecisionBook } from './decisions/decision-book.ts';
export type { LineLog, LinePortion } from './decisions/line-log.ts';
export { type Collapsed, collapse, type GivenCollapseOptions, type ResultIndex } from './engine/calls/collapse.ts';
export {
  type CompareLimits,
  type Comparison,
  type ComparisonWithPassages,
  compare,
  compareUsing,
  compareWithPassages,
  type EstimatedContainment,
  type EstimatedCosine,
  type EstimatedResemblance,
  passagesUsing,
} from './engine/calls/compare.ts';
export {
  type DedupResult,
  dedup,
  findClusters,
  findPairs,
  type GivenCallOptions,
  type GivenDedupOptions,
  type GivenPairOptions,
  type RenamedDocument,
} from './engine/calls/dedup.ts';
export type { Sketchables } from './engine/calls/draw-sample.ts';
export { type Fingerprints, fingerprintsOf } from './engine/calls/fingerprints.ts';
export { type ShingleChoice, type Shingled, shinglesOf } from './engine/calls/shingled.ts';
export {
  type GivenSampleOptions,
  type LshSample,
  type MeasuredScheme,
  type SampledTuning,
  tuneOnSample,
} from './engine/calls/tune-on-sample.ts';
export type { DecisionCounts, GivenDecisions } from './engine/decide/settle-decisions.ts';
export type { Documents } from './engine/memory/corpus.ts';
export type { CallSettings, Progress } from './engine/pace.ts';
export type { GivenRunOptions } from './engine/run-options.ts';
export {
  createSketcher,
  type GivenSketcherOptions,
  type Sketchable,
  type Sketcher,
  type SketcherOptions,
} from './engine/sketcher.ts';
export { type ErrorCode, NeardupError } from './errors.ts';
export type {
  DamageItem,
  DocumentItem,
  FileDamage,
  Item,
  Reject,
  RejectItem,
  Source,
} from './formats/item.ts';
export { type InMemoryOptions, inMemoryFormat, readInMemory } from './formats/read-in-memory.ts';
export type {
  Kernel,
  KernelOptions,
  LineBatch,
  LineFields,
  LineKind,
  LineRecord,
  LineSketch,
  OnePermutationSketch,
  Text,
  TextFacts,
  ValueKind,
} from './kernel/contract.ts';
export { splitWords, type Word } from './kernel/words.ts';
export { bandKeys } from './lsh/bands.ts';
export { buckets, candidatePairs } from './lsh/candidates.ts';
export { bandCurve, type Curve, type CurvePoint, curvePoints, matchCurve, selectionCurve } from './lsh/curve.ts';
export { selectionKeys, selectPositions, signatureOf } from './lsh/random-selection.ts';
export { type BandTuning, type MatchTuning, type TuneOptions, tune } from './lsh/tune.ts';
export type {
  Cluster,
  Document,
  Elements,
  Estimate,
  FoundRelation,
  GivenDocument,
  KeepSpec,
  LshSpec,
  Measure,
  Pair,
  Passage,
  Relation,
  Removal,
  SearchResult,
  ShingleSpec,
  SketchKind,
  SketchSpec,
} from './model.ts';
export type {
  ByteSize,
  GivenOptions,
  GivenValues,
  NameOf,
  NormaliseList,
  NormaliseStep,
  OptionName,
  Options,
  OptionValue,
  ReadValues,
} from './options.ts';
export { type ComparedPair, type ComparedText, comparePage } from './report/compare-page.ts';
export { shingleHashesOf, shingleTexts } from './shingle/shingles.ts';
export { type BoilerplateOptions, boilerplateIn } from './similarity/boilerplate.ts';
export { type Difference, differences, type TextRange } from './similarity/differences.ts';
export { editDistance, editSimilarity, editSimilarityAtLeast } from './similarity/edit.ts';
export { byteSum, type Checksums, checksumsOf, crc32, hex64, md5 } from './similarity/fingerprint.ts';
export {
  createInvertedIndex,
  type InvertedIndex,
  type InvertedIndexOptions,
  type OverlapResult,
  type OverlapResults,
  type OverlapSearch,
} from './similarity/inverted-index.ts';
export { compareSets, intersectionSize, type Measures, measuresOf } from './similarity/measures.ts';
export { type PassageOptions, sharedPassages } from './similarity/passages.ts';
export { decodeSketch, encodeSketch } from './sketch/binary.ts';
export { estimateContainment, estimateCosine, estimateResemblance } from './sketch/estimate.ts';
export { agreesInAtLeast, keepBits, minhashVariance } from './sketch/minhash.ts';
export { createPermutation, firstInOrdering, type Permutation, permuteByTable } from './sketch/permutation.ts';
export { coarsen, modulusFor } from './sketch/sample.ts';
export { cosineVariance, createHammingIndex, type HammingIndex, hammingDistance } from './sketch/simhash.ts';
export {
  isEmpty,
  type MinHashSketch,
  type OnePermutationHashSketch,
  type SampleSketch,
  type SimHashSketch,
  type Sketch,
  type SketchOrigin,
} from './sketch/sketch.ts';
export { isSuperCandidate, metaSketch, superShingles } from './sketch/super-shingles.ts';
export { type HtmlToTextOptions, htmlToText } from './text/html.ts';
export { loadNormaliser } from './text/load-normaliser.ts';
export type { Normaliser } from './text/normalise.ts';
