/** What `dedup`, `pairs` and `clusters` are asked → checked options and files that can be read. */

import type { FilesRead, RunRequest } from '../../engine/files.ts';
import { type GivenRunOptions, readExactOptions, readRunOptions, runOptionNames } from '../../engine/run-options.ts';
import { fail } from '../../errors.ts';
import { isCompressed } from '../../formats/inputs.ts';
import { flagOf, type GivenOptions, type Options } from '../../options.ts';
import { inputOptions, pick } from '../input-options.ts';
import type { Io } from '../io.ts';
import { type NamedOutputs, requireOwnFiles } from './outputs.ts';
import type { Effort } from './summary.ts';
import { createWatch } from './watch.ts';

/** How a run works, which changes nothing of its result. */
const workOptions = ['jobs', 'memory', 'tmp', 'resume'] as const;
export const runOptions = [...runOptionNames, ...inputOptions, ...workOptions] as const;

export const inputArguments = [
  { name: 'inputs', help: 'files, folders, patterns, or - for standard input', many: true },
];

export interface RunStart extends RunRequest {
  /** What it took so far. */
  readonly effort: (read: Pick<FilesRead, 'contentBytes'>) => Effort;
}

/** Everything that can be wrong about the options is found before a file is opened. */
export function requireRunOptions(
  given: GivenOptions,
  { measure, setField }: Options<'measure' | 'setField'>,
  exact = false,
): void {
  const ofRun = pick(given, runOptionNames);
  if (exact) readExactOptions(ofRun, flagOf);
  else readRunOptions(ofRun, flagOf);
  if (measure === 'edit' && setField !== undefined)
    fail('BAD_COMBINATION', { what: '--measure edit with --set-field', why: 'a set has no order to edit' });
}

export async function startRun(
  { inputs, protect = [] }: { readonly inputs: readonly string[]; readonly protect?: readonly string[] | undefined },
  options: Options<(typeof inputOptions)[number] | (typeof workOptions)[number]>,
  given: GivenOptions,
  outputs: NamedOutputs,
  io: Io,
): Promise<RunStart> {
  const begun = performance.now();
  const { openInputs } = await import('./inputs.ts');
  const { jobs, memory, tmp, resume, ...reading } = options;
  const { files, bytes, brokenLinks } = await openInputs(inputs, reading, io, tmp);
  const reference = await openInputs(protect, reading, io, tmp);
  await requireOwnFiles(outputs, [...files, ...reference.files]);
  return {
    files: {
      inputs: files,
      reference: reference.files,
      brokenLinks: [...reference.brokenLinks, ...brokenLinks],
    },
    reading,
    given: pick(given, runOptionNames) as GivenRunOptions,
    nameOf: flagOf,
    jobs,
    memory,
    tmp,
    resume,
    watch: createWatch(io, { memory, tmp }),
    effort: ({ contentBytes }) => ({
      seconds: (performance.now() - begun) / 1000,
      bytes,
      ...(files.some(isCompressed) && { contentBytes }),
    }),
  };
}
