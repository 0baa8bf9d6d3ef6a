/** Options that between them go every way through an engine: all engines must give the same for each. */
import type { GivenRunOptions } from '../../src/engine/run-options.ts';

export const contractOptions: GivenRunOptions[] = [
  {},
  { keep: 'longest' },
  { keep: 'shortest', threshold: 0.6 },
  { cluster: 'connected', threshold: 0.5 },
  { sketch: 'oph:64', lsh: 'bands:16x4' },
  { lsh: 'random:40x4', seed: 9 },
  { shingle: 'char:9', normalise: 'keep-case' },
  { normalise: 'nfkc,stem:en,stopwords:en' },
  { by: 'site' },
  { by: 'nobody', keep: 'max:nothing' },
  { keep: 'max:rank' },
  { keep: 'min:rank', threshold: 0.5 },
  { keep: 'prefer:site=c,a' },
  { measure: 'containment', threshold: 0.7 },
  { measure: 'containment', cluster: 'connected', keep: 'max:rank' },
  { measure: 'edit', threshold: 0.9 },
  { verify: 'sketch' },
  { verify: 'none', cluster: 'connected' },
  { sketch: 'super' },
  { sketch: 'bottom:50', threshold: 0.5 },
  { sketch: 'mod:8', threshold: 0.5 },
  { sketch: 'simhash' },
];
