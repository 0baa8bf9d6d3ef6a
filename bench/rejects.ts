/**
 * Rejected lines as a ratio of CPU time to good lines of as many bytes, in the same run: `dedup` with `--rejects`, on
 * threads and in memory, to a file and to a device.
 *
 *   npm run bench:rejects [-- --megabytes 48]
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom } from './random.ts';
import { bestOf } from './used-by.ts';

const ROUNDS = 3;
const { values } = parseArgs({ options: { megabytes: { type: 'string', default: '48' } } });

/** Words of a line; with two of them a line is about as short as a good one can be. */
const shapes = { short: 2, long: 60 };
/** Each makes a good line one that is rejected, of as many bytes. */
const kinds: Readonly<Record<string, (good: string) => string>> = {
  good: good => good,
  'no text': good => good.replace('"text"', '"taxt"'),
  'not JSON': good => `${good.slice(0, -1)} `,
  'not an object': good => `"${'x'.repeat(good.length - 2)}"`,
};
/** Bytes of input: from 2 MB on a run is on threads. */
const sizes = { threads: Number(values.megabytes) * 1e6, memory: 2e6 };

const folder = mkdtempSync(join(tmpdir(), 'neardup-bench-'));
const at = (name: string) => join(folder, name);
try {
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; CPU, best of ${ROUNDS}`);
  for (const [engine, size] of Object.entries(sizes)) {
    for (const [shape, words] of Object.entries(shapes)) measure(engine, `${shape} lines`, linesOf(size, words));
    measure(engine, '{} and short good lines', linesOf(size, shapes.short), { '{}': size / 3 });
  }
} finally {
  rmSync(folder, { recursive: true });
}

function linesOf(size: number, words: number): string[] {
  const random = createRandom(1);
  const lines: string[] = [];
  for (let bytes = 0; bytes < size; bytes += lines.at(-1)!.length + 1) {
    const text = Array.from({ length: words }, () => `w${random.below(1e6)}`).join(' ');
    lines.push(JSON.stringify({ text }));
  }
  return lines;
}

/** Empty records cannot be good, so they are as many as fill the bytes. */
function measure(engine: string, title: string, lines: readonly string[], empty?: Readonly<Record<string, number>>) {
  const names = empty ? ['good', '{}'] : Object.keys(kinds);
  for (const name of names) {
    const rest = empty?.[name] ? Array.from({ length: empty[name] }, () => '{}') : lines.slice(1).map(kinds[name]!);
    // Without any document a run fails.
    writeFileSync(at(`${name}.jsonl`), `${[lines[0], ...rest].join('\n')}\n`);
  }
  for (const output of [at('kept.jsonl'), '/dev/null']) {
    const args = (name: string) => [
      'dedup',
      at(`${name}.jsonl`),
      '-o',
      output,
      '--rejects',
      at('rejects.jsonl'),
      '--quiet',
    ];
    const used = bestOf(Object.fromEntries(names.map(name => [name, args(name)])), ROUNDS, folder);
    const good = used.get('good')!;
    console.log(`\n${engine}, ${title}, ${output === '/dev/null' ? 'to a device' : 'to a file'}`);
    for (const [name, { seconds, megabytes }] of used)
      console.log(
        `${name.padEnd(16)} ${seconds.toFixed(2)} s  ${megabytes.toFixed(0).padStart(4)} MB peak  ${(seconds / good.seconds).toFixed(2)} × good`,
      );
  }
}
