/** The slow twin → test/vectors.json: what every kernel, in any language, must compute. Run by hand: npm run vectors. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { makeVectors } from '../test/support/vectors.ts';

const target = fileURLToPath(new URL('../test/vectors.json', import.meta.url));
writeFileSync(target, `${JSON.stringify(makeVectors(), undefined, 2)}\n`);
