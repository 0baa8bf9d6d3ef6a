/** The options of runs over files, besides those that decide what is a duplicate. */
import { runOptionNames } from '../engine/run-options.ts';
import type { Options } from '../options.ts';

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
