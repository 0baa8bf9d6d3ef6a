import { describe, expect, it } from 'vitest';
import { timeLimit } from './measure-recall.ts';

/** A process that has this share of a core, as it goes on. */
function limitAt(share: number) {
  let time = 1000;
  const isOver = timeLimit(2, { now: () => time, cpu: () => 70 + time * share });
  return (seconds: number) => {
    time = 1000 + 1000 * seconds;
    return isOver();
  };
}

describe('the time limit of a measurement', () => {
  it('is the time that passes where the process has a core, or more', () => {
    for (const share of [1, 3]) expect([0, 1, 1.9, 2].map(limitAt(share))).toEqual([false, false, false, true]);
  });

  it('is the time the process works where others keep the machine busy', () => {
    expect([2, 4, 7.9, 8].map(limitAt(0.25))).toEqual([false, false, false, true]);
  });

  it('is five times as long at most', () => {
    expect([2, 9.9, 10].map(limitAt(0))).toEqual([false, false, true]);
  });
});
