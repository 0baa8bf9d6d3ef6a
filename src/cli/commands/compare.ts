/** `neardup compare`: two documents → all measures, exact and estimated, and the passages they share. */

import { inputOptionNames } from '../../batch/options.ts';
import { fail } from '../../errors.ts';
import { writeWhole } from '../../formats/sink.ts';
import { flagOf, type Options, type OptionValue } from '../../options.ts';
import { printable } from '../../report/printable.ts';
import { command } from '../app/command.ts';
import { jsonFlag, parsePage, repeatedFlag } from '../app/flags.ts';
import type { InputDocument } from '../input/read-inputs.ts';
import type { ComparedSide } from '../output/compare-text.ts';

/** Two unlike texts whose lengths have a larger product take the edit distance a minute or more. */
const SLOW_EDIT_CELLS = 1e11;

export const compareCommand = command({
  name: 'compare',
  summary: 'compare two documents: all measures, exact and estimated, and the passages they share',
  arguments: [
    { name: 'a', help: 'a file that is one document, or file#id for one of many' },
    { name: 'b', help: 'the other' },
  ],
  options: [
    'shingle',
    'sketch',
    'bits',
    'matches',
    'normalise',
    'seed',
    ...inputOptionNames.filter(name => name !== 'html'),
  ],
  flags: {
    html: repeatedFlag(
      'file',
      'write both texts side by side as a page; auto, always or never: how HTML is read',
      parseHtml,
    ),
    json: jsonFlag,
  },
  examples: [
    'neardup compare draft.txt final.txt',
    'neardup compare draft.txt final.txt --html compared.html',
    'neardup compare corpus.jsonl#17 corpus.jsonl#42 --json',
    'neardup compare old.html new.html --sketch minhash:100 --matches 90',
    'neardup compare sites.jsonl#a sites.jsonl#b --set-field terms --sketch mod:4',
  ],
  async run(args, options, io) {
    const { page, reading } = readHtmlFlag(options.html ?? []);
    requireTogether(options, page);
    const { sketcherWith } = await import('../../engine/sketcher.ts');
    const { compareUsing, passagesUsing } = await import('../../engine/calls/compare.ts');
    const { parseReference, pickTwo } = await import('../input/pick-documents.ts');
    const { compareLines } = await import('../output/compare-text.ts');

    const sketcher = await sketcherWith(options, flagOf);
    const references = [parseReference(args[0]!), parseReference(args[1]!)] as const;
    const [documentA, documentB] = await pickTwo(
      references,
      { ...options, html: reading, paragraphs: page !== undefined },
      io,
      {
        '--html': page,
      },
    );
    const sideOf = (document: InputDocument): ComparedSide => ({
      ...document,
      size: sketcher.set(document).length,
      sketch: sketcher.sketch(document),
    });
    const [a, b] = [sideOf(documentA), sideOf(documentB)];
    for (const line of warnings(a, b)) io.note(line);

    const comparison = compareUsing(sketcher, a, b);
    const passages = passagesUsing(sketcher, a, b);
    if (page !== undefined) {
      const { comparisonPage } = await import('../output/comparison-page.ts');
      const [textA, textB] = [textOf(a), textOf(b)];
      await writeWhole(page, comparisonPage(textA, textB, comparison, passages, sketcher.options));
      io.note(`page written to ${page}`);
    }
    const verdict = options.matches === undefined ? {} : { similar: await areSimilar(a, b, options.matches) };
    if (options.json) io.write(JSON.stringify({ ...comparison, ...verdict }));
    else io.write([...compareLines(a, b, comparison, passages), ...verdictLines(verdict, options.matches)].join('\n'));
  },
});

function textOf({ id, text = '' }: ComparedSide): { id: string; text: string } {
  return { id, text };
}

/** `--html` says two things: where the page goes and, as everywhere, how HTML is read. A file called `always` is `./always`. */
function readHtmlFlag(given: readonly string[]): { page: string | undefined; reading: OptionValue<'html'> } {
  const isMode = (value: string): value is OptionValue<'html'> => /^(auto|always|never)$/.test(value);
  return { page: given.findLast(value => !isMode(value)), reading: given.findLast(isMode) ?? 'auto' };
}

function parseHtml(given: string, option: string): string {
  return parsePage(given, option, ['.html', '.htm']);
}

type Given = Options<'setField' | 'sketch' | 'bits' | 'matches'>;

function requireTogether({ setField, sketch, bits, matches }: Given, page: string | undefined): void {
  if (setField !== undefined && page !== undefined)
    fail('BAD_COMBINATION', { what: '--html with --set-field', why: 'sets have no text to show side by side' });
  if (matches === undefined) return;
  if (sketch.kind !== 'minhash' || bits !== 32)
    fail('BAD_COMBINATION', {
      what: '--matches',
      why: 'it counts equal minima: it needs --sketch minhash, all bits kept',
    });
  if (matches > sketch.size)
    fail('BAD_COMBINATION', { what: `--matches ${matches}`, why: `the sketch has only ${sketch.size} minima` });
}

function* warnings(a: ComparedSide, b: ComparedSide): Iterable<string> {
  for (const { id, size, text } of [a, b])
    if (size === 0)
      yield text === undefined
        ? `${printable(id)} has no elements: only another empty set resembles it`
        : `${printable(id)} has no words: only an equal text resembles it`;
  if ((a.text?.length ?? 0) * (b.text?.length ?? 0) > SLOW_EDIT_CELLS)
    yield 'the edit similarity of texts this long may take minutes, if they are unlike';
}

async function areSimilar(a: ComparedSide, b: ComparedSide, matches: number): Promise<boolean> {
  const { agreesInAtLeast } = await import('../../sketch/minhash.ts');
  const { requireKind } = await import('../../sketch/sketch.ts');
  return agreesInAtLeast(requireKind(a.sketch, 'minhash'), requireKind(b.sketch, 'minhash'), matches);
}

function verdictLines({ similar }: { similar?: boolean }, matches: number | undefined): string[] {
  if (similar === undefined) return [];
  return [
    '',
    `${similar ? 'similar' : 'not similar'}: ${similar ? 'at least' : 'fewer than'} ${matches} minima are equal`,
  ];
}
