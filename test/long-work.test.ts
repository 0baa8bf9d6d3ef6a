/** Runs that are killed, interrupted, or meet a full disk: what they leave behind, and how they go on. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeCorpus } from '../bench/make-corpus.ts';
import { createRandom } from '../bench/random.ts';
import { sharedFolder } from './support/folder.ts';
import { onSmallDisk, unshare } from './support/small-disk.ts';

const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const folder = sharedFolder();
let tmp: string;
const at = (name: string) => join(folder, name);

beforeAll(() => {
  makeCorpus(at('corpus.jsonl'), { documents: 20_000, copies: 0.4, script: 'latin', seed: 11 });
}, 60_000);
beforeEach(() => {
  tmp = mkdtempSync(at('tmp-'));
});

function command(name: string, ...more: string[]): string[] {
  const out = ['-o', at(`${name}.jsonl`), '--removed', at(`${name}-removed.jsonl`)];
  return [main, 'dedup', at('corpus.jsonl'), ...out, '--quiet', '--tmp', tmp, ...more];
}

function start(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

function ended(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  return new Promise(resolve => child.once('exit', (code, signal) => resolve(signal ?? code)));
}

function hashOf(name: string): string {
  const both = [`${name}.jsonl`, `${name}-removed.jsonl`].map(file => readFileSync(at(file)));
  return createHash('sha256').update(Buffer.concat(both)).digest('hex');
}

function runFolder(): string | undefined {
  const [name] = readdirSync(tmp);
  return name === undefined ? undefined : join(tmp, name);
}

/** Waits until the run has come to a stage: a file of it is there. */
async function reached(stage: string): Promise<string> {
  for (;;) {
    const found = runFolder();
    const names = stage === 'the outputs' ? unfinishedOutputs() : found ? readdirSync(found) : [];
    if (found && names.some(name => stage === 'the outputs' || (name.startsWith(stage) && !name.endsWith('.part'))))
      return found;
    await sleep(2);
  }
}

/** Outputs in the making, in folders beside their places. */
function unfinishedOutputs(): string[] {
  return readdirSync(folder).filter(name => name.startsWith('.neardup'));
}

function timesOf(path: string): Map<string, number> {
  const names = readdirSync(path).filter(name => name.startsWith('sketch-') && !name.endsWith('.part'));
  return new Map(names.map(name => [name, statSync(join(path, name)).mtimeMs]));
}

describe('a run that is killed', () => {
  let expected: string;
  beforeAll(() => {
    tmp = mkdtempSync(at('tmp-'));
    execFileSync(process.execPath, command('whole'));
    expected = hashOf('whole');
    expect(readdirSync(tmp)).toEqual([]);
  }, 60_000);

  test.each(['sketch-0', 'contents-', 'keys-', 'decide-0', 'the outputs'])(
    'in the stage of %s goes on from there',
    async stage => {
      const child = start(command('killed'));
      const path = await reached(stage);
      child.kill('SIGKILL');
      expect(await ended(child)).toBe('SIGKILL');
      expect(existsSync(at('killed.jsonl'))).toBe(false);
      const before = timesOf(path);
      expect(before.size).toBeGreaterThan(0);

      const again = start(command('killed', '--resume'));
      await reached('decide-');
      const after = timesOf(path);
      for (const [name, time] of before) expect(after.get(name)).toBe(time);
      expect(await ended(again)).toBe(0);
      expect(hashOf('killed')).toBe(expected);
      expect(readdirSync(tmp)).toEqual([]);
      expect(unfinishedOutputs()).toEqual([]);
      rmSync(at('killed.jsonl'));
    },
  );

  test('again and again, at any moment, gives the same in the end', async () => {
    const random = createRandom(5);
    for (let kills = 0; kills < 8; kills++) {
      const child = start(command('often', '--resume', '--jobs', String(1 + random.below(3))));
      const end = ended(child);
      await sleep(150 + random.below(700));
      child.kill('SIGKILL');
      await end;
    }
    expect(await ended(start(command('often', '--resume')))).toBe(0);
    expect(hashOf('often')).toBe(expected);
    expect(readdirSync(tmp)).toEqual([]);
  });

  test('does not use a stage file that is damaged', async () => {
    const child = start(command('damaged'));
    const path = await reached('keys-');
    child.kill('SIGKILL');
    await ended(child);
    for (const name of readdirSync(path).filter(file => /^(sketch|contents|ids|keys)-/.test(file))) {
      const bytes = readFileSync(join(path, name));
      bytes[Math.floor(bytes.length / 3)]! ^= 4;
      writeFileSync(join(path, name), bytes);
    }
    expect(await ended(start(command('damaged', '--resume')))).toBe(0);
    expect(hashOf('damaged')).toBe(expected);
  });

  test('is not gone on with when an input or an option has changed', async () => {
    const child = start(command('other'));
    await reached('contents-');
    child.kill('SIGKILL');
    await ended(child);
    expect(await ended(start(command('other', '--resume', '--threshold', '0.5')))).toBe(0);
    expect(hashOf('other')).not.toBe(expected);
    // What the killed run has left is still there, for a run with its options.
    expect(readdirSync(tmp)).toHaveLength(1);
  });
});

test.each(['/proc', '/dev/null', 'no/such/folder'])('--tmp %s is one clear line', place => {
  const args = [main, 'dedup', at('corpus.jsonl'), '-o', at('never.jsonl'), '--tmp', place];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 });
  expect(stderr).toMatch(/^neardup: cannot write [^\n]+\n$/);
  expect(status).toBe(1);
});

test('two runs of the same at once do not disturb each other', async () => {
  const [one, two] = [start(command('one')), start(command('two'))];
  expect(await Promise.all([ended(one), ended(two)])).toEqual([0, 0]);
  expect(hashOf('one')).toBe(hashOf('two'));
  expect(readdirSync(tmp)).toEqual([]);
});

describe('a signal', () => {
  test.each([
    ['SIGINT', 130, 'sketch-0'],
    ['SIGINT', 130, 'decide-0'],
    ['SIGTERM', 143, 'sketch-0'],
    ['SIGHUP', 129, 'sketch-0'],
    ['SIGQUIT', 131, 'decide-0'],
  ] as const)('%s ends a run with %i in the stage of %s, and nothing is left', async (signal, code, stage) => {
    const child = start(command('interrupted'));
    await reached(stage);
    child.kill(signal);
    expect(await ended(child)).toBe(code);
    expect(existsSync(at('interrupted.jsonl'))).toBe(false);
    expect(readdirSync(tmp)).toEqual([]);
    expect(unfinishedOutputs()).toEqual([]);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGQUIT', 131],
  ] as const)('%s is heard before a command is loaded', async (signal, code) => {
    // The process sends itself the signal as soon as it listens to it.
    const early = `process.on('newListener', name => {
      if (name === '${signal}') setImmediate(() => process.kill(process.pid, '${signal}'));
    });`;
    const child = start(['--import', `data:text/javascript,${encodeURIComponent(early)}`, ...command('early')]);
    expect(await ended(child)).toBe(code);
    expect(readdirSync(tmp)).toEqual([]);
    expect(existsSync(at('early.jsonl'))).toBe(false);
  });

  test('leaves the stage files of a run that can be resumed', async () => {
    const child = start(command('later', '--resume'));
    await reached('contents-');
    child.kill('SIGINT');
    expect(await ended(child)).toBe(130);
    expect(runFolder()).toBeDefined();
    expect(await ended(start(command('later', '--resume')))).toBe(0);
    expect(readdirSync(tmp)).toEqual([]);
  });
});

describe.skipIf(!unshare)('a full disk', () => {
  const run = (args: readonly string[]) =>
    onSmallDisk(at('small'), '3m', '"$@"; code=$?; ls -A "$0" >&2; exit $code', process.execPath, ...args);

  test('under --tmp is one clear line, and nothing is written', () => {
    writeFileSync(at('kept.jsonl'), 'as it was');
    const { status, stderr } = run([main, 'dedup', at('corpus.jsonl'), '-o', at('kept.jsonl'), '--tmp', at('small')]);
    expect(stderr).toMatch(/^neardup: cannot write [^\n]*small[^\n]*: the disk is full\n$/);
    expect(status).toBe(1);
    expect(readFileSync(at('kept.jsonl'), 'utf8')).toBe('as it was');
  });

  test('under the output is one clear line, and nothing is left there', () => {
    const output = at('small/out.jsonl');
    const { status, stderr } = run([main, 'dedup', at('corpus.jsonl'), '-o', output, '--quiet', '--tmp', tmp]);
    expect(stderr).toMatch(/^neardup: cannot write [^\n]*out\.jsonl: the disk is full\n$/);
    expect(status).toBe(1);
    expect(readdirSync(tmp)).toEqual([]);
  });
});
