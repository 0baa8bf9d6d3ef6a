/**
 * package-lock.json → the same with an entry for the packages of every platform, each with the hash of its contents.
 *
 * npm leaves out the optional packages of other platforms that its registry does not have, and then `npm ci` refuses the
 * lock everywhere. Their exact versions stand in the packages that ask for them; what they run on is told by their names.
 * Run by hand after `npm install`. Packages that the registry does not have stay without a hash, and are listed.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32'];

const path = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const lock = JSON.parse(readFileSync(path, 'utf8'));
const { packages } = lock;

for (const { optionalDependencies = {}, dev } of Object.values(packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    // A range is of a package for all platforms, and npm has an entry for it.
    if (packages[`node_modules/${name}`] || !/^\d+\.\d+\.\d+/.test(version)) continue;
    packages[`node_modules/${name}`] = { version, ...platformOf(name), ...(dev && { dev }), optional: true };
    console.log(`added ${name} ${version}`);
  }
}
for (const [path, entry] of Object.entries(packages)) {
  if (path === '' || entry.link || entry.integrity) continue;
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const integrity = integrityOf(`${name}@${entry.version}`);
  console.log(integrity ? `added the hash of ${name}` : `no hash: the registry has no ${name} ${entry.version}`);
  const { version, ...rest } = entry;
  if (integrity) packages[path] = { version, integrity, ...rest };
}
const [root, ...others] = Object.entries(packages);
lock.packages = Object.fromEntries([root, ...others.sort(([a], [b]) => (a < b ? -1 : 1))]);
writeFileSync(path, `${JSON.stringify(lock, undefined, 2)}\n`);

/** Undefined where the registry does not have this version. */
function integrityOf(spec) {
  const { stdout } = spawnSync('npm', ['view', spec, 'dist.integrity'], { encoding: 'utf8' });
  return /^sha512-\S+$/.test(stdout.trim()) ? stdout.trim() : undefined;
}

/** `@rolldown/binding-linux-arm64-musl` → linux, arm64, musl */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = systems.find(system => words.includes(system));
  const cpu = processors.find(processor => words.includes(processor));
  const libc = words.includes('musl') ? 'musl' : words.includes('gnu') ? 'glibc' : undefined;
  return { cpu: [cpu], ...(libc && { libc: [libc] }), ...(os && { os: [os] }) };
}
