/**
 * An index → what is damaged in it, found by a process of its own.
 *
 * LMDB trusts the pages of its file: where they are damaged, reading them may end the process. That is a finding, too.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { errorOf, type Failure, fail } from '../../errors.ts';
import { programUrl } from '../../files/package.ts';
import type { Damage } from '../../store/contract.ts';
import type { GivenIndexOptions } from '../../store/index-options.ts';
import { isOnRedis } from '../../store/open-index.ts';
import { withIndex } from './index-commands.ts';

const program = programUrl('cli/index/check-process.js');

/** What the process says (see check-process.ts). */
export type CheckMessage = { readonly damage: Damage } | { readonly documents: number } | { readonly failure: Failure };

/** Returns how many documents the index holds. One on Redis cannot end the process that reads it. */
export function checkIndex(
  location: string,
  seed: GivenIndexOptions['seed'],
  onDamage: (damage: Damage) => void,
): Promise<number> {
  if (!isOnRedis(location)) return checkApart(location, seed, onDamage);
  return withIndex(location, { seed, readOnly: true }, async index => {
    for await (const damage of index.verify()) onDamage(damage);
    return (await index.stats()).documents;
  });
}

async function checkApart(
  folder: string,
  seed: GivenIndexOptions['seed'],
  onDamage: (damage: Damage) => void,
): Promise<number> {
  const child = fork(program, [JSON.stringify({ folder, seed })], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let documents: number | undefined;
  let failure: Failure | undefined;
  child.on('message', (message: CheckMessage) => {
    if ('damage' in message) onDamage(message.damage);
    else if ('documents' in message) documents = message.documents;
    else failure = message.failure;
  });
  const [code, signal] = await once(child, 'close');
  if (failure?.code) throw errorOf(failure);
  if (documents === undefined)
    fail('INDEX_DAMAGED', {
      index: folder,
      what: failure?.message ?? `LMDB cannot read its own pages (a process that tried ended with ${signal ?? code})`,
    });
  return documents;
}
