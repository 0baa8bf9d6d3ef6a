/** `neardup search`: query documents → the documents like them, in files or in an index, best first. */

import { inputOptionNames } from '../../batch/options.ts';
import { listFormat, requireOwnFiles } from '../../batch/outputs.ts';
import { fail } from '../../errors.ts';
import { STANDARD_INPUT } from '../../formats/find/inputs.ts';
import { STANDARD_OUTPUT } from '../../formats/sink.ts';
import { flagOf, type GivenOptions, type Options, options as optionTable } from '../../options.ts';
import { command, type FlagValues } from '../app/command.ts';
import { csvSafeFlag, fileFlag, filesFlag, integerFlag, jsonLinesFlag, outputFlag } from '../app/flags.ts';
import type { Io } from '../app/io.ts';
import { indexOptionHelp, indexOptions, seedFlag } from '../index/index-options.ts';

const LIMIT = 10;
const options = [...indexOptions, ...inputOptionNames] as const;
/** Of LSH, which `--in` does without. */
const lshOptions = ['sketch', 'lsh', 'recall'] as const;
const flags = {
  in: filesFlag('the documents to search'),
  index: { ...fileFlag('the folder of an index to search, or redis://host:port'), placeholder: 'dir' },
  output: outputFlag('write the results here instead of standard output', 'o'),
  csvSafe: csvSafeFlag,
  limit: { ...integerFlag('n', 'most results for each query', 1, 2 ** 32), default: LIMIT },
  seed: seedFlag,
  json: jsonLinesFlag,
};

type Values = Options<(typeof options)[number]> & FlagValues<typeof flags>;
type Given = GivenOptions<(typeof options)[number]>;

export const searchCommand = command({
  name: 'search',
  summary: 'find near-duplicates of query documents, in files or in an index',
  arguments: [{ name: 'queries', help: 'files, folders, patterns, or - for standard input', many: true }],
  options,
  optionHelp: {
    ...indexOptionHelp,
    ...Object.fromEntries(lshOptions.map(name => [name, `with --index: ${optionTable[name].help}`])),
  },
  flags,
  examples: [
    'neardup search essay.txt --in essays/ --threshold 0.5',
    'neardup search new.jsonl --index seen --limit 3',
  ],
  async run(queries, options, io, given) {
    const { index: folder, in: inputs, output = STANDARD_OUTPUT } = options;
    if ((folder === undefined) === (inputs === undefined))
      fail('BAD_COMBINATION', { what: '--in and --index', why: 'say what to search with one of them' });
    if (queries.includes(STANDARD_INPUT) && inputs?.includes(STANDARD_INPUT))
      fail('BAD_COMBINATION', { what: 'search - --in -', why: 'standard input can be read only once' });
    const idle = lshOptions.find(name => given[name] !== undefined);
    if (inputs && idle)
      fail('BAD_COMBINATION', {
        what: `${flagOf(idle)} with --in`,
        why: 'files are searched exactly, without sketches',
      });
    listFormat('-o', output);
    return folder === undefined
      ? searchFiles(queries, inputs!, options, io)
      : searchIndex(queries, folder, options, io, given);
  },
});

/** The documents pass by the queries once; nothing of them is kept but the results. */
async function searchFiles(
  queries: readonly string[],
  inputs: readonly string[],
  options: Values,
  io: Io,
): Promise<void> {
  const { openScan } = await import('../../engine/calls/scan.ts');
  const { expandInputs } = await import('../../formats/find/inputs.ts');
  const { readDocuments } = await import('../../formats/read.ts');
  const { seedFrom } = await import('../../store/secret-seed.ts');
  const { readInputs } = await import('../input/read-inputs.ts');
  const { createReadWatch, sizeOfFiles } = await import('../batch/watch.ts');
  const { writeRecords } = await import('../output/write-lines.ts');
  const { output = STANDARD_OUTPUT, seed, limit = LIMIT } = options;
  const skipBrokenLinks = options.strict ? {} : { brokenLink: () => {} };
  const files = await expandInputs(inputs, options.format, skipBrokenLinks);
  await requireOwnFiles({ '-o': output }, [
    ...(await expandInputs(queries, options.format, skipBrokenLinks)),
    ...files,
  ]);

  const ids: string[] = [];
  const contents = async function* () {
    for await (const query of readInputs(queries, options, io)) {
      ids.push(query.id);
      yield query;
    }
  };
  const wanted = { ...options, seed: seedFrom(seed, '--seed') ?? optionTable.seed.default };
  const scan = await openScan(contents(), wanted, limit, flagOf);
  const watch = await createReadWatch(io, 'search', sizeOfFiles(files));
  const readWatched: typeof readDocuments = (files, reading) =>
    readDocuments(
      Array.from(files, file => ({ ...file, onRead: watch.add })),
      reading,
    );
  try {
    for await (const document of readInputs(inputs, options, watch.io, { read: readWatched })) scan.see(document);
  } finally {
    watch.stop();
  }
  await writeRecords(
    io,
    output,
    async function* () {
      let at = 0;
      for (const results of scan.results()) {
        const query = ids[at++];
        yield results.map(result => ({ query, ...result }));
      }
    },
    options,
  );
}

async function searchIndex(
  queries: readonly string[],
  folder: string,
  options: Values,
  io: Io,
  given: Given,
): Promise<number> {
  const { recallOf, withIndex } = await import('../index/index-commands.ts');
  const { openIndexInputs } = await import('../index/index-inputs.ts');
  const { writeRecords } = await import('../output/write-lines.ts');
  const { output = STANDARD_OUTPUT, seed, limit = LIMIT, threshold, measure } = options;
  const asked = await openIndexInputs(queries, options, io, { '-o': output }, folder);
  // Of a search, not of the index.
  const { threshold: givenThreshold, measure: givenMeasure, ...made } = given;
  const settings = {
    limit,
    ...(givenThreshold !== undefined && { threshold }),
    ...(givenMeasure !== undefined && { measure }),
  };
  return withIndex(folder, { ...made, seed, readOnly: true }, async index => {
    await writeRecords(
      io,
      output,
      async function* () {
        for await (const group of asked.read())
          for (const { document } of group) {
            // Its own id is for the answer; the documents of an index have theirs.
            const { id: query, ...content } = document;
            yield (await index.search(content, settings)).map(result => ({ query, ...result }));
          }
      },
      options,
    );
    await asked.end();
    for (const line of recallOf(index)) io.note(line);
    return asked.exitCode();
  });
}
