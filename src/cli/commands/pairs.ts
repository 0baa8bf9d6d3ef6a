/** `neardup pairs`: documents → all near-duplicate pairs among them, as JSON lines, or as a listing on a terminal. */
import { setImmediate } from 'node:timers/promises';
import type { Pair } from '../../model.ts';
import { withCommas } from '../../report/with-commas.ts';
import { command } from '../command.ts';
import { csvSafeFlag, listJsonFlag, outputFlag, rejectsFlag, switchFlag } from '../flags.ts';
import { STOPPED } from '../run/brake.ts';
import { legendLines, listTarget, pairListing } from '../run/listing.ts';
import { listFormat, requireFilesBesideSummary } from '../run/outputs.ts';
import { inputArguments, requireRunOptions, runOptions, startRun } from '../run/request.ts';
import { effortLine, many, repeatedIdsLines } from '../run/summary.ts';

export const pairsCommand = command({
  name: 'pairs',
  summary: 'list all near-duplicate pairs with their resemblance and containment',
  arguments: inputArguments,
  options: [...runOptions.filter(name => name !== 'cluster' && name !== 'keep'), 'maxPairs'],
  flags: {
    output: outputFlag('write the pairs here instead of standard output', 'o'),
    rejects: rejectsFlag,
    csvSafe: csvSafeFlag,
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
    const { output = '-', rejects, exact = false, json = false, maxPairs } = options;
    const outputs = { '-o': options.output, '--rejects': rejects };
    requireRunOptions(given, options, exact);
    const target = listTarget(io, options.output, json);
    if (target === 'file with summary') requireFilesBesideSummary(outputs);
    const format = listFormat('-o', output);
    const rejectsFormat = rejects === undefined ? undefined : listFormat('--rejects', rejects);

    const request = await startRun({ inputs }, options, given, { ...outputs, '-o': output }, io);
    const { findPairsOfFiles } = await import('../../engine/files.ts');
    const { noteRejects } = await import('../run/notes.ts');
    const { recallLines } = await import('../run/recall-lines.ts');
    const { writeLines } = await import('../write-lines.ts');
    const { createStaging } = await import('../run/staging.ts');
    const { writeList, writeRejects } = await import('../run/write-list.ts');
    const { writtenOptions } = await import('../../engine/written-options.ts');
    const found = await findPairsOfFiles(request, exact, maxPairs);
    await noteRejects(io, found.read, request.files.inputs, rejects !== undefined);

    const staging = createStaging(request.files);
    let count = 0;
    const counted = async function* (): AsyncGenerator<Pair> {
      for (const pair of found.pairs) {
        if (count === maxPairs) throw new TooManyPairs();
        count++;
        yield pair;
        // So that the interrupt key is heard.
        if (count % 1000 === 0) await setImmediate();
      }
    };
    try {
      await staging.run(async () => {
        if (rejects !== undefined)
          await writeRejects(await staging.pathFor(rejects), rejectsFormat!, found.read, options);
        if (target === 'listing') await writeLines(io, () => pairListing(counted(), found.options, io));
        else await writeList(await staging.pathFor(output), format, counted(), options);
      });
    } catch (error) {
      if (!(error instanceof TooManyPairs)) throw error;
      io.stderr.write(tooManyLine(count, output));
      return STOPPED;
    }
    found.keeping?.remove();
    const effort = request.effort(found.read);
    const { documents, rejects: rejected, repeatedIds } = found.read;
    if (target === 'listing' && count > 0) for (const line of legendLines(found.options)) io.note(line);
    io.note(`${many(documents, 'document')}: ${many(count, 'pair')}, ${withCommas(rejected.length)} rejected`);
    for (const line of repeatedIdsLines(found.read)) io.note(line);
    io.note(effortLine(effort, found.comparisons()));
    if (!exact) for (const line of recallLines(found.options)) io.note(line);
    const summary = { documents, pairs: count, rejected: rejected.length, ...effort };
    const written = { ...writtenOptions(found.options), exact };
    if (target === 'file with summary')
      io.write(JSON.stringify({ ...summary, options: written, repeatedIds, comparisons: found.comparisons() }));
    return 0;
  },
});

class TooManyPairs extends Error {}

function tooManyLine(count: number, output: string): string {
  const written = output === '-' ? 'the list is not complete' : 'nothing was written';
  return (
    `neardup: stopped after ${many(count, 'pair')}, and there are more: ${written}; ` +
    'raise --threshold, or allow more with --max-pairs\n'
  );
}
