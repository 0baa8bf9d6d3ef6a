/** `neardup collapse`: a ranked list of results → the same list with near-duplicates folded under the first of them. */

import { listFormat, requireOwnFiles } from '../../batch/outputs.ts';
import { collapseOptionNames } from '../../engine/calls/alike.ts';
import { fail } from '../../errors.ts';
import { expandInputs } from '../../formats/find/inputs.ts';
import type { FileDamage, Reject } from '../../formats/item.ts';
import { withFieldTexts } from '../../formats/json/raw-json.ts';
import { flagOf, pick } from '../../options.ts';
import { many } from '../../report/printable.ts';
import { command } from '../app/command.ts';
import { csvSafeFlag, fileFlag, jsonLinesFlag, outputFlag } from '../app/flags.ts';
import { indexOptionHelp } from '../index/index-options.ts';
import type { ResultLine } from '../input/read-results.ts';

export const collapseCommand = command({
  name: 'collapse',
  summary: 'fold near-duplicates in a ranked list of results under the first of them',
  arguments: [{ name: 'results', help: 'a file of JSON lines, or - for standard input (the default)', optional: true }],
  options: [...collapseOptionNames, 'strict', 'damaged'],
  optionHelp: indexOptionHelp,
  flags: {
    index: { ...fileFlag('an index with the documents of results that have no text'), placeholder: 'dir' },
    output: outputFlag('write the results here instead of standard output', 'o'),
    csvSafe: csvSafeFlag,
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
    const { collapse } = await import('../../engine/calls/collapse.ts');
    const { watched } = await import('../../batch/inputs.ts');
    const { Losses } = await import('../../batch/losses.ts');
    const { requireUnchanged } = await import('../../files/unchanged.ts');
    const { readResults } = await import('../input/read-results.ts');
    const { writeJsonTexts } = await import('../output/write-lines.ts');
    const found = await expandInputs([input], 'jsonl');
    await requireOwnFiles({ '-o': output }, found, options.index);
    const files = await Promise.all(found.map(watched));
    const notes = new Losses(io);
    const onReject = (reject: Reject) => (strict ? fail('BAD_LINE', reject) : notes.add(reject));
    const onDamage = (damage: FileDamage) => (damaged === 'fail' ? fail('DAMAGED', damage) : notes.addDamage(damage));
    const ofRule = pick(given, collapseOptionNames);
    const run = async (index?: NonNullable<Parameters<typeof collapse>[1]>['index']) => {
      const uncompared = new Set<object>();
      const onUncompared = (result: object) => void uncompared.add(result);
      const settings = { ...ofRule, onUncompared, ...(index && { index }) };
      const stays = await collapse(readResults(files, onReject, onDamage), settings, flagOf);
      await requireUnchanged(files);
      // One line of the wrong kind is skipped; a file of them is a mistake.
      if (stays.length === 0 && notes.count > 0) fail('BAD_LINE', notes.first[0]!);
      notes.end();
      if (uncompared.size > 0) io.warn(uncomparedLine(uncompared.size, index !== undefined));
      await writeJsonTexts(
        io,
        output,
        function* () {
          for (const result of stays) yield uncompared.has(result) ? bytesOf(result.line) : withSimilar(result);
        },
        options,
      );
    };
    if (options.index === undefined) return run();
    const { withIndex } = await import('../index/index-commands.ts');
    return withIndex(options.index, { readOnly: true }, index => run(index));
  },
});

function uncomparedLine(count: number, hasIndex: boolean): string {
  const what = hasIndex ? 'text, set or id that the index knows' : 'text or set';
  return `warning: ${many(count, 'result')} without a ${what} left in place, not compared`;
}

/** The line as it came, and the folded ones as they came. */
function withSimilar({ line, similar }: { readonly line: string; readonly similar?: unknown }): Uint8Array {
  const folded = (similar as readonly ResultLine[]).map(result => result.line).join(',');
  return withFieldTexts(bytesOf(line), new Map([['similar', bytesOf(`[${folded}]`)]]));
}

function bytesOf(line: string): Uint8Array {
  return Buffer.from(line, 'latin1');
}
