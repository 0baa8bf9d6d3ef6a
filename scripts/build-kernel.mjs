/** kernel/*.ts → src/kernel/generated/wasm.ts: the WebAssembly kernel as base64, so that Node, workers and browsers load it alike. */
import { mkdirSync, writeFileSync } from 'node:fs';
import asc from 'assemblyscript/asc';

const target = new URL('../src/kernel/generated/', import.meta.url);
const flags = [
  '--enable',
  'simd',
  '-O3',
  '--converge',
  '--noAssert',
  '--runtime',
  'stub',
  '--importMemory',
  '--zeroFilledMemory',
  '--use',
  'abort=',
];
let binary;
const { error, stderr } = await asc.main(['kernel/index.ts', '--outFile', 'kernel.wasm', ...flags], {
  writeFile(name, contents) {
    if (name.endsWith('.wasm')) binary = contents;
  },
});
if (error || !binary) {
  console.error(stderr.toString());
  process.exit(1);
}
mkdirSync(target, { recursive: true });
writeFileSync(
  new URL('wasm.ts', target),
  `/** The kernel. Made by scripts/build-kernel.mjs; not committed. */\nexport const KERNEL_BASE64 =\n  '${Buffer.from(binary).toString('base64')}';\n`,
);
console.log(`kernel: ${binary.length} bytes`);
