/** What a page loads that imports two functions of `neardup/browser`: stemmers and stop words come only when asked for. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const browser = fileURLToPath(new URL('../dist/browser.js', import.meta.url));

test('dedup and compare, bundled and minified, are under 100 KB compressed', async () => {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `import { compare, dedup } from ${JSON.stringify(browser)}; globalThis.used = [compare, dedup];`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    outdir: 'out',
    write: false,
    metafile: true,
    entryNames: 'entry',
  });
  const outputs = new Map(outputFiles.map(({ path, contents }) => [path.split('/out/').at(-1)!, contents]));
  const loaded = new Set(['entry.js']);
  for (const name of loaded)
    for (const { path, kind } of metafile.outputs[`out/${name}`]!.imports)
      if (kind === 'import-statement') loaded.add(path.replace(/^out\//, ''));
  const bytes = [...loaded].reduce((sum, name) => sum + gzipSync(outputs.get(name)!).length, 0);
  expect(bytes).toBeLessThan(100_000);
  expect(outputs.size).toBeGreaterThan(loaded.size);
});
