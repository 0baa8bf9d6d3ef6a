/** `neardup index add`: documents → the index, and a line with the verdict of each. */
import { command } from '../command.ts';
import { jsonLinesFlag } from '../flags.ts';
import { folderArgument, indexOptions, seedFlag, storeFlag } from '../index-options.ts';
import { inputOptions } from '../input-options.ts';
import { many } from '../run/summary.ts';

export const indexAddCommand = command({
  name: 'index add',
  summary: 'add documents to an index, made if it is missing, and print what each is',
  arguments: [
    folderArgument,
    { name: 'inputs', help: 'files, folders, patterns, or - for standard input', many: true },
  ],
  options: [...indexOptions, ...inputOptions],
  flags: { seed: seedFlag, store: storeFlag, json: jsonLinesFlag },
  examples: [
    'neardup index add seen corpus.jsonl',
    'neardup index add seen new.jsonl --threshold 0.9 --store all',
    'neardup index add seen - --seed secret:NEARDUP_SEED < new.jsonl',
  ],
  async run([folder, ...inputs], options, io, given) {
    const { exitCodeOf, readForIndex, withIndex } = await import('../index-commands.ts');
    const { writeLines } = await import('../write-lines.ts');
    const { seed, store } = options;
    return withIndex(folder!, { ...given, seed, store }, async index => {
      const counts = { documents: 0, rejected: 0 };
      const documents = async function* () {
        for await (const { document } of readForIndex(inputs, options, io, counts)) yield document;
      };
      let refused = 0;
      await writeLines(io, async function* () {
        for await (const outcome of index.addAll(documents())) {
          if (!('error' in outcome)) yield JSON.stringify(outcome);
          else {
            refused++;
            io.note(outcome.error.message);
          }
        }
      });
      const { documents: stored } = await index.stats();
      io.note(`${many(counts.documents, 'document')} read; the index holds ${many(stored, 'document')}`);
      return exitCodeOf(io, refused);
    });
  },
});
