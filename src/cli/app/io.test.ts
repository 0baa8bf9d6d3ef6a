import { describe, expect, test, vi } from 'vitest';
import { createIo, quietly } from './io.ts';

/** Enough of a process to be written to. */
function fakeProcess({ isTTY = false, env = {} }: { isTTY?: boolean; env?: Record<string, string> } = {}) {
  const stream = () => ({ isTTY, write: vi.fn() });
  const process = { env, stdin: {}, stdout: stream(), stderr: stream() };
  return { process, io: createIo(process as unknown as NodeJS.Process, () => {}) };
}

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
