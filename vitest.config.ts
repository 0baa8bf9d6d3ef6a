import { defineConfig } from 'vitest/config';

// .ci/run names the file that scripts/test-summary.mjs counts from.
const results = process.env.NEARDUP_TEST_RESULTS;
// It needs several versions of Node; scripts/test-node-versions.mjs gets them and names them here.
const acrossNodes = process.env.NEARDUP_NODES ? ['test/across-nodes.ts'] : [];

/** What has a slow twin to agree with runs again with every bucket taken for a crowd (`src/engine/decide/crowd/crowd.ts`), and every component for a giant (`src/engine/threads/stages/giants.ts`). */
const withTwins = ['src/engine/{calls,decide}/{blocks,dedup,pairs,rules}.test.ts', 'test/local-engine.test.ts'];

export default defineConfig({
  test: {
    globalSetup: 'test/global-setup.ts',
    reporters: results ? ['default', ['json', { outputFile: results }]] : ['default'],
    maxWorkers: 2,
    projects: [
      project('as it is', [
        'src/**/*.test.ts',
        'web/**/*.test.ts',
        'test/**/*.test.ts',
        'bench/**/*.test.ts',
        ...acrossNodes,
      ]),
      project('every bucket a crowd', withTwins, { NEARDUP_CROWD: '0', NEARDUP_GIANT: '0' }),
    ],
  },
});

function project(name: string, include: string[], env: Record<string, string> = {}) {
  return { test: { name, include, env, testTimeout: 60_000, pool: 'threads' as const } };
}
