/** `neardup filter`: documents as they are crawled → only the new ones, remembered in the index. */
import { fail } from '../../errors.ts';
import type { Document } from '../../model.ts';
import { withCommas } from '../../report/with-commas.ts';
import { command } from '../command.ts';
import { fileFlag } from '../flags.ts';
import { indexOptions, seedFlag } from '../index-options.ts';
import { inputOptions } from '../input-options.ts';
import type { Io } from '../io.ts';
import { many } from '../run/summary.ts';

export const filterCommand = command({
  name: 'filter',
  summary: 'pass on only documents that are new, and remember them in an index',
  arguments: [
    {
      name: 'inputs',
      help: 'files, folders, patterns, or - for standard input (the default)',
      many: true,
      optional: true,
    },
  ],
  options: [...indexOptions, ...inputOptions],
  flags: {
    index: { ...fileFlag('the folder of the index, or redis://host:port; made if it is missing'), placeholder: 'dir' },
    seed: seedFlag,
  },
  examples: [
    'crawler | neardup filter --index seen > new.jsonl',
    'neardup filter --index seen monday.jsonl --threshold 0.9 > new.jsonl',
  ],
  async run(inputs, options, io, given) {
    const { index: folder, seed } = options;
    if (folder === undefined)
      return fail('BAD_OPTION', { option: '--index', expected: 'the folder of an index', got: folder });
    const { exitCodeOf, readForIndex, withIndex } = await import('../index-commands.ts');
    return withIndex(folder, { ...given, seed }, async index => {
      const counts = { documents: 0, rejected: 0 };
      const lines = new WeakMap<Document, Uint8Array>();
      /** Ids passed on and not yet remembered. */
      const passed = new Set<string>();
      const documents = async function* () {
        const sources = inputs.length === 0 ? ['-'] : inputs;
        for await (const { document, raw, record } of readForIndex(sources, options, io, counts)) {
          lines.set(document, raw ?? Buffer.from(JSON.stringify(record)));
          yield document;
        }
      };
      // Written before it is remembered: should we be killed in between, it comes again, and is not lost.
      const onDecided = async ({ status }: { status: string }, document: Document) => {
        const { id } = document;
        // Of an id that is known the first verdict comes again; it was passed on then.
        if (status !== 'new' || passed.has(id) || (await index.verdictOf(id)) !== undefined) return;
        passed.add(id);
        await passOn(io, Buffer.concat([lines.get(document)!, newline]));
      };
      const seen: Record<string, number> = {};
      for await (const outcome of index.addAll(documents(), { onDecided })) {
        const isKnown = 'error' in outcome || (outcome.status === 'new' && !passed.delete(outcome.id));
        const what = 'error' in outcome ? 'refused' : isKnown ? 'known' : outcome.status;
        seen[what] = (seen[what] ?? 0) + 1;
        if ('error' in outcome) io.note(outcome.error.message);
      }
      const parts = ['new', 'known', 'exact', 'near', 'contained', 'refused'].map(
        name => `${withCommas(seen[name] ?? 0)} ${name}`,
      );
      io.note(`${many(counts.documents, 'document')}: ${parts.join(', ')}, ${withCommas(counts.rejected)} rejected`);
      return exitCodeOf(io, seen.refused ?? 0);
    });
  },
});

const newline = Buffer.from('\n');

/** Resolves when the system has it: what waits in our memory for a reader would be gone with us. */
function passOn({ stdout }: Pick<Io, 'stdout'>, line: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => stdout.write(line, error => (error ? reject(error) : resolve())));
}
