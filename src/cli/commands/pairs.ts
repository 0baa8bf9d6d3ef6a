/** `neardup pairs`: documents → all near-duplicate pairs among them, as JSON lines, or as a listing on a terminal. */
import { batchOptionNames } from '../../batch/options.ts';
import type { PairsSummary } from '../../batch/summary.ts';
import type { Pair } from '../../model.ts';
import { many } from '../../report/printable.ts';
import { withCommas } from '../../report/with-commas.ts';
import { command, inputArguments } from '../app/command.ts';
import { csvSafeFlag, decisionsFlag, listJsonFlag, outputFlag, rejectsFlag, switchFlag } from '../app/flags.ts';
import { pairListing } from '../batch/listing.ts';
import { readRunFlags, sparkFlags } from '../batch/request.ts';
import { runList } from '../batch/run-list.ts';

export const pairsCommand = command({
  name: 'pairs',
  summary: 'list all near-duplicate pairs with their resemblance and containment',
  arguments: inputArguments,
  options: [...batchOptionNames.filter(name => name !== 'cluster' && name !== 'keep'), 'maxPairs'],
  flags: {
    output: outputFlag('write the pairs here instead of standard output', 'o'),
    rejects: rejectsFlag,
    csvSafe: csvSafeFlag,
    decisions: decisionsFlag,
    ...sparkFlags,
    exact: switchFlag('provably all pairs at or above the threshold, without LSH'),
    json: listJsonFlag,
  },
  examples: [
    'neardup pairs corpus.jsonl --threshold 0.9',
    'neardup pairs corpus.jsonl --exact -o pairs.jsonl',
    'neardup pairs essays/ --measure containment --threshold 0.5',
    'neardup pairs clicks.jsonl --set-field urls --json -o pairs.csv',
  ],
  async run(inputs, options, io, given) {
    const { exact = false, maxPairs } = options;
    const runOptions = readRunFlags(options, given, exact);
    return runList<PairsSummary>(inputs, options, runOptions, io, {
      async find(asked, around, show) {
        const { pairsBatch } = await import('../../batch/list-batch.ts');
        const list = show && ((pairs: AsyncIterable<Pair>) => show(pairListing(pairs, runOptions, io)));
        return pairsBatch({ ...asked, exact, maxPairs }, around, list);
      },
      count: ({ pairs }) => pairs,
      line: ({ documents, pairs, rejected }) =>
        `${many(documents, 'document')}: ${many(pairs, 'pair')}, ${withCommas(rejected)} rejected`,
      hasRecall: !exact,
    });
  },
});
