/** `neardup index add`: documents → the index, and a line with the verdict of each. */

import { inputOptionNames } from '../../batch/options.ts';
import { listFormat } from '../../batch/outputs.ts';
import { many } from '../../report/printable.ts';
import { withCommas } from '../../report/with-commas.ts';
import { command } from '../app/command.ts';
import { csvSafeFlag, jsonLinesFlag, outputFlag, rejectsFlag } from '../app/flags.ts';
import { folderArgument, indexOptionHelp, indexOptions, seedFlag, storeFlag } from '../index/index-options.ts';

export const indexAddCommand = command({
  name: 'index add',
  summary: 'add documents to an index, created if missing, and print the verdict on each',
  arguments: [
    folderArgument,
    { name: 'inputs', help: 'files, folders, patterns, or - for standard input', many: true },
  ],
  options: [...indexOptions, ...inputOptionNames],
  optionHelp: indexOptionHelp,
  flags: {
    output: outputFlag('write the verdicts here instead of standard output', 'o'),
    rejects: rejectsFlag,
    csvSafe: csvSafeFlag,
    seed: seedFlag,
    store: storeFlag,
    json: jsonLinesFlag,
  },
  examples: [
    'neardup index add seen corpus.jsonl',
    'neardup index add strict new.jsonl --threshold 0.9 --store all',
    'neardup index add private - --seed secret:NEARDUP_SEED < new.jsonl',
  ],
  async run([folder, ...inputs], options, io, given) {
    const { recallOf, withIndex } = await import('../index/index-commands.ts');
    const { openIndexInputs } = await import('../index/index-inputs.ts');
    const { writeRecords } = await import('../output/write-lines.ts');
    const { output = '-', rejects, seed, store } = options;
    listFormat('-o', output);
    const reading = await openIndexInputs(inputs, options, io, { '-o': output, '--rejects': rejects }, folder!);
    return withIndex(folder!, { ...given, seed, store }, async index => {
      await writeRecords(
        io,
        output,
        async function* () {
          for await (const added of reading.addTo(index)) yield added.map(({ verdict }) => verdict);
        },
        options,
      );
      const { documents: stored } = await index.stats();
      const { documents, refused, rejected } = reading;
      const left = `${withCommas(refused)} refused, ${withCommas(rejected)} rejected`;
      io.note(`${many(documents, 'document')} read, ${left}; the index holds ${many(stored, 'document')}`);
      for (const line of recallOf(index)) io.note(line);
      return reading.exitCode();
    });
  },
});
