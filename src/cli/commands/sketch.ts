/** `neardup sketch`: documents → their sketches, as JSON lines or Parquet; sets → their minima under explicit permutations. */

import { inputOptionNames } from '../../batch/options.ts';
import { STANDARD_OUTPUT } from '../../formats/sink.ts';
import { flagOf } from '../../options.ts';
import { count } from '../../report/printable.ts';
import { command, inputArguments } from '../app/command.ts';
import { fileFlag, integerFlag, repeatedFlag, switchFlag } from '../app/flags.ts';
import { parseOrdering, parseSketchFile, parseTable, requireTogether } from '../output/sketch-flags.ts';

export const sketchCommand = command({
  name: 'sketch',
  summary: 'export the sketches of documents as JSON lines or Parquet',
  arguments: inputArguments,
  options: ['sketch', 'shingle', 'bits', 'normalise', 'seed', ...inputOptionNames],
  flags: {
    output: { ...fileFlag('write here (.jsonl, .jsonl.gz, .jsonl.zst or .parquet)', 'o'), parse: parseSketchFile },
    binary: switchFlag('each sketch as its versioned bytes, in base64, instead of its values'),
    meta: integerFlag('N', 'with --sketch super: only the smallest N super shingles', 1, 4096),
    ordering: repeatedFlag('a,b,c', 'for sets: the first element in this ordering; may be repeated', parseOrdering),
    permutation: repeatedFlag('p0,p1,p2', 'for sets of numbers from 0: their images under this table', parseTable),
    blackBox: integerFlag('I', 'for sets of 64-bit numbers: their images under seeded permutation I', 0, 4095),
  },
  examples: [
    'neardup sketch corpus.jsonl -o sketches.parquet',
    'neardup sketch corpus.jsonl --sketch minhash:200 --bits 1 --binary',
    'neardup sketch corpus.jsonl --sketch mod:auto',
    'neardup sketch sets.jsonl --set-field set --ordering cat,dog,mouse,banana --ordering banana,mouse,cat,dog',
    'neardup sketch numbers.jsonl --set-field set --permutation 2,4,3,1,7,6,5,0',
  ],
  async run(inputs, options, io, given) {
    requireTogether(options, given);
    const { sketcherWith } = await import('../../engine/sketcher.ts');
    const { sketchRecords } = await import('../output/sketch-records.ts');
    const { readInputs } = await import('../input/read-inputs.ts');
    const { outputFormat } = await import('../../formats/name.ts');
    const { openWriter } = await import('../../formats/write.ts');

    const sketcher = await sketcherWith(options, flagOf);
    const { output = STANDARD_OUTPUT } = options;
    const writer = await openWriter(output, outputFormat(output, 'jsonl'));
    let written = 0;
    try {
      const documents = readInputs(inputs, options, io, {
        outputs: { '-o': output },
        isPrinting: output === STANDARD_OUTPUT,
      });
      for await (const record of sketchRecords(documents, sketcher, options, io)) {
        await writer.write({ record });
        written++;
      }
    } catch (error) {
      await writer.abort();
      throw error;
    }
    if (written === 0) {
      await writer.abort();
      return 1; // every document was noted as one that cannot be permuted
    }
    await writer.close();
    if (options.output !== undefined) io.note(`${count(written, 'sketch')} written to ${options.output}`);
    return 0;
  },
});
