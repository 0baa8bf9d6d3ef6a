/** `neardup collapse`: a ranked list of results → the same list with near-duplicates folded under the first of them. */
import { collapseOptionNames } from '../../engine/collapse.ts';
import { fail } from '../../errors.ts';
import { expandInputs } from '../../formats/inputs.ts';
import type { Damage, Reject } from '../../formats/item.ts';
import { flagOf } from '../../options.ts';
import { command } from '../command.ts';
import { fileFlag, jsonLinesFlag, outputFlag } from '../flags.ts';
import { indexOptionHelp } from '../index-options.ts';
import { pick } from '../input-options.ts';
import { listFormat, requireOwnFiles } from '../run/outputs.ts';

export const collapseCommand = command({
  name: 'collapse',
  summary: 'fold near-duplicates in a ranked list of results under the first of them',
  arguments: [{ name: 'results', help: 'a file of JSON lines, or - for standard input (the default)', optional: true }],
  options: [...collapseOptionNames, 'strict', 'damaged'],
  optionHelp: indexOptionHelp,
  flags: {
    index: { ...fileFlag('an index that has the documents of results without a text'), placeholder: 'dir' },
    output: outputFlag('write the results here instead of standard output', 'o'),
    json: jsonLinesFlag,
  },
  examples: [
    'neardup collapse results.jsonl --threshold 0.9',
    'engine query | neardup collapse --index seen',
    'neardup collapse results.jsonl --matches 90 --of 100',
  ],
  async run([input = '-'], options, io, given) {
    const { output = '-', strict, damaged } = options;
    listFormat('-o', output);
    const { collapse } = await import('../../engine/collapse.ts');
    const { Losses } = await import('../losses.ts');
    const { readResults } = await import('../read-results.ts');
    const { writeRecords } = await import('../write-lines.ts');
    const files = await expandInputs([input], 'jsonl');
    await requireOwnFiles({ '-o': output }, files);
    const notes = new Losses(io);
    const onReject = (reject: Reject) => (strict ? fail('BAD_LINE', reject) : notes.add(reject));
    const onDamage = (damage: Damage) => (damaged === 'fail' ? fail('DAMAGED', damage) : notes.addDamage(damage));
    const ofRule = pick(given, collapseOptionNames);
    const run = async (index?: NonNullable<Parameters<typeof collapse>[1]>['index']) => {
      const kept = await collapse(
        readResults(files, index !== undefined, onReject, onDamage),
        { ...ofRule, ...(index && { index }) },
        flagOf,
      );
      // One line of the wrong kind is skipped; a file of them is a mistake.
      if (kept.length === 0 && notes.count > 0) fail('BAD_LINE', notes.first[0]!);
      notes.end();
      await writeRecords(io, output, async function* () {
        yield* kept;
      });
    };
    if (options.index === undefined) return run();
    const { withIndex } = await import('../index-commands.ts');
    return withIndex(options.index, { readOnly: true }, index => run(index));
  },
});
