/**
 * The version of an index ↔ what it takes to read it. Code that does not know a version must refuse it: it would miss
 * documents in silence.
 *
 *   1  every document is found by its band keys
 *   2  documents of crowds are found by their prefix (see crowds.ts)
 *
 * An index is made as version 1, and becomes version 2 with its first crowd: until then older code can read it.
 */
import { fail } from '../errors.ts';
import type { State } from './contract.ts';

export type Version = 1 | 2;

export function versionFor({ commons }: Pick<State, 'commons'>): Version {
  return commons > 0 ? 2 : 1;
}

/** Undefined, on Redis: of before versions were written. */
export function requireKnownVersion(version: number | undefined, index: string): void {
  if (version !== undefined && version !== 1 && version !== 2)
    fail('INDEX_DAMAGED', { index, what: `it is of version ${version}, and 1 and 2 are read here` });
}
