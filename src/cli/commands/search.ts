/** `neardup search`: query documents → the documents like them, in files or in an index, best first. */
import { fail } from '../../errors.ts';
import { STANDARD_INPUT } from '../../formats/inputs.ts';
import type { NearIndex } from '../../store/near-index.ts';
import { command } from '../command.ts';
import { fileFlag, filesFlag, integerFlag, jsonLinesFlag } from '../flags.ts';
import { indexOptions, seedFlag } from '../index-options.ts';
import { inputOptions } from '../input-options.ts';
import { listFormat } from '../run/outputs.ts';

export const searchCommand = command({
  name: 'search',
  summary: 'find near-duplicates of query documents, in files or in an index',
  arguments: [{ name: 'queries', help: 'files, folders, patterns, or - for standard input', many: true }],
  options: [...indexOptions, ...inputOptions],
  flags: {
    in: filesFlag('the documents to search'),
    index: { ...fileFlag('the folder of an index to search, or redis://host:port'), placeholder: 'dir' },
    output: fileFlag('write the results here instead of standard output', 'o'),
    limit: integerFlag('n', 'results of a query at most (default: 10)', 1, 2 ** 32),
    seed: seedFlag,
    json: jsonLinesFlag,
  },
  examples: [
    'neardup search essay.txt --in essays/ --threshold 0.5',
    'neardup search new.jsonl --index seen --limit 3',
  ],
  async run(queries, options, io, given) {
    const { index: folder, in: inputs, output = '-', seed, limit } = options;
    if ((folder === undefined) === (inputs === undefined))
      fail('BAD_COMBINATION', { what: '--in and --index', why: 'say what to search with one of them' });
    if (queries.includes(STANDARD_INPUT) && inputs?.includes(STANDARD_INPUT))
      fail('BAD_COMBINATION', { what: 'search - --in -', why: 'standard input can be read only once' });
    listFormat('-o', output);
    const { recallOf, withIndex } = await import('../index-commands.ts');
    const { openIndexInputs } = await import('../index-inputs.ts');
    const { writeRecords } = await import('../write-lines.ts');
    const asked = await openIndexInputs(queries, options, io, { '-o': output });

    const answer = async (index: NearIndex, ofSearch: object) => {
      const settings = { ...(limit !== undefined && { limit }), ...ofSearch };
      await writeRecords(io, output, async function* () {
        for await (const { document } of asked.read()) {
          // Its own id is for the answer; the documents of an index have theirs.
          const { id: query, ...content } = document;
          for (const result of await index.search(content, settings)) yield { query, ...result };
        }
      });
      await asked.end();
      for (const line of recallOf(index)) io.note(line);
    };

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
    const searched = await openIndexInputs(inputs!, options, io, { '-o': output });
    return withIndex('memory:', { ...given, seed, store: 'all' }, async index => {
      for await (const _ of searched.addTo(index));
      await answer(index, {});
    });
  },
});
