/** The package → its version. */
import { readFileSync } from 'node:fs';

/** The same two steps up from src/cli and from dist/cli. */
export function readVersion(): string {
  const manifest = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
