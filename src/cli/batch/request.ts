/** The flags of `dedup`, `pairs` and `clusters` → what a run over files is asked, and whom it talks to. */
import { type BatchSettings, inputOptionNames, runOptionsFrom, workOptionNames } from '../../batch/options.ts';
import { sparkSettings } from '../../batch/spark-settings.ts';
import type { Around, Asked } from '../../batch/start-run.ts';
import { type RunOptions, runOptionNames } from '../../engine/run-options.ts';
import { flagOf, type GivenOptions, type NameOf, type Options, pick } from '../../options.ts';
import type { FlagValues } from '../app/command.ts';
import { repeatedFlag, valueFlag } from '../app/flags.ts';
import type { Io } from '../app/io.ts';
import { Interrupted } from '../app/signals.ts';
import { createWatch } from './watch.ts';

export const sparkFlags = {
  sparkConf: repeatedFlag('key=value', 'a setting for the Spark that neardup starts; may be repeated', String),
  sparkNode: valueFlag(
    'path',
    'Node on the executors (default: node), or a .tgz with bin/node to ship to them',
    given => String(given),
  ),
};

/** Everything that can be wrong about the options is found before a file is opened. */
export function readRunFlags(
  options: Partial<Options<(typeof runOptionNames)[number] | 'setField'>>,
  given: GivenOptions,
  exact = false,
): RunOptions {
  return runOptionsFrom(pick(options, [...runOptionNames, 'setField']), given, flagOf, exact);
}

/** What all runs over files have flags for, besides what decides who is a duplicate. */
export type RunFlags = BatchSettings & FlagValues<typeof sparkFlags> & Pick<Asked, 'protect' | 'decisions' | 'csvSafe'>;

export function askedOf(inputs: readonly string[], flags: RunFlags, options: RunOptions): Asked {
  const { protect, decisions, csvSafe } = flags;
  const settings = pick(flags, [...inputOptionNames, ...workOptionNames]) as BatchSettings;
  const spark = sparkSettings(flags, flags, nameOfFlag);
  return { inputs, protect, decisions, options, settings, spark, csvSafe };
}

/** However the run ends, its bar does: it would keep the process alive, and hide the cursor. */
export async function withAround<Result>(
  io: Io,
  { options, settings, spark }: Asked,
  run: (around: Around) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  // Runs here end with the process; a server of Spark has to be told.
  if (spark) io.onInterrupt(signal => stop.abort(new Interrupted(signal)));
  const watch = await createWatch(io, settings, options);
  try {
    return await run({ messages: io, nameOf: nameOfFlag, watch, ...(spark && { signal: stop.signal }) });
  } finally {
    watch.stop();
  }
}

/** Users know the output as `-o`. */
export const nameOfFlag: NameOf = name => (name === 'output' ? '-o' : flagOf(name));
