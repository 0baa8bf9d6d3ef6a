/** The options of every call and command: the table, what may be given, and how it is read. */

export type { ByteSize, GivenOptions, GivenValues, OptionName, OptionValue, ReadValues } from './options/given.ts';
export { nearestName } from './options/nearest-name.ts';
export { type NormaliseList, type NormaliseStep, normaliseLanguages } from './options/normalise.ts';
export type { Accepts, Option } from './options/option.ts';
export { parseInteger } from './options/parsers.ts';
export {
  flagOf,
  type NameOf,
  type Options,
  pick,
  plainName,
  readOptions,
  requireNames,
  withoutAliases,
} from './options/read.ts';
export { MAX_HASHES, options } from './options/table.ts';
