/** Before all tests: dist/ is what src/ and kernel/ say. After them: one line for each thing that was left out. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { NOTES } from './support/outside.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

export function setup(): () => void {
  buildKernelIfStale();
  dropOrphans();
  const isSame = transpileStale() === 0 && timeOf('dist/spark-worker.mjs') > 0 && timeOf('dist/chunks') > 0;
  if (!isSame) for (const script of ['build-command', 'build-worker']) run(`scripts/${script}.mjs`);
  buildPagesIfStale();
  return collectNotes();
}

function buildKernelIfStale(): void {
  const built = timeOf('src/kernel/generated/wasm.ts');
  if (sourcesOf('kernel').every(path => timeOf(path) <= built)) return;
  run('scripts/build-kernel.mjs');
}

function run(script: string): void {
  const { status, stderr } = spawnSync(process.execPath, [script], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${script} failed\n${stderr}`);
}

/** The pages are bundled from web/ and what they use of src/. */
function buildPagesIfStale(): void {
  const built = timeOf('dist/web/index.html');
  if ([...filesOf('web'), ...sourcesOf('src')].every(path => timeOf(path) <= built)) return;
  const { status, stderr } = spawnSync('npm', ['run', '--silent', 'build:web'], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the pages could not be built\n${stderr}`);
}

/** Folders of what has no source of its own. */
const bundled = ['web', 'chunks'];

/** What was compiled from a source that is gone. */
function dropOrphans(): void {
  for (const path of filesOf('dist')) {
    if (bundled.some(folder => path.startsWith(join('dist', folder)))) continue;
    const source = path.replace(/^dist/, 'src').replace(/(\.d\.ts|\.js)$/, '.ts');
    if (source.endsWith('.ts') && timeOf(source) === 0) rmSync(join(root, path), { force: true });
  }
}

/**
 * Only what changed, and without looking at types: those are for `npm run types` to check and for `npm run build` to
 * declare, and take tsc ten seconds. Returns how many files it wrote.
 */
function transpileStale(): number {
  let count = 0;
  const settings = join(root, 'tsconfig.build.json');
  const { options } = ts.getParsedCommandLineOfConfigFile(settings, {}, ts.sys as never)!;
  // One file by itself is not known to belong to a package of modules.
  options.module = ts.ModuleKind.ESNext;
  for (const path of sourcesOf('src')) {
    const target = path.replace(/^src/, 'dist').replace(/\.ts$/, '.js');
    if (timeOf(target) > Math.max(timeOf(path), timeOf('tsconfig.json'))) continue;
    const source = readFileSync(join(root, path), 'utf8');
    const { outputText } = ts.transpileModule(source, { compilerOptions: options, fileName: path });
    mkdirSync(dirname(join(root, target)), { recursive: true });
    writeFileSync(join(root, target), outputText);
    count++;
  }
  return count;
}

function collectNotes(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'neardup-tests-'));
  const notes = join(folder, 'left-out');
  writeFileSync(notes, '');
  process.env[NOTES] = notes;
  return () => {
    const lines = new Set(readFileSync(notes, 'utf8').split('\n'));
    for (const line of lines) if (line !== '') console.log(line);
    rmSync(folder, { recursive: true });
  };
}

function sourcesOf(folder: string): string[] {
  return filesOf(folder).filter(path => path.endsWith('.ts') && !/\.(test|d)\.ts$/.test(path));
}

function filesOf(folder: string): string[] {
  const base = join(root, folder);
  if (!existsSync(base)) return [];
  return readdirSync(base, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name));
}

/** 0 for a file that is not there. */
function timeOf(path: string): number {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
