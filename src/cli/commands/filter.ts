/** `neardup filter`: documents as they are crawled → only the new ones, remembered in the index. */

import { inputOptionNames } from '../../batch/options.ts';
import { otherRecordsLines } from '../../batch/summary.ts';
import { fail } from '../../errors.ts';
import type { DocumentItem } from '../../formats/item.ts';
import { many } from '../../report/printable.ts';
import { withCommas } from '../../report/with-commas.ts';
import type { NearIndex } from '../../store/near-index.ts';
import { command } from '../app/command.ts';
import { csvSafeFlag, fileFlag, outputFlag, rejectsFlag } from '../app/flags.ts';
import { indexOptionHelp, indexOptions, seedFlag } from '../index/index-options.ts';

export const filterCommand = command({
  name: 'filter',
  summary: 'pass on only new documents, and remember them in an index',
  arguments: [
    {
      name: 'inputs',
      help: 'files, folders, patterns, or - for standard input (the default)',
      many: true,
      optional: true,
    },
  ],
  options: [...indexOptions, ...inputOptionNames],
  optionHelp: indexOptionHelp,
  flags: {
    index: { ...fileFlag('the folder of the index, or redis://host:port; created if missing'), placeholder: 'dir' },
    output: outputFlag('write them to this file, which must not exist yet, instead of standard output', 'o'),
    rejects: rejectsFlag,
    csvSafe: csvSafeFlag,
    seed: seedFlag,
  },
  examples: [
    'crawler | neardup filter --index seen > new.jsonl',
    'neardup filter --index strict monday.jsonl --threshold 0.9 > new.jsonl',
  ],
  async run(inputs, options, io, given) {
    const { index: folder, output = '-', rejects, seed } = options;
    if (folder === undefined)
      return fail('BAD_COMBINATION', {
        what: 'filter without --index',
        why: 'that is where it remembers what is known',
      });
    const stop = new AbortController();
    io.onInterrupt(signal => stop.abort(signal));
    const { recallOf, withIndex } = await import('../index/index-commands.ts');
    const { openIndexInputs } = await import('../index/index-inputs.ts');
    const { openPassingOn, passedOnAs } = await import('../index/passing-on.ts');
    const sources = inputs.length === 0 ? ['-'] : inputs;
    const reading = await openIndexInputs(
      sources,
      options,
      io,
      { '-o': output, '--rejects': rejects },
      folder,
      stop.signal,
    );
    const format = passedOnAs(output, reading.files);
    const passing = await openPassingOn(output, format);
    const filter = async (index: NearIndex) => {
      /** Passed on, and not yet remembered. */
      const passed = new Set<DocumentItem>();
      // Written before it is remembered: should we be killed in between, it comes again, and is not lost.
      const onDecided = async ({ status }: { status: string }, item: DocumentItem) => {
        if (status !== 'new') return;
        passed.add(item);
        await passing.passOn(item);
      };
      const seen: Record<string, number> = {};
      const following = { ...passing, onDecided, beforeRemembering: passing.sync };
      for await (const added of reading.addTo(index, following)) {
        for (const { verdict, item } of added) {
          const isPassed = passed.delete(item);
          if (!isPassed) await passing.leaveOut(item);
          const what = verdict.status === 'new' && !isPassed ? 'known' : verdict.status;
          seen[what] = (seen[what] ?? 0) + 1;
        }
      }
      await passing.close();
      if (stop.signal.aborted) io.note(`stopped by ${stop.signal.reason}: what was read is passed on and remembered`);
      const { refused, rejected } = reading;
      const counts: Record<string, number> = { ...seen, refused, rejected };
      const parts = ['new', 'known', 'exact', 'near', 'contained', 'refused', 'rejected'].map(
        name => `${withCommas(counts[name] ?? 0)} ${name}`,
      );
      io.note(`${many(reading.documents, 'document')}: ${parts.join(', ')}`);
      for (const line of [...otherRecordsLines(passing.others()), ...recallOf(index)]) io.note(line);
      return reading.exitCode();
    };
    try {
      return await withIndex(folder, { ...given, seed }, filter);
    } catch (error) {
      await passing.abort();
      throw error;
    }
  },
});
