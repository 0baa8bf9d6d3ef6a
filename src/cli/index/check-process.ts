/** The process that `index check` starts: `{ folder, seed }` as its argument → damages, one message each, and how it ended. */

import { failureOf } from '../../errors.ts';
import { flagOf } from '../../options.ts';
import type { GivenIndexOptions } from '../../store/index-options.ts';
import { openIndex } from '../../store/open-index.ts';
import type { CheckMessage } from './check-apart.ts';

const say = (message: CheckMessage) => new Promise<void>(resolve => process.send!(message, () => resolve()));

// Nobody is left to be told.
process.on('disconnect', () => process.exit());
const { folder, seed } = JSON.parse(process.argv[2]!) as { folder: string; seed?: GivenIndexOptions['seed'] };
try {
  const index = await openIndex(folder, { readOnly: true, ...(seed !== undefined && { seed }) }, flagOf);
  for await (const damage of index.verify()) await say({ damage });
  await say({ documents: (await index.stats()).documents });
  await index.close();
} catch (error) {
  await say({ failure: failureOf(error) });
}
process.disconnect();
