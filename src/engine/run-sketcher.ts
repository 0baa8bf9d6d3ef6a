/** The options of a run → its sketcher. */
import { type NameOf, plainName, withoutAliases } from '../options.ts';
import type { GivenRunOptions, RunOptions } from './run-options.ts';
import { createSketcher, type Sketcher } from './sketcher.ts';

export function createRunSketcher(
  { measure }: RunOptions,
  given: GivenRunOptions,
  nameOf: NameOf = plainName,
): Promise<Sketcher> {
  const { shingle, sketch, normalise, seed } = withoutAliases(given);
  const ofEdit = measure === 'edit' ? 'char:5' : undefined;
  return createSketcher({ shingle: shingle ?? ofEdit, sketch, normalise, seed }, nameOf);
}
