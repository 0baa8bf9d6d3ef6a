import { defineConfig } from 'vitest/config';

// .ci/run names the file that scripts/test-summary.mjs counts from.
const results = process.env.NEARDUP_TEST_RESULTS;

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    globalSetup: 'test/global-setup.ts',
    reporters: results ? ['default', ['json', { outputFile: results }]] : ['default'],
    testTimeout: 60_000,
    pool: 'threads',
    maxWorkers: 2,
  },
});
