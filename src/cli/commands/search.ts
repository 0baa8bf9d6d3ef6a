/** `neardup search`: query documents → the documents like them, in files or in an index, best first. */
import { fail } from '../../errors.ts';
import type { NearIndex } from '../../store/near-index.ts';
import { command } from '../command.ts';
import { fileFlag, filesFlag, integerFlag, jsonLinesFlag } from '../flags.ts';
import { indexOptions, seedFlag } from '../index-options.ts';
import { inputOptions } from '../input-options.ts';

export const searchCommand = command({
  name: 'search',
  summary: 'find near-duplicates of query documents, in files or in an index',
  arguments: [{ name: 'queries', help: 'files, folders, patterns, or - for standard input', many: true }],
  options: [...indexOptions, ...inputOptions],
  flags: {
    in: filesFlag('the documents to search'),
    index: { ...fileFlag('the folder of an index to search, or redis://host:port'), placeholder: 'dir' },
    limit: integerFlag('n', 'results of a query at most (default: 10)', 1, 2 ** 32),
    seed: seedFlag,
    json: jsonLinesFlag,
  },
  examples: [
    'neardup search essay.txt --in essays/ --threshold 0.5',
    'neardup search new.jsonl --index seen --limit 3',
  ],
  async run(queries, options, io, given) {
    const { index: folder, in: inputs, seed, limit } = options;
    if ((folder === undefined) === (inputs === undefined))
      fail('BAD_COMBINATION', { what: '--in and --index', why: 'say what to search with one of them' });
    const { readForIndex, withIndex } = await import('../index-commands.ts');
    const { writeLines } = await import('../write-lines.ts');
    const settings = { ...(limit !== undefined && { limit }) };

    const answer = (index: NearIndex, ofSearch: object) =>
      writeLines(io, async function* () {
        const counts = { documents: 0, rejected: 0 };
        for await (const { document } of readForIndex(queries, options, io, counts)) {
          for (const result of await index.search(document, { ...settings, ...ofSearch }))
            yield JSON.stringify({ query: document.id, ...result });
        }
      });

    if (folder !== undefined) {
      // Of a search, not of the index.
      const { threshold: givenThreshold, measure: givenMeasure, ...made } = given;
      const { threshold, measure } = options;
      return withIndex(folder, { ...made, seed, readOnly: true }, index =>
        answer(index, {
          ...(givenThreshold !== undefined && { threshold }),
          ...(givenMeasure !== undefined && { measure }),
        }),
      );
    }
    return withIndex('memory:', { ...given, seed, store: 'all' }, async index => {
      const counts = { documents: 0, rejected: 0 };
      const documents = async function* () {
        for await (const { document } of readForIndex(inputs!, options, io, counts)) yield document;
      };
      for await (const outcome of index.addAll(documents())) if ('error' in outcome) io.note(outcome.error.message);
      await answer(index, {});
    });
  },
});
