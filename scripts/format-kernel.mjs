/**
 * kernel/*.ts → the same, formatted. `--check` only says which are not, and fails.
 *
 * Biome refuses AssemblyScript's decorators on functions (`@inline`), so it is shown each as a comment.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const biome = fileURLToPath(new URL('../node_modules/@biomejs/biome/bin/biome', import.meta.url));
const onlyCheck = process.argv.includes('--check');

for (const name of readdirSync(`${root}/kernel`).filter(file => file.endsWith('.ts'))) {
  const path = `${root}/kernel/${name}`;
  const source = readFileSync(path, 'utf8');
  const formatted = format(source);
  if (formatted === source) continue;
  if (onlyCheck) {
    console.error(`kernel/${name}: not formatted; npm run format does it`);
    process.exitCode = 1;
  } else writeFileSync(path, formatted);
}

function format(source) {
  const hidden = source.replace(/^@(\w+)$/gm, '// decorator: @$1');
  // A name outside kernel/, which biome.json leaves out.
  const args = [biome, 'format', '--stdin-file-path=kernel-source.ts'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, input: hidden, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.replace(/^\/\/ decorator: (@\w+)$/gm, '$1');
}
