/** A folder → a Python environment with the peers in it; what could not be installed, with the reason. Made once: remove the folder to try anew. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Environment {
  readonly python: string;
  readonly pythonVersion: string;
  /** Package, in lower case → version. */
  readonly versions: ReadonlyMap<string, string>;
  /** Package, in lower case → why it is not there. */
  readonly missing: ReadonlyMap<string, string>;
}

interface Stamp {
  readonly requirements: string;
  readonly missing: Record<string, string>;
}

const requirementsFile = fileURLToPath(new URL('./requirements.txt', import.meta.url));

export function prepareEnvironment(folder: string): Environment {
  const stampFile = join(folder, 'neardup-peers.json');
  const python = join(folder, 'bin', 'python');
  const requirements = readFileSync(requirementsFile, 'utf8');
  let stamp = existsSync(stampFile) ? (JSON.parse(readFileSync(stampFile, 'utf8')) as Stamp) : undefined;
  if (stamp?.requirements !== requirements) {
    console.error(`installing the peers in ${folder}`);
    rmSync(stampFile, { force: true });
    execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
    stamp = { requirements, missing: install(python, requirements) };
    writeFileSync(stampFile, JSON.stringify(stamp));
  }
  const listed = execFileSync(python, ['-m', 'pip', 'list', '--format=json', '--disable-pip-version-check']);
  const packages = JSON.parse(listed.toString()) as { name: string; version: string }[];
  return {
    python,
    pythonVersion: execFileSync(python, ['--version']).toString().trim(),
    versions: new Map(packages.map(({ name, version }) => [name.toLowerCase(), version])),
    missing: new Map(Object.entries(stamp.missing)),
  };
}

/** All at once; and if that fails, one by one, to learn which of them it was. */
function install(python: string, requirements: string): Record<string, string> {
  const pip = (...args: string[]) =>
    spawnSync(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...args], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
  if (pip('-r', requirementsFile).status === 0) return {};
  const missing: Record<string, string> = {};
  for (const requirement of requirements.split('\n').filter(line => line !== '' && !line.startsWith('#'))) {
    const { status, stderr } = pip(requirement);
    if (status !== 0) missing[packageOf(requirement)] = reasonIn(stderr);
  }
  return missing;
}

function packageOf(requirement: string): string {
  return requirement.split(/[[=]/)[0]!.toLowerCase();
}

function reasonIn(stderr: string): string {
  const lines = stderr.trim().split('\n');
  return (lines.findLast(line => line.startsWith('ERROR: ')) ?? lines.at(-1) ?? '').replace('ERROR: ', '');
}
