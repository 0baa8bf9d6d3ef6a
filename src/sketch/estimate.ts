/** Two sketches of a kind → an estimate with its standard error. Sketches that were made differently are refused. */
import { fail } from '../errors.ts';
import type { Estimate } from '../model.ts';
import { estimateByBins, estimateByMinima } from './minhash.ts';
import { estimateByBottom, estimateByMod, estimateContainmentByMod } from './sample.ts';
import { estimateCosine as cosineOf } from './simhash.ts';
import { requireComparable, requireKind, type Sketch } from './sketch.ts';

/**
 * Undefined when the sketches hold nothing to judge by (`mod` only).
 *
 * @example
 * ```ts
 * const sketcher = await createSketcher({ shingle: 'word:1', sketch: 'bottom:16' });
 * estimateResemblance(sketcher.sketch('a b'), sketcher.sketch('a b c'))?.value; // → 0.6666666666666666
 * ```
 */
export function estimateResemblance(a: Sketch, b: Sketch): Estimate | undefined {
  requireComparable(a, b);
  switch (a.kind) {
    case 'minhash':
      return estimateByMinima(a, requireKind(b, 'minhash'));
    case 'oph':
      return estimateByBins(a, requireKind(b, 'oph'));
    case 'bottom':
      return estimateByBottom(a, requireSample(b));
    case 'mod':
      return estimateByMod(a, requireSample(b));
    case 'super':
      return fail('NO_ESTIMATE', { reason: 'super shingles only propose candidates' });
    case 'simhash':
      return fail('NO_ESTIMATE', { reason: 'simhash estimates cosine, not resemblance' });
  }
}

/**
 * Containment of a in b; undefined when the sketch of a holds nothing. Only `mod` sketches can tell.
 *
 * @example
 * ```ts
 * const sketcher = await createSketcher({ shingle: 'word:1', sketch: 'mod:1' });
 * estimateContainment(sketcher.sketch('a b'), sketcher.sketch('a b c'))?.value; // → 1
 * ```
 */
export function estimateContainment(a: Sketch, b: Sketch): Estimate | undefined {
  requireComparable(a, b);
  if (a.kind !== 'mod')
    return fail('NO_ESTIMATE', { reason: `${a.kind} sketches do not estimate containment; mod sketches do` });
  return estimateContainmentByMod(a, requireSample(b));
}

/**
 * The cosine similarity that two `simhash` sketches tell.
 *
 * @example
 * ```ts
 * const sketcher = await createSketcher({ sketch: 'simhash' });
 * estimateCosine(sketcher.sketch('one two'), sketcher.sketch('one two')).value; // → 1
 * ```
 */
export function estimateCosine(a: Sketch, b: Sketch): Estimate {
  requireComparable(a, b);
  return cosineOf(requireKind(a, 'simhash'), requireKind(b, 'simhash'));
}

function requireSample(sketch: Sketch): Extract<Sketch, { kind: 'bottom' | 'mod' | 'super' }> {
  if (sketch.kind === 'bottom' || sketch.kind === 'mod' || sketch.kind === 'super') return sketch;
  return fail('BAD_SKETCH', { reason: `a sample wanted, this is ${sketch.kind}` });
}
