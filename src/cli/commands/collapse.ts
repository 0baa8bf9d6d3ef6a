/** `neardup collapse`: a ranked list of results → the same list with near-duplicates folded under the first of them. */
import { collapseOptionNames } from '../../engine/collapse.ts';
import { fail } from '../../errors.ts';
import { flagOf } from '../../options.ts';
import { command } from '../command.ts';
import { fileFlag, jsonLinesFlag } from '../flags.ts';
import { pick } from '../input-options.ts';

export const collapseCommand = command({
  name: 'collapse',
  summary: 'fold near-duplicates in a ranked list of results under the first of them',
  arguments: [{ name: 'results', help: 'a file of JSON lines, or - for standard input (the default)', optional: true }],
  options: [...collapseOptionNames],
  flags: {
    index: { ...fileFlag('an index that has the documents of results without a text'), placeholder: 'dir' },
    json: jsonLinesFlag,
  },
  examples: [
    'neardup collapse results.jsonl --threshold 0.9',
    'engine query | neardup collapse --index seen',
    'neardup collapse results.jsonl --matches 90 --of 100',
  ],
  async run([input = '-'], options, io, given) {
    const { collapse } = await import('../../engine/collapse.ts');
    const { readResults } = await import('../read-results.ts');
    const { writeLines } = await import('../write-lines.ts');
    const ofRule = pick(given, collapseOptionNames);
    const run = async (index?: NonNullable<Parameters<typeof collapse>[1]>['index']) => {
      const kept = await collapse(readResults(input), { ...ofRule, ...(index && { index }) }, flagOf);
      await writeLines(io, async function* () {
        for (const result of kept) yield JSON.stringify(result);
      });
    };
    if (options.index === undefined) return run();
    if (options.index === '') fail('BAD_OPTION', { option: '--index', expected: 'a folder', got: '' });
    const { withIndex } = await import('../index-commands.ts');
    return withIndex(options.index, { readOnly: true }, index => run(index));
  },
});
