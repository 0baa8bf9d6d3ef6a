/** How far a run is → a bar with stage, rate and time left, on a terminal only; and, of a large input, what it will take. */
import { statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import cliProgress from 'cli-progress';
import { manyComparisonsLine } from '../../batch/many-comparisons.ts';
import type { Watch } from '../../engine/engine.ts';
import type { RunOptions } from '../../engine/run-options.ts';
import { type InputFile, STANDARD_INPUT } from '../../formats/find/inputs.ts';
import { printable } from '../../report/printable.ts';
import { withCommas } from '../../report/with-commas.ts';
import type { Io } from '../app/io.ts';

/** Below this many bytes a run is over before an estimate is read. */
const LARGE = 10 ** 9;

/** The share of the time that each stage takes, as measured on texts of 2 KB; reading is for what has to be decompressed or converted. */
const weights: Readonly<Record<string, number>> = {
  read: 0.5,
  sketch: 0.65,
  ids: 0.02,
  'equal texts': 0.03,
  candidates: 0.08,
  verify: 0.12,
  write: 0.1,
};

type Estimate = Parameters<Watch['estimate']>[0];

export function createWatch(
  io: Io,
  limits: { readonly memory: number; readonly tmp?: string | undefined },
  options: RunOptions,
): Watch {
  const bar = showsProgress(io) ? createBar(io.stderr) : undefined;
  let bytes = 0;
  return {
    estimate(estimate) {
      bytes = estimate.bytes;
      if (bytes >= LARGE) for (const line of estimateLines(estimate, limits)) io.note(line);
    },
    stage: (name, done, of) => bar?.(name, done, of, bytes),
    many: group => io.warn(manyComparisonsLine(group, options)),
  };
}

function showsProgress({ stderr, quiet }: Io): boolean {
  return Boolean((stderr as Partial<NodeJS.WriteStream>).isTTY) && !quiet;
}

export interface ReadWatch {
  /** So many bytes more were read. */
  add(bytes: number): void;
  /** Notes that leave the bar whole. */
  readonly io: Io;
  stop(): void;
}

/** How far files are read; of standard input, whose size nobody knows, how much. */
export function createReadWatch(io: Io, stage: string, total: number | undefined): ReadWatch {
  if (!showsProgress(io)) return { add: () => {}, io, stop: () => {} };
  const started = performance.now();
  let bar: cliProgress.SingleBar | undefined;
  let done = 0;
  const stop = () => {
    bar?.stop();
    bar = undefined;
  };
  return {
    add(bytes) {
      done += bytes;
      const seconds = (performance.now() - started) / 1000;
      const rate = `${sizeOf(done / seconds)}/s`;
      const left = total === undefined ? '' : timeOf((seconds * Math.max(0, total - done)) / done);
      const shown = { stage, rate, left, read: sizeOf(done) };
      bar ??= startBar(io.stderr, total === undefined ? READ : SHARE, total ?? 1, shown);
      bar.update(Math.min(done, total ?? 0), shown);
    },
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

const SHARE = '{stage} [{bar}] {percentage}%  {rate}  {left} left';
const STAGES = '{stage} [{bar}] {percentage}%  {rate}{left} left';
const READ = '{stage} {read}  {rate}';

function startBar(stream: NodeJS.WritableStream, format: string, total: number, shown: object): cliProgress.SingleBar {
  const bar = new cliProgress.SingleBar({
    stream,
    format,
    barCompleteChar: '#',
    barIncompleteChar: '-',
    clearOnComplete: true,
    hideCursor: true,
  });
  bar.start(total, 0, shown);
  return bar;
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

type ShowStage = (name: string, done: number, of: number, bytes: number) => void;

function createBar(stream: NodeJS.WritableStream): ShowStage {
  const started = performance.now();
  const shares = new Map<string, number>();
  let bar: cliProgress.SingleBar | undefined;
  return (name, done, of, bytes) => {
    shares.set(name, done / of);
    bar ??= startBar(stream, STAGES, 1, { stage: name, rate: '', left: '' });
    const seconds = (performance.now() - started) / 1000;
    const share = shareDone(shares);
    const rate = name === 'sketch' && bytes > 0 ? `${sizeOf((bytes * done) / of / seconds)}/s  ` : '';
    bar.update(share, { stage: name.padEnd(11), rate, left: timeOf((seconds * (1 - share)) / Math.max(share, 0.001)) });
    if (done < of || (name !== 'verify' && name !== 'write')) return;
    // Lines are written next, here or to the terminal.
    bar.stop();
    bar = undefined;
  };
}

/** Stages before the last one that was heard of are done with; those after it are not begun. */
function shareDone(shares: ReadonlyMap<string, number>): number {
  const names = Object.keys(weights).filter(name => name !== 'read' || shares.has('read'));
  const last = names.findLastIndex(name => shares.has(name));
  const total = names.reduce((sum, name) => sum + weights[name]!, 0);
  const done = names.reduce((sum, name, i) => {
    const share = i < last ? 1 : i > last ? 0 : shares.get(name)!;
    return sum + weights[name]! * share;
  }, 0);
  return done / total;
}

function timeOf(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

function sizeOf(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const unit = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 2 ** (10 * unit);
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
