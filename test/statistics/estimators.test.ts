/** Every estimator against its theory: over thousands of seeded pairs the mean error is zero and the variance is the one promised. */
import { describe, expect, it } from 'vitest';
import type { Kernel } from '../../src/kernel/contract.ts';
import { createKernel } from '../../src/kernel/wasm-kernel.ts';
import type { SketchSpec } from '../../src/model.ts';
import { estimateContainment, estimateCosine, estimateResemblance } from '../../src/sketch/estimate.ts';
import { sketchSet } from '../../src/sketch/make.ts';
import { minhashVariance, onePermutationVariance } from '../../src/sketch/minhash.ts';
import { modulusFor, sampleVariance } from '../../src/sketch/sample.ts';
import { cosineVariance } from '../../src/sketch/simhash.ts';
import { createRandom, randomPair, randomTextPair, type SetPair, type SetShape } from '../support/random-sets.ts';

// The relative error of a sample variance over n pairs is about √(2/n): 2.2 %, so 15 % is more than six of them.
const PAIRS = 4000;
const origin = { shingle: 'set', normalise: '', seed: 1 };

interface Estimator {
  readonly name: string;
  readonly sketch: SketchSpec;
  readonly bits?: number;
  readonly estimate?: typeof estimateContainment;
  readonly truth?: (pair: SetPair) => number;
  /** Variance when the true value and the sets are as given. */
  readonly variance: (truth: number, pair: SetPair) => number;
}

const unionOf = ({ a, b, shared }: SetPair) => a.length + b.length - shared;
const resemblanceOf = (pair: SetPair) => pair.shared / unionOf(pair);
const containmentOf = ({ a, shared }: SetPair) => shared / a.length;
const cosineOf = ({ a, b, shared }: SetPair) => shared / Math.sqrt(a.length * b.length);

const minhash = (size: number, bits = 32): Estimator => ({
  name: bits === 32 ? `minhash:${size}` : `minhash:${size} of ${bits} bits`,
  sketch: { kind: 'minhash', size },
  bits,
  variance: truth => minhashVariance(truth, size, bits),
});
const oph: Estimator = {
  name: 'oph:128',
  sketch: { kind: 'oph', size: 128 },
  variance: (truth, pair) => onePermutationVariance(truth, 128, unionOf(pair)),
};
const bottom: Estimator = {
  name: 'bottom:100',
  sketch: { kind: 'bottom', size: 100 },
  variance: (truth, pair) => sampleVariance(truth, Math.min(100, unionOf(pair)), unionOf(pair)),
};
const mod = (size: number): Estimator => ({
  name: `mod:${size || 'auto'}`,
  sketch: { kind: 'mod', size },
  variance: (truth, pair) => modVariance(truth, unionOf(pair), modulusOf(size, pair)),
});
const modContainment = (size: number): Estimator => ({
  ...mod(size),
  name: `containment by mod:${size || 'auto'}`,
  estimate: estimateContainment,
  truth: containmentOf,
  variance: (truth, pair) => modVariance(truth, pair.a.length, modulusOf(size, pair)),
});
const simhash: Estimator = {
  name: 'cosine by simhash',
  sketch: { kind: 'simhash', size: 64 },
  estimate: estimateCosine,
  truth: cosineOf,
  variance: truth => cosineVarianceAt(truth),
};

/** The same for all pairs of a shape, and a sum of 65 terms: worked out once. */
const cosineVariances = new Map<number, number>();
function cosineVarianceAt(cosine: number): number {
  const variance = cosineVariances.get(cosine) ?? cosineVariance(Math.acos(cosine) / Math.PI);
  cosineVariances.set(cosine, variance);
  return variance;
}

const modulusOf = (size: number, { a, b }: SetPair) => size || Math.max(modulusFor(a.length), modulusFor(b.length));

/** Each element is sampled with chance 1/modulus: the mean of the variances for 1, 2 … sampled ones, given that there is one. */
const modVariance = remembered((population, modulus) => {
  let [chance, total, sum] = [(1 - 1 / modulus) ** population, 0, 0];
  for (let sampled = 1; sampled <= population; sampled++) {
    chance *= (population - sampled + 1) / sampled / (modulus - 1);
    total += chance;
    sum += chance * sampleVariance(0.5, sampled, population);
  }
  return sum / total / 0.25;
});

function remembered(factorOf: (population: number, modulus: number) => number) {
  const known = new Map<string, number>();
  return (share: number, population: number, modulus: number) => {
    const key = `${population}/${modulus}`;
    const factor = known.get(key) ?? factorOf(population, modulus);
    known.set(key, factor);
    return share * (1 - share) * factor;
  };
}

/** What went wrong in all, in standard errors, and how large the squares of the errors are beside theory. */
class Errors {
  #sum = 0;
  #squares = 0;
  #theory = 0;
  count = 0;

  add(error: number, variance: number): void {
    this.#sum += error;
    this.#squares += error * error;
    this.#theory += variance;
    this.count++;
  }

  expectTheory(): void {
    expect(Math.abs(this.#sum / Math.sqrt(this.#squares)), 'mean error in standard errors').toBeLessThan(4);
    const ratio = this.#squares / this.#theory;
    expect(ratio, 'variance beside theory').toBeGreaterThan(0.85);
    expect(ratio, 'variance beside theory').toBeLessThan(1.15);
  }
}

async function measure(estimators: readonly Estimator[], pairs: Iterable<SetPair>): Promise<Errors[]> {
  const errors = estimators.map(() => new Errors());
  const kernelsOf = await Promise.all(estimators.map(({ sketch }) => kernelFor(sketch)));
  for (const pair of pairs) {
    for (const [i, { sketch, bits = 32, estimate, truth, variance }] of estimators.entries()) {
      const recipe = { sketch, bits, origin };
      const [a, b] = [sketchSet(kernelsOf[i]!, pair.a, recipe), sketchSet(kernelsOf[i]!, pair.b, recipe)];
      const estimated = (estimate ?? estimateResemblance)(a, b);
      const wanted = (truth ?? resemblanceOf)(pair);
      if (estimated) errors[i]!.add(estimated.value - wanted, variance(wanted, pair));
    }
  }
  return errors;
}

const kernels = new Map<number, Promise<Kernel>>();

/** Made once for each number of hashes: compiling takes longer than a thousand sketches. */
function kernelFor({ kind, size }: SketchSpec): Promise<Kernel> {
  const hashes = kind === 'minhash' || kind === 'oph' ? size : 1;
  const options = { shingle: { unit: 'word', size: 5 }, keepCase: false, seed: 1, hashes } as const;
  const kernel = kernels.get(hashes) ?? createKernel(options);
  kernels.set(hashes, kernel);
  return kernel;
}

function* setPairs(shape: SetShape): Generator<SetPair> {
  const random = createRandom(shape.union * 100 + Math.round(shape.resemblance * 100));
  for (let i = 0; i < PAIRS; i++) yield randomPair(shape, random);
}

describe.each([0.2, 0.5, 0.8, 0.95])(
  'at resemblance %f, the errors average zero with the variance of the theory:',
  r => {
    it.each([
      { union: 20, onlyInA: 0.5, estimators: [minhash(128), minhash(128, 1), minhash(128, 2), oph] },
      { union: 60, onlyInA: 0.5, estimators: [minhash(100), minhash(128, 1), minhash(128, 4), oph] },
      { union: 400, onlyInA: 0.1, estimators: [bottom, mod(0), modContainment(0)] },
      // Bits of SimHash are signs of sums: the angle is the normal limit, so the sets are large.
      { union: 801, onlyInA: 0.3, estimators: [oph, mod(16), modContainment(16), simhash] },
    ])('sets of $union elements in all', async ({ estimators, ...shape }) => {
      const errors = await measure(estimators, setPairs({ ...shape, resemblance: r }));
      for (const [i, estimator] of estimators.entries()) expectTheory(estimator, errors[i]!);
    });
  },
);

function expectTheory({ name }: Estimator, errors: Errors): void {
  expect(errors.count, name).toBe(PAIRS);
  try {
    errors.expectTheory();
  } catch (cause) {
    throw new Error(`${name}: ${(cause as Error).message}`, { cause });
  }
}

describe('conditional on something sampled,', () => {
  it('mod:16 of sets of 40 keeps the promise, though one pair in thirteen has nothing to judge by', async () => {
    const estimators = [mod(16), modContainment(16)];
    const errors = await measure(estimators, setPairs({ union: 40, resemblance: 0.5 }));
    expect(errors[0]!.count / PAIRS).toBeCloseTo(1 - (15 / 16) ** 40, 1.5);
    for (const error of errors) error.expectTheory();
  });
});

describe('on shingles of texts, in which few words make most of the text,', () => {
  it('every estimator has zero mean error and the variance of the theory', async () => {
    const kernel = await kernelFor({ kind: 'bottom', size: 1 });
    const random = createRandom(7);
    function* textPairs(): Generator<SetPair> {
      for (let i = 0; i < PAIRS; i++) {
        const [a, b] = randomTextPair(160, 4 + (random() % 90), random).map(text => kernel.shingleSet(text));
        yield { a: a!, b: b!, shared: kernel.intersectionSize(a!, b!) };
      }
    }
    const estimators = [minhash(128), minhash(100), minhash(128, 1), minhash(128, 4), oph, bottom, mod(4)];
    const errors = await measure(estimators, textPairs());
    for (const [i, error] of errors.entries()) expectTheory(estimators[i]!, error);
  });
});
