/** The options of runs over files, besides those that decide what is a duplicate. */
import { exactOptionsOf, type RunOptions, runOptionNames, runOptionsOf } from '../engine/run-options.ts';
import { fail } from '../errors.ts';
import { type GivenOptions, type NameOf, type Options, readOptions } from '../options.ts';

/** Of everything that reads documents. */
export const inputOptionNames = [
  'format',
  'textField',
  'idField',
  'setField',
  'html',
  'maxDocument',
  'strict',
  'damaged',
] as const;

/** How a run works, which changes nothing of its result. */
export const workOptionNames = ['jobs', 'memory', 'tmp', 'resume', 'engine', 'master'] as const;

export const batchOptionNames = [...runOptionNames, ...inputOptionNames, ...workOptionNames] as const;

export type InputOptions = Options<(typeof inputOptionNames)[number]>;
export type BatchSettings = Options<(typeof inputOptionNames)[number] | (typeof workOptionNames)[number]>;

/** Options of a run that were read one by one → the same, if they go together. Those that a command does not offer have their defaults. */
export function runOptionsFrom(
  read: Partial<Options<(typeof runOptionNames)[number] | 'setField'>>,
  asked: GivenOptions,
  nameOf: NameOf,
  exact = false,
): RunOptions {
  const { setField, ...ofRun } = read;
  const options = (exact ? exactOptionsOf : runOptionsOf)(
    { ...readOptions(runOptionNames, {}), ...ofRun },
    asked,
    nameOf,
  );
  if (options.measure === 'edit' && setField !== undefined)
    fail('BAD_COMBINATION', {
      what: `${nameOf('measure')} edit with ${nameOf('setField')}`,
      why: 'a set has no order to edit',
    });
  return options;
}
