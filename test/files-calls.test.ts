/** The engine of the command line as library calls: the same files, summaries and errors, without blocking who calls. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeCorpus } from '../bench/make-corpus.ts';
import type { FilesProgress, Pair } from '../src/index.ts';
import { main } from './support/command.ts';
import { sharedFolder } from './support/folder.ts';

// As built: worker threads cannot run TypeScript.
const built = '../dist/index.js';
const { dedupFiles, findPairsInFiles, findClustersInFiles, findPairs, NeardupError }: typeof import('../src/index.ts') =
  await import(built);

const folder = sharedFolder();
const at = (name: string) => join(folder, name);
const linesOf = (name: string) =>
  readFileSync(at(name), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));

beforeAll(() => {
  makeCorpus(at('small.jsonl'), { documents: 300, copies: 0.4, script: 'latin', seed: 5 });
  makeCorpus(at('large.jsonl'), { documents: 2500, copies: 0.4, script: 'latin', seed: 6 });
});

describe.each(['small', 'large'])('of a %s file', size => {
  const input = () => at(`${size}.jsonl`);

  test('dedupFiles writes what the command writes, and gives its summary', async () => {
    const outputs = { output: at(`${size}-kept.jsonl`), removed: at(`${size}-evidence.jsonl`) };
    const summary = await dedupFiles([input()], { ...outputs, threshold: 0.7, keep: 'longest', jobs: 2 });
    const args = ['dedup', input(), '-o', at('cli.jsonl'), '--removed', at('cli-evidence.jsonl'), '--json', '--quiet'];
    const told = execFileSync(process.execPath, [main, ...args, '--threshold', '0.7', '--keep', 'longest']);
    const { seconds: _, ...expected } = JSON.parse(told.toString());
    const { seconds, ...numbers } = summary;
    expect(numbers).toEqual(expected);
    expect(seconds).toBeGreaterThan(0);
    // Byte by byte, `toEqual` takes seconds.
    expect(readFileSync(outputs.output).equals(readFileSync(at('cli.jsonl')))).toBe(true);
    expect(readFileSync(outputs.removed, 'utf8')).toBe(readFileSync(at('cli-evidence.jsonl'), 'utf8'));
  });

  test('findPairsInFiles is gone through for the pairs, and awaited for the summary', async () => {
    const pairs: Pair[] = [];
    for await (const pair of findPairsInFiles(input())) pairs.push(pair);
    const expected: Pair[] = [];
    for await (const pair of findPairs(linesOf(`${size}.jsonl`))) expected.push(pair);
    expect(pairs).toEqual(expected);
    const summary = await findPairsInFiles(input(), { output: at('pairs.jsonl') });
    expect(summary).toMatchObject({ documents: linesOf(`${size}.jsonl`).length, pairs: pairs.length, rejected: 0 });
    expect(linesOf('pairs.jsonl')).toEqual(pairs);
  });

  test('findClustersInFiles likewise', async () => {
    const clusters = [];
    for await (const cluster of findClustersInFiles([input()], { cluster: 'connected' })) clusters.push(cluster);
    const output = at('clusters.jsonl');
    const summary = await findClustersInFiles([input()], { cluster: 'connected', output });
    expect(clusters.length).toBeGreaterThan(10);
    expect(summary.clusters).toBe(clusters.length);
    expect(linesOf('clusters.jsonl')).toEqual(clusters);
  });
});

test('progress is reported by stage, and the caller is not blocked', async () => {
  const stages = new Set<string>();
  const onProgress = ({ stage, done, of }: FilesProgress) => {
    expect(done).toBeLessThanOrEqual(of);
    stages.add(stage);
  };
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  await dedupFiles(at('large.jsonl'), { output: at('progress.jsonl'), onProgress });
  clearInterval(timer);
  expect([...stages]).toEqual(expect.arrayContaining(['sketch', 'candidates', 'verify']));
  // The run takes a second; 50 ms are promised on a machine that is not busy.
  expect(longest).toBeLessThan(250);
});

test('a signal ends a run with its reason, and nothing appears', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const run = dedupFiles(at('large.jsonl'), {
    output: at('aborted.jsonl'),
    tmp: folder,
    signal: controller.signal,
    onProgress: () => controller.abort(reason),
  });
  await expect(run).rejects.toBe(reason);
  expect(existsSync(at('aborted.jsonl'))).toBe(false);
  expect(readdirSync(folder).filter(name => name.startsWith('.neardup') || name.startsWith('neardup-'))).toEqual([]);
  await expect(dedupFiles(at('small.jsonl'), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('leaving the loop over the pairs ends the run', async () => {
  for await (const pair of findPairsInFiles(at('large.jsonl'), { threshold: 0.3 })) {
    expect(pair.resemblance).toBeGreaterThanOrEqual(0.3);
    break;
  }
});

test('errors have their codes: options, inputs, brakes, damage', async () => {
  const codeOf = async (run: PromiseLike<unknown>) => {
    try {
      await run;
    } catch (error) {
      return error instanceof NeardupError ? error.code : error;
    }
    return undefined;
  };
  expect(await codeOf(dedupFiles(at('small.jsonl'), { threshold: 8 }))).toBe('BAD_OPTION');
  expect(await codeOf(dedupFiles(at('small.jsonl'), { treshold: 0.8 } as never))).toBe('BAD_OPTION');
  expect(await codeOf(dedupFiles([]))).toBe('BAD_OPTION');
  expect(await codeOf(dedupFiles(at('small.jsonl'), { output: at('small.jsonl') }))).toBe('BAD_COMBINATION');
  expect(await codeOf(dedupFiles(at('missing.jsonl')))).toBe('CANNOT_READ');
  expect(await codeOf(dedupFiles(at('small.jsonl'), { maxRemoved: '1%' }))).toBe('SAFETY_BRAKE');
  expect(await codeOf(findPairsInFiles(at('small.jsonl'), { maxPairs: 1 }))).toBe('TOO_MANY_PAIRS');
  writeFileSync(at('bad.jsonl'), '{"id":1,"text":"a b c"}\nno json\n');
  const warnings: string[] = [];
  const summary = await dedupFiles(at('bad.jsonl'), { onWarning: warning => warnings.push(warning) });
  expect(summary).toMatchObject({ documents: 1, rejected: 1 });
  expect(warnings).toEqual([expect.stringContaining('1 line rejected')]);
});

test('works in a program that is given as an argument of Node', () => {
  const library = new URL(built, import.meta.url).href;
  const program = `import { dedupFiles } from ${JSON.stringify(library)};
    console.log((await dedupFiles(${JSON.stringify(at('small.jsonl'))})).documents);`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(printed).toBe(`${linesOf('small.jsonl').length}\n`);
});
