import { EventEmitter } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { createIo, quietly } from './io.ts';

/** Enough of a process to be interrupted. */
function fakeProcess({ isTTY = false, env = {} }: { isTTY?: boolean; env?: Record<string, string> } = {}) {
  const stream = () => ({ isTTY, write: vi.fn() });
  const exit = vi.fn();
  const process = Object.assign(new EventEmitter(), { env, exit, stdin: {}, stdout: stream(), stderr: stream() });
  return { process, exit, io: createIo(process as unknown as NodeJS.Process) };
}

describe('SIGINT', () => {
  test('ends the process with 130 when nobody has anything to put in order', () => {
    const { process, exit } = fakeProcess();
    // the real exit does not return
    exit.mockImplementation(() => {
      throw new Error('gone');
    });
    expect(() => process.emit('SIGINT')).toThrow('gone');
    expect(exit).toHaveBeenCalledWith(130);
  });

  test('lets a command stop by itself, and ends it at once the second time', () => {
    const { process, exit, io } = fakeProcess();
    exit.mockImplementation(() => {
      throw new Error('gone');
    });
    const stop = vi.fn();
    io.onInterrupt(stop);
    process.emit('SIGINT');
    expect(stop).toHaveBeenCalledOnce();
    expect(exit).not.toHaveBeenCalled();
    expect(() => process.emit('SIGINT')).toThrow('gone');
  });

  test('and SIGTERM stop alike; without a command that listens, SIGTERM is left to the system', () => {
    const { process, io } = fakeProcess();
    expect(process.listenerCount('SIGTERM')).toBe(0);
    const stop = vi.fn();
    io.onInterrupt(stop);
    process.emit('SIGTERM');
    expect(stop).toHaveBeenCalledOnce();
  });
});

describe('colour', () => {
  test.each([
    [{ isTTY: true }, true],
    [{ isTTY: false }, false],
    [{ isTTY: true, env: { NO_COLOR: '1' } }, false],
    [{ isTTY: true, env: { NO_COLOR: '' } }, true],
    [{ isTTY: true, env: { TERM: 'dumb' } }, false],
  ])('%o → %s', (given, color) => {
    expect(fakeProcess(given).io.color).toBe(color);
  });
});

test('quiet drops notes and keeps results', () => {
  const { process, io } = fakeProcess();
  quietly(io).note('progress');
  quietly(io).write('result');
  expect(process.stderr.write).not.toHaveBeenCalled();
  expect(process.stdout.write).toHaveBeenCalledWith('result\n');
});
