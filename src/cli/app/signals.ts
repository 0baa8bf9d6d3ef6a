/** A signal that asks the process to end → its exit code, once what is half-written is removed. */
import { constants } from 'node:os';

/** The signals that a command may answer by coming to an end of its own. */
type StopSignal = 'SIGINT' | 'SIGTERM';

/** Takes the place of an earlier `stop`. */
export type OnInterrupt = (stop: (signal: StopSignal) => void) => void;

/** Why a run failed that was told to stop: its user knows. */
export class Interrupted extends Error {
  override readonly name = 'AbortError';
  readonly signal: StopSignal;

  constructor(signal: StopSignal) {
    super(`stopped by ${signal}`);
    this.signal = signal;
  }
}

/** As shells count them: 130 for SIGINT, 143 for SIGTERM. */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/**
 * Every signal ends the process through its `exit` listeners, which remove temporary files. A command that gave a
 * `stop` gets the first SIGINT or SIGTERM instead; the next signal ends it at once.
 */
export function listenForSignals(process: Pick<NodeJS.Process, 'on' | 'exit'>): OnInterrupt {
  let stop: ((signal: StopSignal) => void) | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (!stop) process.exit(exitCodeOf(signal));
      const stopOnce = stop;
      stop = undefined;
      stopOnce(signal);
    });
  // A terminal that is gone and Ctrl-\ do not wait for a batch to be finished.
  for (const signal of ['SIGHUP', 'SIGQUIT'] as const) process.on(signal, () => process.exit(exitCodeOf(signal)));
  return newStop => {
    stop = newStop;
  };
}
