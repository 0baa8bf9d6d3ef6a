/** A path inside this package → its URL: from src/, from dist/, and from the chunks of the bundle alike. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** src/files/, dist/files/ and dist/chunks/ are all two levels below. */
const root = new URL('../../', import.meta.url);
/** Threads run what is built. From the sources, and inside a bundle somebody else made, there is nothing to start. */
const isBuilt = import.meta.url.startsWith('file:') && import.meta.url.endsWith('.js');

export function packagePath(path: string): string {
  return fileURLToPath(new URL(path, root));
}

/** A program for a thread or a process, by its path in dist/. */
export function programUrl(path: string): URL {
  return new URL(`dist/${path}`, root);
}

export function canStart(program: URL): boolean {
  return isBuilt && existsSync(fileURLToPath(program));
}

export function readVersion(): string {
  return (JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string }).version;
}
