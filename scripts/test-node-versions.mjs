/**
 * Node versions → a JSON report of vitest for each: the suites that touch native code, threads and files, run by that
 * version, and indexes made by each version and read by the others (test/across-nodes.ts).
 *
 *   node scripts/test-node-versions.mjs [folder for the reports]
 *
 * npm installs the versions into a folder of their own. The one that runs this script is tested by `npm test`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSIONS = [20, 22, 24];
const SUITES = [
  'test/contract/',
  'test/store/contract.test.ts',
  'test/store/lmdb.test.ts',
  'test/golden.test.ts',
  'test/vectors.test.ts',
  'src/store/',
  'src/formats/parquet/',
];

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = process.argv[2] && resolve(process.argv[2]);
const own = Number(process.versions.node.split('.')[0]);
const nodes = Object.fromEntries(
  VERSIONS.map(version => [version, version === own ? process.execPath : install(version)]),
);

const failed = [];
for (const version of VERSIONS) if (version !== own) run(`Node ${version}`, nodes[version], SUITES);
run('all versions', process.execPath, ['test/across-nodes.ts'], { NEARDUP_NODES: JSON.stringify(nodes) });
if (failed.length > 0) console.error(`\nfailed on ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;

/** The package with the program alone: that called `node` fetches it by an install script, which npm may refuse to run. */
function install(version) {
  const name = `${process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'}-${process.platform}-${process.arch}`;
  const folder = join(root, 'node_modules/.cache/nodes', String(version));
  const program = join(folder, 'node_modules', name, 'bin/node');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const settings = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--no-package-lock'];
  const { status } = spawnSync('npm', ['install', ...settings, `${name}@${version}`], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0 || !existsSync(program)) throw new Error(`npm could not install Node ${version}`);
  return program;
}

function run(name, node, files, env = {}) {
  console.error(`\n== ${name}`);
  const results = reports && join(reports, `${name.replaceAll(' ', '-')}.json`);
  const { status } = spawnSync(node, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...files], {
    cwd: root,
    env: { ...process.env, ...env, ...(results && { NEARDUP_TEST_RESULTS: results }) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) failed.push(name);
}
