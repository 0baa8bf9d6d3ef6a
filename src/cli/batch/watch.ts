/** How far a run is → a bar with stage, rate and time left, on a terminal only; and, of a large input, what it will take. */
import { statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { manyComparisonsLine } from '../../batch/many-comparisons.ts';
import type { Estimate, Watch } from '../../engine/engine.ts';
import type { RunOptions } from '../../engine/run-options.ts';
import { type InputFile, STANDARD_INPUT } from '../../formats/find/inputs.ts';
import { printable } from '../../report/printable.ts';
import { withCommas } from '../../report/with-commas.ts';
import type { Io } from '../app/io.ts';
import { sizeOf, timeOf } from './amounts.ts';

/** Below this many bytes a run is over before an estimate is read. */
const LARGE = 10 ** 9;

export async function createWatch(
  io: Io,
  limits: { readonly memory: number; readonly tmp?: string | undefined },
  options: RunOptions,
): Promise<Watch & { stop(): void }> {
  const bar = showsProgress(io) ? (await import('./bar.ts')).createBar(io.stderr) : undefined;
  let bytes = 0;
  return {
    estimate(estimate) {
      bytes = estimate.bytes;
      if (bytes >= LARGE) for (const line of estimateLines(estimate, limits)) io.note(line);
    },
    stage: (name, done, of) => bar?.show(name, done, of, bytes),
    many: group => io.warn(manyComparisonsLine(group, options)),
    stop: () => bar?.stop(),
  };
}

function showsProgress({ stderr, quiet }: Io): boolean {
  return Boolean((stderr as Partial<NodeJS.WriteStream>).isTTY) && !quiet;
}

interface ReadWatch {
  /** So many bytes more were read. */
  add(bytes: number): void;
  /** Notes that leave the bar whole. */
  readonly io: Io;
  stop(): void;
}

/** How far files are read; of standard input, whose size nobody knows, how much. */
export async function createReadWatch(io: Io, stage: string, total: number | undefined): Promise<ReadWatch> {
  if (!showsProgress(io)) return { add: () => {}, io, stop: () => {} };
  const { createReadBar } = await import('./bar.ts');
  const { add, stop } = createReadBar(io.stderr, stage, total);
  return {
    add,
    io: {
      ...io,
      note(line) {
        stop();
        io.note(line);
      },
      warn(line) {
        stop();
        io.warn(line);
      },
    },
    stop,
  };
}

/** Stored bytes; undefined when one of the files has no size before it is read. */
export function sizeOfFiles(files: readonly InputFile[]): number | undefined {
  const sizes = files.map(({ path, stored = path }) =>
    stored === STANDARD_INPUT ? undefined : statSync(stored, { throwIfNoEntry: false }),
  );
  if (!sizes.every(found => found?.isFile())) return undefined;
  return sizes.reduce((sum, found) => sum + found!.size, 0);
}

function estimateLines(
  { bytes, documents, seconds, disk, memory }: Estimate,
  limits: Parameters<typeof createWatch>[1],
) {
  const tmp = limits.tmp ?? tmpdir();
  const lines = [
    `${sizeOf(bytes)} of lines, some ${withCommas(documents)} documents: about ${timeOf(seconds)}, ` +
      `${sizeOf(disk)} of temporary files, ${sizeOf(memory)} of memory and more, up to --memory ${sizeOf(limits.memory)}`,
  ];
  if (memory > limits.memory) lines.push(`warning: so many documents need more than --memory ${sizeOf(limits.memory)}`);
  const { bavail, bsize } = statfsSync(tmp);
  if (bavail * bsize < disk)
    lines.push(
      printable(`warning: ${tmp} has room for ${sizeOf(bavail * bsize)} only; name another folder with --tmp`),
    );
  return lines;
}
