import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { readExactOptions } from '../run-options.ts';
import { workersFor } from './threads-engine.ts';

const chunks = (length: number) => Array.from({ length }, () => ({ pieces: [] }));
const cores = availableParallelism();

describe('workersFor', () => {
  const options = readExactOptions({});

  it('starts no more workers than two for a core, however many are asked for', () => {
    expect(workersFor(chunks(1000 * cores), { jobs: 100 * cores, options })).toBe(2 * cores);
    expect(workersFor(chunks(1000), { jobs: 1, options })).toBe(1);
  });

  it('starts no more than chunks keep busy', () => {
    expect(workersFor(chunks(3), { jobs: 100, options })).toBe(2);
  });
});
