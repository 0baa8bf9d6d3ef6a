/** dist/engine/spark/worker/main.js → dist/spark-worker.mjs: all that an executor needs besides Node, in one file. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const path = name => fileURLToPath(new URL(`../dist/${name}`, import.meta.url));
await build({
  entryPoints: [path('engine/spark/worker/main.js')],
  outfile: path('spark-worker.mjs'),
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  minify: true,
  logLevel: 'warning',
  // Packages written for CommonJS call `require`.
  banner: {
    js: "import { createRequire as neardupRequire } from 'node:module'; const require = neardupRequire(import.meta.url);",
  },
});
