/**
 * src/ → the command, and the programs of threads and processes, each as few files: dist/cli/main.js, dist/chunks/ …
 *
 * Node takes about half a millisecond of CPU time to find, read and link a module. The command has some hundred of them, and
 * each worker has as many. The library itself stays as tsc wrote it, a module a file.
 */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const programs = [
  'cli/main',
  'cli/index/check-process',
  'engine/threads/worker',
  'batch/host-worker',
  'store/threads/worker',
  'store/lmdb/thread-worker',
];

rmSync(`${root}dist/chunks`, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  platform: 'node',
  input: Object.fromEntries(programs.map(name => [name, `./src/${name}.ts`])),
  // Helpers of the bundler itself are bundled: whoever installs the package does not have them.
  external: id => !/^[./]/.test(id) && !id.startsWith('@oxc-project/runtime'),
  checks: { ineffectiveDynamicImport: false, circularDependency: true },
});
await bundle.write({
  dir: 'dist',
  format: 'es',
  chunkFileNames: 'chunks/[name]-[hash].js',
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  keepNames: true,
  codeSplitting: {
    // Each takes what it imports along. Workers load the second alone, `--version` the first.
    groups: [
      { name: 'first', test: /src\/(files\/package|cli\/app\/signals)\.ts$/, priority: 3 },
      {
        name: 'run',
        test: /src\/(batch\/start-run|engine\/(memory\/memory-engine|threads\/stages\/[a-z-]+))\.ts$/,
        priority: 2,
      },
      { name: 'start', test: /src\/cli\/app\/start\.ts$/, priority: 1 },
    ],
  },
});
