/**
 * Runs on Apache Spark give what runs on this machine give, byte for byte, or fail. `npm run test:spark` adds a standalone
 * cluster, other formats, and workers that are killed or end early; each run takes some 20 s.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lines, neardup, words } from './support/command.ts';
import { sharedFolder } from './support/folder.ts';
import { outsideSpark } from './support/outside.ts';

const folder = sharedFolder();
const at = (name: string) => join(folder, name);
const spark = outsideSpark('runs on Apache Spark');
const isFull = process.env.NEARDUP_SPARK === 'full';
const LONG = 400_000; // ms, on a machine that has other work

beforeAll(() => {
  const near = (id: number) => ({ id: `d${id}`, text: `${words(0, 60 + (id % 5))} end`, site: id % 2 ? 'a' : null });
  const documents = [
    ...Array.from({ length: 12 }, (_, id) => near(id)),
    { id: 'copy', text: words(100, 150), rank: 3 },
    { id: 'copy "2"\t', text: words(100, 150), rank: 5 },
    { id: 'no words', text: '' },
    { id: 'no words either', text: '' },
    { id: 'alone', text: '😀 \u0000 tab\there', rank: 1 },
  ];
  const odd = [
    '',
    'not JSON',
    '{"id":"no text"}',
    '{"id":12345678901234567890,\t"text":"one two","exact":1790000000000000001,"f":1.0}\r',
  ];
  writeFileSync(at('corpus.jsonl'), `\ufeff${lines(...documents)}${odd.join('\n')}\n`);
  writeFileSync(at('reference.jsonl'), lines({ id: 'd0', text: `${words(0, 61)} end` }));
});

/** Every file that both runs wrote, by name. */
async function results(name: string, options: readonly string[], input = at('corpus.jsonl'), ending = 'jsonl') {
  const files = ['documents', 'removed', 'clusters', 'rejects'].map(file => at(`${name}-${file}`));
  const outputs = [
    '-o',
    `${files[0]}.${ending}`,
    '--removed',
    files[1]!,
    '--clusters',
    files[2]!,
    '--rejects',
    files[3]!,
  ];
  const ran = await neardup(['dedup', input, ...outputs, ...options]);
  return {
    ...ran,
    files: ran.code === 0 ? [`${files[0]}.${ending}`, ...files.slice(1)].map(file => readFileSync(file, 'latin1')) : [],
  };
}

const onSpark = (master = 'local[2]') => ['--engine', 'spark', '--master', master];

async function expectSame(
  name: string,
  options: readonly string[],
  spark: readonly string[] = onSpark(),
  input?: string,
  ending?: string,
) {
  const [here, there] = [
    await results(`${name}-local`, options, input, ending),
    await results(`${name}-spark`, [...options, ...spark], input, ending),
  ];
  expect(there.stderr).not.toMatch(/^neardup:/m);
  expect([there.code, there.files]).toEqual([0, here.files]);
}

describe('wrong usage', () => {
  test.each([
    [['--engine', 'spark'], '--engine spark without --master'],
    [['--master', 'local[2]'], '--master without --engine spark'],
    [['--spark-conf', 'a=b'], '--spark-conf without --engine spark'],
    [[...onSpark(), '--resume'], '--resume with --engine spark'],
    [[...onSpark(), '--damaged', 'skip'], '--damaged skip with --engine spark'],
    [[...onSpark(), '--format', 'warc'], 'WARC input with --engine spark'],
    [[...onSpark(), '-o', 'kept.csv'], '-o kept.csv with --engine spark'],
    [[...onSpark(), '--removed', 'hdfs://host/removed'], '--removed hdfs://host/removed'],
    [['--engine', 'spark', '--master', 'sc://'], '--master must be'],
  ])('is said before Spark is started: %j', async (options, message) => {
    const { code, stderr } = await neardup(['dedup', at('corpus.jsonl'), ...options], '', {
      SPARK_HOME: at('nowhere'),
    });
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  test('without Spark, one line says how to get it', async () => {
    const { code, stderr } = await neardup(['dedup', at('corpus.jsonl'), ...onSpark()], '', {
      SPARK_HOME: at('nowhere'),
    });
    expect(stderr).toMatch(/^neardup: there is no bin\/spark-submit in SPARK_HOME .*pip install pyspark.*\n$/);
    expect(code).toBe(1);
  });
});

describe.runIf(spark)('on Apache Spark', () => {
  test('dedup writes what it writes here, byte for byte', { timeout: LONG }, async () => {
    await expectSame('plain', ['--protect', at('reference.jsonl'), '--keep', 'max:rank', '--mark']);
    expect(readdirSync(folder).filter(name => name.startsWith('.neardup'))).toEqual([]);
  });
});

if (spark && isFull)
  describe('on a standalone cluster, through a Connect server that is there', () => {
    const processes: ChildProcess[] = [];
    let master = '';

    beforeAll(async () => {
      const [masterPort, connectPort] = [await freePort(), await freePort()];
      const url = `spark://127.0.0.1:${masterPort}`;
      const start = (program: string, ...args: string[]) => {
        const env = { ...process.env, SPARK_LOCAL_IP: '127.0.0.1' };
        processes.push(spawn(join(spark, 'bin', program), args, { stdio: 'ignore', env, cwd: folder }));
      };
      const loopback = ['--host', '127.0.0.1', '--webui-port', '0'];
      start('spark-class', 'org.apache.spark.deploy.master.Master', ...loopback, '--port', String(masterPort));
      start(
        'spark-class',
        'org.apache.spark.deploy.worker.Worker',
        ...loopback,
        '-c',
        '2',
        '-m',
        '2g',
        '-d',
        at('work'),
        url,
      );
      const settings = {
        'spark.driver.host': '127.0.0.1',
        'spark.driver.bindAddress': '127.0.0.1',
        'spark.connect.grpc.binding.address': '127.0.0.1',
        'spark.connect.grpc.binding.port': String(connectPort),
        'spark.ui.enabled': 'false',
        'spark.sql.catalogImplementation': 'in-memory',
      };
      const conf = Object.entries(settings).flatMap(([key, value]) => ['--conf', `${key}=${value}`]);
      const server = ['--class', 'org.apache.spark.sql.connect.service.SparkConnectServer', 'spark-internal'];
      start('spark-submit', '--master', url, ...conf, ...server);
      master = `sc://127.0.0.1:${connectPort}`;
      await untilOpen(connectPort);
    }, LONG);

    afterAll(() => {
      for (const one of processes) one.kill();
    });

    test.each([
      [['--cluster', 'connected', '--keep', 'longest']],
      [['--by', 'site', '--threshold', '0.5', '--shingle', 'word:3']],
      [['--measure', 'containment']],
      [['--measure', 'edit']],
      [['--verify', 'sketch']],
      [['--sketch', 'bottom:64']],
    ])('dedup writes what it writes here with %j', { timeout: LONG }, async options => {
      await expectSame(options.join('').replaceAll(/\W/g, ''), options, onSpark(master));
    });

    test('Parquet and CSV keep their rows and columns', { timeout: LONG }, async () => {
      writeFileSync(
        at('table.csv'),
        `id,text,n\n1,${words(0, 40)},1.50\n2,${words(0, 40)},2\n3,"a ""quoted"" cell, and more",\n`,
      );
      await expectSame('csv', [], onSpark(master), at('table.csv'), 'csv');
      await neardup(['dedup', at('table.csv'), '-o', at('table.parquet')]);
      const { code } = await results('parquet', onSpark(master), at('table.parquet'), 'parquet');
      expect(code).toBe(0);
      const rows = async (file: string) => (await neardup(['dedup', file, '--threshold', '1', '-o', '-'])).stdout;
      await neardup(['dedup', at('table.csv'), '-o', at('expected.parquet')]);
      expect(await rows(at('parquet-documents.parquet'))).toBe(await rows(at('expected.parquet')));
    });

    test('pairs and clusters list what they list here', { timeout: LONG }, async () => {
      for (const command of ['pairs', 'clusters']) {
        const asked = [command, at('corpus.jsonl'), '--threshold', '0.5'];
        const { stdout } = await neardup(asked);
        expect((await neardup([...asked, ...onSpark(master)])).stdout).toBe(stdout);
      }
    });

    test('a folder of parts with _SUCCESS appears under a URL, and is not written over', {
      timeout: LONG,
    }, async () => {
      const url = `file://${at('kept')}`;
      const run = () => neardup(['dedup', `file://${at('corpus.jsonl')}`, '-o', url, ...onSpark(master)]);
      expect((await run()).code).toBe(0);
      expect(existsSync(at('kept/_SUCCESS'))).toBe(true);
      expect((await run()).stderr).toContain('it is there already');
    });

    test('missing and repeated ids are named', { timeout: LONG }, async () => {
      writeFileSync(at('ids.jsonl'), lines({ id: 'a', text: 'x' }, { id: 'a', text: 'y' }));
      writeFileSync(at('unnamed.jsonl'), lines({ id: 'a', text: 'x' }, { text: 'y' }));
      expect((await neardup(['dedup', at('ids.jsonl'), ...onSpark(master)])).stderr).toContain('"a" 2 times');
      expect((await neardup(['dedup', at('unnamed.jsonl'), ...onSpark(master)])).stderr).toContain(
        '1 documents have no id',
      );
    });

    /** A program that stands in for node on the executors. */
    function standIn(name: string, script: string): string[] {
      writeFileSync(at(name), `#!/bin/bash\n${script}\n`);
      chmodSync(at(name), 0o755);
      return ['--spark-node', at(name)];
    }

    test('a worker that is killed once changes nothing', { timeout: LONG }, async () => {
      const script = `if mkdir ${at('killed')} 2>/dev/null; then kill -9 $$; fi; exec ${process.execPath} "$@"`;
      await expectSame('killed-once', [], [...onSpark(master), ...standIn('node-killed', script)]);
      expect(existsSync(at('killed'))).toBe(true);
    });

    test('a worker that ends early with 0 fails the run, and nothing appears', { timeout: LONG }, async () => {
      const script = `head -n 2 | ${process.execPath} "$@"; exit 0`;
      const ran = await results('early', [...onSpark(master), ...standIn('node-early', script)]);
      expect(ran.stderr).toMatch(/workers were given \d+ documents and read \d+|Broken pipe/);
      expect([ran.code, existsSync(at('early-documents.jsonl'))]).toEqual([1, false]);
    });
  });

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function untilOpen(port: number): Promise<void> {
  const { connect } = await import('node:net');
  const tryOnce = () =>
    new Promise<boolean>(resolve => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.end());
    });
  while (!(await tryOnce())) await new Promise(resolve => setTimeout(resolve, 500));
}
