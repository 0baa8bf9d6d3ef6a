/** What a run over files is asked → files that can be read twice, and the request that an engine takes. */
import type { FilesRead, RunRequest, Watch } from '../engine/engine.ts';
import type { RunOptions } from '../engine/run-options.ts';
import type { SparkSettings } from '../engine/spark/connect/server.ts';
import { fail } from '../errors.ts';
import { isCompressed, isUrl } from '../formats/find/inputs.ts';
import type { NameOf } from '../options.ts';
import { openInputs } from './inputs.ts';
import type { Messages } from './losses.ts';
import { openDecisions } from './note-decisions.ts';
import type { BatchSettings } from './options.ts';
import { type NamedOutputs, requireOwnFiles } from './outputs.ts';
import type { Effort } from './summary.ts';

export interface Asked {
  /** Files, folders, patterns, or `-`. */
  readonly inputs: readonly string[];
  /** The files, folders or patterns of a reference set. */
  readonly protect?: readonly string[] | undefined;
  /** The file of a log of decisions. */
  readonly decisions?: string | undefined;
  readonly options: RunOptions;
  readonly settings: BatchSettings;
  /** The Spark to run on, if any. */
  readonly spark?: SparkSettings | undefined;
  /** Protect cells of CSV that a spreadsheet would take for a formula. */
  readonly csvSafe?: boolean | undefined;
}

/** Who receives the messages and the progress of a run. */
export interface Around {
  readonly messages: Messages;
  /** How errors name an option or an output. */
  readonly nameOf: NameOf;
  readonly watch?: Watch | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface StartedRun extends RunRequest {
  /** The time and bytes used so far. */
  readonly effort: (read: Pick<FilesRead, 'contentBytes'>) => Effort;
}

/** Works on what an engine has found. Then what the run keeps on disk goes, unless the run failed and may be resumed. */
export async function thenRelease<Result>(
  run: { release(isDone: boolean): void | Promise<void> },
  work: () => Promise<Result>,
): Promise<Result> {
  let isDone = false;
  try {
    const result = await work();
    isDone = true;
    return result;
  } finally {
    await run.release(isDone);
  }
}

/** `outputs`: the files that the run will write, by the names of their options. None of them may be an input. */
export async function startRun(asked: Asked, outputs: NamedOutputs, around: Around): Promise<StartedRun> {
  const begun = performance.now();
  const { inputs, protect = [], options, settings } = asked;
  const { jobs, memory, tmp, resume, master: _, ...reading } = settings;
  for (const [name, path] of Object.entries(asked.spark ? outputs : {}))
    if (name !== around.nameOf('output') && path !== undefined && isUrl(path))
      fail('BAD_COMBINATION', {
        what: `${name} ${path}`,
        why: 'only documents are written by Spark; name a file here',
      });
  const opened = await openInputs(inputs, reading, around.messages, tmp);
  const reference = await openInputs(protect, reading, around.messages, tmp);
  const log = asked.decisions;
  const decisions = await openDecisions(log, reading.strict, around.messages);
  await requireOwnFiles(outputs, [...opened.files, ...reference.files], undefined, log === undefined ? [] : [log]);
  return {
    files: {
      inputs: opened.files,
      reference: reference.files,
      brokenLinks: [...reference.brokenLinks, ...opened.brokenLinks],
    },
    reading,
    options,
    decisions,
    jobs,
    memory,
    tmp,
    resume,
    ...(asked.spark && { spark: asked.spark }),
    watch: around.watch,
    signal: around.signal,
    effort: ({ contentBytes }) => ({
      seconds: (performance.now() - begun) / 1000,
      bytes: opened.bytes,
      ...(opened.files.some(isCompressed) && { contentBytes }),
    }),
  };
}
