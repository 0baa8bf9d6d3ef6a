/** `neardup compare`: two documents → all measures, exact and estimated, and the passages they share. */
import type { Comparison } from '../../engine/compare.ts';
import { fail } from '../../errors.ts';
import { flagOf, options as optionTable } from '../../options.ts';
import { command } from '../command.ts';
import { jsonFlag, repeatedFlag } from '../flags.ts';
import { inputOptions, pick } from '../input-options.ts';
import { writeResult } from '../write-file.ts';

/** Two unlike texts whose lengths have a larger product take the edit distance a minute or more. */
const SLOW_EDIT_CELLS = 1e11;

export const compareCommand = command({
  name: 'compare',
  summary: 'compare two documents: all measures, exact and estimated, and the passages they share',
  arguments: [
    { name: 'a', help: 'a file that is one document, or file#id for one of many' },
    { name: 'b', help: 'the other' },
  ],
  options: ['shingle', 'sketch', 'bits', 'matches', 'normalise', 'seed', ...inputOptions.filter(name => name !== 'html')],
  flags: {
    html: repeatedFlag('file', 'write both texts side by side as a page; auto, always or never: how HTML is read', nonEmpty),
    json: jsonFlag,
  },
  examples: [
    'neardup compare draft.txt final.txt',
    'neardup compare draft.txt final.txt --html compared.html',
    'neardup compare corpus.jsonl#17 corpus.jsonl#42 --json',
    'neardup compare old.html new.html --sketch minhash:100 --matches 90',
    'neardup compare sites.jsonl#a sites.jsonl#b --set-field terms --sketch mod:4',
  ],
  async run(args, options, io, given) {
    const { page, reading } = readHtmlFlag(options.html ?? []);
    const { matches, setField, sketch } = options;
    requireTogether({ page, setField, matches, sketch });
    const { createSketcher, sketcherOptions } = await import('../../engine/sketcher.ts');
    const { compareUsing, passagesUsing } = await import('../../engine/compare.ts');
    const { agreesInAtLeast } = await import('../../sketch/minhash.ts');
    const { requireKind } = await import('../../sketch/sketch.ts');
    const { parseReference, pickTwo } = await import('../pick-documents.ts');
    const { compareLines } = await import('../compare-text.ts');

    const sketcher = await createSketcher(pick(given, sketcherOptions), flagOf);
    const references = [parseReference(args[0]!), parseReference(args[1]!)] as const;
    const [a, b] = (await pickTwo(references, { ...options, html: reading }, io)).map(({ document }) => ({
      document,
      id: document.id,
      text: document.text,
      size: sketcher.set(document).length,
      sketch: sketcher.sketch(document),
    })) as [Side, Side];
    for (const { id, size } of [a, b])
      if (size === 0) io.note(`${id} has ${setField === undefined ? 'no words' : 'no elements'}: it resembles nothing`);
    if ((a.text?.length ?? 0) * (b.text?.length ?? 0) > SLOW_EDIT_CELLS)
      io.note('the edit similarity of two texts this long may take minutes');

    const comparison = compareUsing(sketcher, a.document, b.document);
    const passages = passagesUsing(sketcher, a.document, b.document);
  },
});
