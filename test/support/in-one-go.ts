/** What engines do step by step → the same in one go, for tests. */
import { finish } from '../../src/cluster/steps.ts';
import { type Decided, decideSteps } from '../../src/engine/decide/decide.ts';
import { allPairSteps, type FoundPair } from '../../src/engine/decide/pairs.ts';

export function decide(...given: Parameters<typeof decideSteps>): Decided {
  return finish(decideSteps(...given));
}

export function allPairs(...given: Parameters<typeof allPairSteps>): FoundPair[] {
  return [...allPairSteps(...given)].filter(pair => pair !== undefined);
}
