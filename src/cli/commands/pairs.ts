/** `neardup pairs`: documents → all near-duplicate pairs among them, as JSON lines, or as a listing on a terminal. */
import { batchOptionNames } from '../../batch/options.ts';
import { decisionsLines, effortLine, many, repeatedIdsLines } from '../../batch/summary.ts';
import { withCommas } from '../../report/with-commas.ts';
import { command } from '../app/command.ts';
import { csvSafeFlag, decisionsFlag, listJsonFlag, outputFlag, rejectsFlag, switchFlag } from '../app/flags.ts';
import { requireFilesBesideSummary } from '../batch/json-outputs.ts';
import { legendLines, listTarget, pairListing } from '../batch/listing.ts';
import { aroundOf, inputArguments, readRunFlags, readSparkFlags, settingsOf, sparkFlags } from '../batch/request.ts';

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
    const { output = '-', rejects, exact = false, json = false, csvSafe, maxPairs } = options;
    const runOptions = readRunFlags(options, given, exact);
    const target = listTarget(io, options.output, json);
    if (target === 'file with summary') requireFilesBesideSummary({ '-o': output, '--rejects': rejects });

    const { pairsBatch } = await import('../../batch/pairs-batch.ts');
    const { recallLines } = await import('../../batch/recall-lines.ts');
    const { writeLines } = await import('../output/write-lines.ts');
    const settings = settingsOf(options);
    const asked = {
      inputs,
      spark: readSparkFlags(options),
      decisions: options.decisions,
      options: runOptions,
      settings,
      csvSafe,
      exact,
      maxPairs,
      outputs: { output, rejects },
    };
    const summary = await pairsBatch(
      asked,
      await aroundOf(io, runOptions, settings),
      target === 'listing' ? pairs => writeLines(io, () => pairListing(pairs, runOptions, io)) : undefined,
    );
    const { documents, pairs, rejected } = summary;
    if (target === 'listing' && pairs > 0) for (const line of legendLines(runOptions)) io.note(line);
    io.note(`${many(documents, 'document')}: ${many(pairs, 'pair')}, ${withCommas(rejected)} rejected`);
    for (const line of [...decisionsLines(summary), ...repeatedIdsLines(summary)]) io.note(line);
    io.note(effortLine(summary, summary.comparisons));
    if (!exact) for (const line of recallLines(runOptions)) io.note(line);
    if (target === 'file with summary') io.write(JSON.stringify(summary));
    return 0;
  },
});
