/** Workers and executors that are killed, connections that break, full disks, Ctrl-C: runs end right or fail, never with less. Part of spark.test.ts in `npm run test:spark`. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { makeCorpus } from '../bench/make-corpus.ts';
import { main } from './support/command.ts';
import { onSmallDiskSoon, unshare } from './support/small-disk.ts';
import { processesBelow, QUICK_SPARK, type SparkCluster, startProxy } from './support/spark.ts';
import { LONG, onSpark, type sparkRuns } from './support/spark-runs.ts';

/** `cluster`: asked for when the tests run. */
export function troubleOnSpark(
  { at, results, expectSame, standIn }: ReturnType<typeof sparkRuns>,
  cluster: () => SparkCluster,
): void {
  const there = () => onSpark(cluster().connect);
  const killExecutor = () => process.kill(cluster().executors()[0]!, 'SIGKILL');
  const isThere = async (name: string) => {
    while (!existsSync(at(name))) await pause(50);
  };

  /** Until a table of the run is there. */
  async function isMade(table: string): Promise<void> {
    const folders = () => readdirSync(at('tmp'), { recursive: true, encoding: 'utf8' });
    while (!folders().some(path => path.endsWith(`/${table}`))) await pause(50);
  }

  test('a worker that is killed once changes nothing', { timeout: LONG }, async () => {
    const script = `if mkdir ${at('killed')} 2>/dev/null; then kill -9 $$; fi; exec ${process.execPath} "$@"`;
    await expectSame('killed-once', { spark: [...there(), ...standIn('node-killed', script)] });
    expect(existsSync(at('killed'))).toBe(true);
  });

  test('an executor that is killed while its worker runs changes nothing', { timeout: LONG }, async () => {
    const script = `if mkdir ${at('started')} 2>/dev/null; then sleep 3; fi; exec ${process.execPath} "$@"`;
    const same = expectSame('executor', { spark: [...there(), ...standIn('node-slow', script)] });
    await Promise.all([isThere('started').then(killExecutor), same]);
  });

  test('an executor that is killed while components are found changes nothing', { timeout: LONG }, async () => {
    mkdirSync(at('tmp'), { recursive: true });
    // The server was started in another folder.
    const same = expectSame('components', { spark: [...there(), '--tmp', relative(process.cwd(), at('tmp'))] });
    await Promise.all([isMade('linked_0').then(killExecutor), same]);
  });

  test('a connection that breaks fails the run, and nothing appears', { timeout: LONG }, async () => {
    mkdirSync(at('tmp'), { recursive: true });
    const proxy = await startProxy(Number(/\d+$/.exec(cluster().connect)![0]));
    const spark = [...onSpark(`sc://127.0.0.1:${proxy.port}`), '--tmp', at('tmp')];
    const [, ran] = await Promise.all([isMade('linked_0').then(proxy.cut), results('cut-off', { spark })]);
    expect([ran.code, existsSync(at('cut-off-documents.jsonl'))]).toEqual([1, false]);
    expect(ran.stderr).toMatch(/^neardup: Spark failed/m);
  });

  test('a worker that ends early with 0 fails the run, and nothing appears', { timeout: LONG }, async () => {
    const script = `head -n 2 | ${process.execPath} "$@"; exit 0`;
    const ran = await results('early', { spark: [...there(), ...standIn('node-early', script)] });
    expect(ran.stderr).toMatch(/workers were given \d+ documents and read \d+|Broken pipe/);
    expect([ran.code, existsSync(at('early-documents.jsonl'))]).toEqual([1, false]);
  });

  test.each([
    ['reads', 'sed "s/w1 w2/w1 w3/" | "$node" "$@"', /row \d+ of the input was changed on the way/],
    ['writes', '"$node" "$@" | sed "s/\\"relation\\":\\"near/\\"relation\\":\\"mean/"', /their checksum is not that/],
  ])(
    'a row that is changed where a worker %s it fails the run, and nothing appears',
    { timeout: LONG },
    async (what, script, message) => {
      const ran = await results(`changed-${what}`, {
        spark: [...there(), ...standIn(`node-${what}`, `node=${process.execPath}\n${script}`)],
      });
      expect(ran.stderr).toMatch(message);
      expect([ran.code, existsSync(at(`changed-${what}-documents.jsonl`))]).toEqual([1, false]);
    },
  );

  /** A run that is ended by Ctrl-C while its workers wait for rows, which never come. Each of them adds its process id to a file. */
  async function interrupted(name: string, spark: readonly string[]) {
    mkdirSync(at(name));
    const rows = at(`${name}-rows`);
    const waits = `echo $$ >>${at(`${name}-workers`)}; exec 3<&0; exec ${process.execPath} "$@" <>${rows}`;
    spawnSync('mkfifo', [rows]);
    const output = at(`${name}.jsonl`);
    const options = [...spark, '--tmp', at(name), ...standIn(`node-${name}`, waits)];
    const child = spawn(process.execPath, [main, 'dedup', at('corpus.jsonl'), '-o', output, ...options], {
      stdio: 'ignore',
    });
    const workers = () =>
      readFileSync(at(`${name}-workers`), 'utf8')
        .trim()
        .split('\n')
        .map(Number);
    await isThere(`${name}-workers`);
    await pause(5000);
    const started = [...processesBelow(child.pid!), ...workers()];
    expect(started.every(isRunning)).toBe(true);
    child.kill('SIGINT');
    expect(await new Promise(resolve => child.once('close', resolve))).toBe(130);
    expect([readdirSync(at(name)), existsSync(output)]).toEqual([[], false]);
    const ended = () => expect([...started, ...workers()].filter(isRunning)).toEqual([]);
    await vi.waitFor(ended, { timeout: 60_000, interval: 200 });
    return workers;
  }

  test('Ctrl-C stops what was started', { timeout: LONG }, async () => {
    await interrupted('stopped', [...onSpark(), ...QUICK_SPARK]);
  });

  test('Ctrl-C stops what a server that was there does for the run, and the server stays', {
    timeout: LONG,
  }, async () => {
    const workers = await interrupted('stopped-there', there());
    const before = workers();
    // Spark repeats what fails, unless it is told to end.
    await expectSame('after-stop', { spark: there() });
    expect(workers()).toEqual(before);
  });

  test('Node is shipped in an archive, and is asked for where there is none', { timeout: LONG }, async () => {
    const there = [...onSpark(), ...QUICK_SPARK];
    const none = await results('without-node', { spark: [...there, '--spark-node', at('no/node')] });
    expect(none.stderr).toContain('the executors need Node: name it or ship it with --spark-node');
    mkdirSync(at('node-v20/bin'), { recursive: true });
    standIn('node-v20/bin/node', `touch ${at('shipped')}; exec ${process.execPath} "$@"`);
    spawnSync('tar', ['-czf', at('node.tgz'), '-C', at('.'), 'node-v20']);
    await expectSame('archive', { spark: [...there, '--spark-node', at('node.tgz')] });
    expect(existsSync(at('shipped'))).toBe(true);
  });

  test.runIf(unshare)('a full disk fails the run with its name, and nothing appears', { timeout: LONG }, async () => {
    makeCorpus(at('wide.jsonl'), { documents: 20_000, copies: 0.4, script: 'latin', seed: 7 });
    mkdirSync(at('disk'));
    for (const scratch of [
      ['--tmp', at('disk')],
      ['--spark-conf', `spark.local.dir=${at('disk')}`],
    ]) {
      const run = ['dedup', at('wide.jsonl'), '-o', at('wide-kept.jsonl'), ...onSpark(), ...QUICK_SPARK, ...scratch];
      const ran = await onSmallDiskSoon(at('disk'), '8m', [process.execPath, main, ...run]);
      expect(ran.stderr).toMatch(/^neardup: Spark failed .*No space left on device/m);
      expect([ran.code, existsSync(at('wide-kept.jsonl'))]).toEqual([1, false]);
    }
  });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
