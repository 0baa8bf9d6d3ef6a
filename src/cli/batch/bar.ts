/** How far a run is → a bar on the terminal, with stage, rate and time left. Loaded only where there is a terminal. */
import cliProgress from 'cli-progress';
import { sizeOf, timeOf } from './amounts.ts';

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

interface StageBar {
  show(name: string, done: number, of: number, bytes: number): void;
  stop(): void;
}

export function createBar(stream: NodeJS.WritableStream): StageBar {
  const started = performance.now();
  const shares = new Map<string, number>();
  let bar: cliProgress.SingleBar | undefined;
  const stop = () => {
    bar?.stop();
    bar = undefined;
  };
  return {
    show(name, done, of, bytes) {
      shares.set(name, done / of);
      bar ??= startBar(stream, STAGES, 1, { stage: name, rate: '', left: '' });
      const seconds = (performance.now() - started) / 1000;
      const share = shareDone(shares);
      const rate = name === 'sketch' && bytes > 0 ? `${sizeOf((bytes * done) / of / seconds)}/s  ` : '';
      const left = timeOf((seconds * (1 - share)) / Math.max(share, 0.001));
      bar.update(share, { stage: name.padEnd(11), rate, left });
      // Lines are written next, here or to the terminal.
      if (done >= of && (name === 'verify' || name === 'write')) stop();
    },
    stop,
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

interface ReadBar {
  add(bytes: number): void;
  stop(): void;
}

/** How far files are read; of an unknown total, how much. */
export function createReadBar(stream: NodeJS.WritableStream, stage: string, total: number | undefined): ReadBar {
  const started = performance.now();
  let bar: cliProgress.SingleBar | undefined;
  let done = 0;
  return {
    add(bytes) {
      done += bytes;
      const seconds = (performance.now() - started) / 1000;
      const rate = `${sizeOf(done / seconds)}/s`;
      const left = total === undefined ? '' : timeOf((seconds * Math.max(0, total - done)) / done);
      const shown = { stage, rate, left, read: sizeOf(done) };
      bar ??= startBar(stream, total === undefined ? READ : SHARE, total ?? 1, shown);
      bar.update(Math.min(done, total ?? 0), shown);
    },
    stop() {
      bar?.stop();
      bar = undefined;
    },
  };
}
