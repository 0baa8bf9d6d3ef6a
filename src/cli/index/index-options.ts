/** Options and flags that the commands of the index share; light, since every command's definition is read at each start. */
import { options as optionTable } from '../../options.ts';
import type { Secret } from '../../store/secret-seed.ts';
import { valueFlag } from '../app/flags.ts';

/** The seed of an index may be a secret, so it is a flag of its own. */
export const indexOptions = ['threshold', 'measure', 'shingle', 'sketch', 'lsh', 'recall', 'normalise'] as const;

/** An index promises a recall, which there is none of for edit distance. */
export const indexOptionHelp = { measure: 'resemblance or containment' } as const;

export const seedFlag = valueFlag(
  'seed',
  'seed of every hash, or secret:NAME for a secret in the environment variable NAME',
  (given, name) => (String(given).startsWith('secret:') ? (given as Secret) : optionTable.seed.parse(given, name)),
);

export const storeFlag = {
  ...valueFlag('new|all|none', 'which documents are stored with their text', given => given as 'new' | 'all' | 'none'),
  choices: ['new', 'all', 'none'],
  default: 'new',
} as const;

export const folderArgument = { name: 'dir', help: 'the folder of the index, or redis://host:port' } as const;
