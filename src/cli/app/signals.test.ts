import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { listenForSignals } from './signals.ts';

/** Enough of a process to be sent signals; the real `exit` does not return either. */
function fakeProcess() {
  const exit = vi.fn((code: number) => {
    throw new Error(`exit ${code}`);
  });
  const process = Object.assign(new EventEmitter(), { exit });
  return { process, exit, onInterrupt: listenForSignals(process as unknown as NodeJS.Process) };
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGQUIT', 131],
])('%s ends the process with %i', (signal, code) => {
  const { process } = fakeProcess();
  expect(() => process.emit(signal)).toThrow(`exit ${code}`);
});

test.each(['SIGINT', 'SIGTERM'])('%s lets a command stop by itself, and the next signal ends it at once', signal => {
  const { process, exit, onInterrupt } = fakeProcess();
  const stop = vi.fn();
  onInterrupt(stop);
  process.emit(signal);
  expect(stop.mock.calls).toEqual([[signal]]);
  expect(exit).not.toHaveBeenCalled();
  expect(() => process.emit('SIGTERM')).toThrow('exit 143');
});

test.each(['SIGHUP', 'SIGQUIT'])('%s does not wait for a command to stop', signal => {
  const { process, onInterrupt } = fakeProcess();
  onInterrupt(() => {});
  expect(() => process.emit(signal)).toThrow(/^exit 1(29|31)$/);
});
