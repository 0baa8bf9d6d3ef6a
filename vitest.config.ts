import { defineConfig } from 'vitest/config';

// .ci/run names the file that scripts/test-summary.mjs counts from.
const results = process.env.NEARDUP_TEST_RESULTS;
// It needs several versions of Node; scripts/test-node-versions.mjs gets them and names them here.
const acrossNodes = process.env.NEARDUP_NODES ? ['test/across-nodes.ts'] : [];

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts', ...acrossNodes],
    globalSetup: 'test/global-setup.ts',
    reporters: results ? ['default', ['json', { outputFile: results }]] : ['default'],
    testTimeout: 60_000,
    pool: 'threads',
    maxWorkers: 2,
  },
});
