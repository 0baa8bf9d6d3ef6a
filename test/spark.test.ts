/**
 * Runs on Apache Spark give what runs on this machine give, byte for byte, or fail. `npm run test:spark` adds other options and
 * formats, executors that are killed, workers that end early, connections that break and disks that are full.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contractOnSpark } from './spark-contract.ts';
import { largeOnSpark } from './spark-large.ts';
import { troubleOnSpark } from './spark-trouble.ts';
import { lines, neardup, words } from './support/command.ts';
import { sharedFolder } from './support/folder.ts';
import { outsideProgram, outsideSpark } from './support/outside.ts';
import { query } from './support/query.ts';
import { QUICK_SPARK, type SparkCluster, startCluster } from './support/spark.ts';
import { LONG, onSpark, sparkRuns } from './support/spark-runs.ts';
import { onTerminal } from './support/terminal.ts';

const folder = sharedFolder();
const runs = sparkRuns(folder);
const { at, results, expectSame } = runs;
const spark = outsideSpark('runs on Apache Spark');
const isFull = process.env.NEARDUP_SPARK === 'full';

/** Spark would put a value for it into a statement. */
const VARIABLE = `${'$'}{system:file.separator}`;

beforeAll(() => {
  const near = (id: number) => ({ id: `d${id}`, text: `${words(0, 60 + (id % 5))} end`, site: id % 2 ? 'a' : null });
  const documents = [
    ...Array.from({ length: 12 }, (_, id) => near(id)),
    { id: 'copy', text: words(100, 150), rank: 3 },
    { id: 'copy "2"\t', text: words(100, 150), rank: 5 },
    { id: 'no words', text: '' },
    { id: 'no words either', text: '' },
    { id: 'alone', text: '😀 \u0000 tab\there', rank: 1 },
    { id: VARIABLE, text: 'of its own' },
  ];
  const odd = [
    '',
    'not JSON',
    '{"id":"no text"}',
    '{"id":12345678901234567890,\t"text":"one two","exact":1790000000000000001,"f":1.0}\r',
  ];
  writeFileSync(at('corpus.jsonl'), `\ufeff${lines(...documents)}${odd.join('\n')}\n`);
  const decisions = [
    { a: 'd1', b: 'd2', verdict: 'different' },
    { a: 'alone', b: 'd3', verdict: 'same', keep: 'alone' },
    { a: 'copy', b: 'copy "2"\t', verdict: 'different' },
    { a: 'nobody', b: 'd1', verdict: 'same' },
    { a: VARIABLE, b: 'd4', verdict: 'same' },
  ];
  writeFileSync(at('decisions.jsonl'), lines(...decisions));
  writeFileSync(at('reference.jsonl'), lines({ id: 'd0', text: `${words(0, 61)} end` }));
});

/** Every component is giant, and taken apart. */
const ALL_GIANT = { NEARDUP_GIANT: '0' };

describe('wrong usage', () => {
  test.each([
    [['--engine', 'spark'], '--engine spark without --master'],
    [['--master', 'local[2]'], '--master without --engine spark'],
    [['--spark-conf', 'a=b'], '--spark-conf without --engine spark'],
    [[...onSpark(), '--resume'], '--resume with --engine spark'],
    [[...onSpark(), '--damaged', 'skip'], '--damaged skip with --engine spark'],
    [[...onSpark(), '--format', 'warc'], 'WARC input with --engine spark'],
    [[...onSpark(), '-o', 'kept.csv'], '-o kept.csv with --engine spark'],
    [[...onSpark(), '--format', 'csv', '-o', 'kept.csv', '--csv-safe'], '--csv-safe -o kept.csv with --engine spark'],
    [[...onSpark(), '--removed', 'hdfs://host/removed'], '--removed hdfs://host/removed'],
    [['--engine', 'spark', '--master', 'sc://'], '--master must be'],
    [[at('corpus.jsonl'), ...onSpark()], 'a file that is named twice, with --engine spark'],
    [[...onSpark(), '--spark-node', 'none.tgz'], '--spark-node must be a file that is there, got "none.tgz"'],
  ])('is said before Spark is started: %j', async (options, message) => {
    const { code, stderr } = await neardup(['dedup', at('corpus.jsonl'), ...options], '', {
      SPARK_HOME: at('nowhere'),
    });
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  test('without Java, one line says so', async () => {
    mkdirSync(at('home/bin'), { recursive: true });
    writeFileSync(at('home/bin/spark-submit'), '');
    const { code, stderr } = await neardup(['dedup', at('corpus.jsonl'), ...onSpark()], '', {
      SPARK_HOME: at('home'),
      JAVA_HOME: at('nowhere'),
    });
    expect(stderr).toMatch(/^neardup: Spark needs Java 17 or later, and .* was not found; .*\n$/);
    expect(code).toBe(1);
  });

  test.skipIf(!outsideProgram('script', 'a failed run on a terminal'))(
    'a run that fails on a terminal ends, and its bar with it',
    async () => {
      const { code, screen } = await onTerminal(['dedup', at('corpus.jsonl'), ...onSpark()], {
        SPARK_HOME: at('nowhere'),
      });
      expect(code).toBe(1);
      // The cursor is shown again before the error is.
      expect(screen).toMatch(/start .*\[\?25h.*neardup: there is no bin\/spark-submit/s);
    },
  );

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
    const options = ['--protect', at('reference.jsonl'), '--keep', 'max:rank', '--decisions', at('decisions.jsonl')];
    await expectSame('plain', { options: [...options, '--mark'], spark: [...onSpark(), ...QUICK_SPARK] });
    expect(readdirSync(folder).filter(name => name.startsWith('.neardup'))).toEqual([]);
  });

  test('a master and two workers do the same', { timeout: LONG }, async () => {
    const cluster = await startCluster(spark!, folder, { workers: 2, withConnect: false });
    try {
      const memory = ['--spark-conf', 'spark.executor.memory=900m'];
      await expectSame('cluster', { spark: [...onSpark(cluster.master), ...QUICK_SPARK, ...memory] });
    } finally {
      await cluster.stop();
    }
  });
});

if (spark && isFull)
  describe('on a standalone cluster, through a Connect server that is there', () => {
    let cluster: SparkCluster;
    let master = '';

    beforeAll(async () => {
      cluster = await startCluster(spark, folder, { workers: 2, withConnect: true });
      master = cluster.connect;
    }, LONG);

    afterAll(() => cluster.stop());

    contractOnSpark(folder, () => master);

    test.each([
      [['--cluster', 'connected', '--keep', 'longest']],
      [['--by', 'site', '--threshold', '0.5', '--shingle', 'word:3']],
      [['--measure', 'containment']],
      [['--measure', 'edit']],
      [['--verify', 'sketch']],
      [['--sketch', 'bottom:64']],
    ])('dedup writes what it writes here with %j', { timeout: LONG }, async options => {
      await expectSame(options.join('').replaceAll(/\W/g, ''), { options, spark: onSpark(master) });
    });

    test.each(['direct', 'connected'])('giant components are taken apart, %s', { timeout: LONG }, async way => {
      const options = ['--cluster', way, '--threshold', '0.6', '--decisions', at('decisions.jsonl')];
      await expectSame(`giant-${way}`, { options, spark: onSpark(master), env: ALL_GIANT });
    });

    test('files of one document, gzip and Zstandard are read', { timeout: LONG }, async () => {
      mkdirSync(at('texts'));
      for (let i = 0; i < 6; i++) writeFileSync(at(`texts/${i}.txt`), `${words(0, 60 + i)}\n\ttab “é” \\\n`);
      writeFileSync(at('texts/100%.txt'), words(0, 63));
      writeFileSync(at('texts/page.html'), `<p>${words(0, 61)}</p><script>none of it</script>`);
      writeFileSync(at('texts/small.txt.gz'), gzipSync(words(0, 62)));
      await expectSame('texts', { spark: onSpark(master), input: at('texts') });
      const options = ['--html', 'always', '--mark'];
      await expectSame('html', { options, spark: onSpark(master), input: at('texts') });
      for (const ending of ['gz', 'zst']) {
        const packed = at(`packed.jsonl.${ending}`);
        await neardup(['dedup', at('corpus.jsonl'), '--mark', '-o', packed]);
        await expectSame(`packed-${ending}`, { options: ['--by', 'site'], spark: onSpark(master), input: packed });
        const whole = readFileSync(packed);
        const cut = at(`cut.jsonl.${ending}`);
        writeFileSync(cut, whole.subarray(0, whole.length - 20));
        const { code, stderr } = await results(`cut-${ending}`, { spark: onSpark(master), input: cut });
        expect([code, existsSync(at(`cut-${ending}-documents.jsonl`))]).toEqual([1, false]);
        expect(stderr).toMatch(/^neardup: Spark failed/m);
      }
    });

    test('lines with bytes that are no UTF-8 come out as they are', { timeout: LONG }, async () => {
      // A surrogate by itself, which Java and Spark replace by one character and by three.
      const lone = (id: number) => [
        Buffer.from(`{"id":${id},"text":"${words(0, 40)} `),
        Buffer.from('eda080ff', 'hex'),
      ];
      const rows = [1, 2].flatMap(id => [...lone(id), Buffer.from(` ${id}"}\n`)]);
      writeFileSync(at('no-utf8.jsonl'), Buffer.concat(rows));
      await expectSame('no-utf8', { spark: onSpark(master), input: at('no-utf8.jsonl') });
    });

    test.each([[','], ['\t']])(
      'tables with %j between cells keep every character of them',
      { timeout: 2 * LONG },
      async sep => {
        const ending = sep === ',' ? 'csv' : 'tsv';
        const rows = [
          ['id', 'text', 'n'],
          ['0', '"a cell\r\nof two lines"', ''],
          ['1', words(0, 40), '1.50'],
          ['2', words(0, 40), '2'],
          ['3', ' white space at both ends ', '  '],
          ['4', `"a ""quoted""${sep} cell\nof two lines"`, ''],
        ];
        const table = at(`table.${ending}`);
        writeFileSync(table, rows.map(row => `${row.join(sep)}\n`).join(''));
        const run = { spark: onSpark(master), input: table, ending };
        await expectSame(ending, run);
        await expectSame(`${ending}-marked`, { ...run, options: ['--mark'] });
        const marked = at(`${ending}-marked-spark-documents.${ending}`);
        await expectSame(`${ending}-again`, { ...run, input: marked, options: ['--mark', '--threshold', '1'] });
        const wide = at(`wide.${ending}`);
        writeFileSync(wide, `id${sep}text\n1${sep}x\n2${sep}${words(0, 40)}\n`);
        await expectSame(`${ending}-wide`, { ...run, input: wide, options: ['--max-document', '60B'] });
        const parts = at(`parts-of-${ending}`);
        await neardup(['dedup', `file://${table}`, '-o', `file://${parts}`, '--format', ending, ...onSpark(master)]);
        const [part] = readdirSync(parts).filter(name => name.startsWith('part-'));
        expect(readFileSync(join(parts, part!), 'utf8')).toBe(
          readFileSync(at(`${ending}-spark-documents.${ending}`), 'utf8'),
        );
      },
    );

    test('columns of Parquet keep their types and values', { timeout: LONG }, async () => {
      const columns = `'d' || i AS id, CASE WHEN i % 3 = 0 THEN '${words(0, 40)}' ELSE 'text ' || i END AS text,
        i % 2 = 0 AS flag, i::TINYINT AS i8, 1790000000000000001 + i AS i64, (i / 7)::FLOAT AS f32, i / 7 AS f64,
        (i * 1.5)::DECIMAL(9, 2) AS d9, (i * 1.25)::DECIMAL(38, 10) AS d38, '\\x00\\xFF'::BLOB AS bytes, DATE '1500-01-01' + i::INTEGER AS day,
        TIMESTAMP '1890-05-01 12:34:56.123456' AS local, TIMESTAMPTZ '2024-05-01 12:34:56.123456+00' + to_microseconds((i * 7) % 20) AS instant, TIME '12:34:56.123456' AS clock,
        [i, NULL] AS list, {'a': i, 'b': [1.5::DOUBLE]} AS members, MAP {'k': i} AS pairs, NULL::INTEGER AS nothing, 'x' AS "with space", 'y' AS "a.b"`;
      await query(`COPY (SELECT ${columns} FROM range(30) t(i)) TO '${at('types.parquet')}' (FORMAT parquet)`);
      const run = { input: at('types.parquet'), ending: 'parquet', options: ['--keep', 'max:instant'] };
      await results('types-local', run);
      const { code } = await results('types-spark', { ...run, spark: onSpark(master) });
      expect(code).toBe(0);
      const [here, there] = ['local', 'spark'].map(engine => `'${at(`types-${engine}-documents.parquet`)}'`);
      const types = (file: string) => query(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${file})`);
      expect(await types(there!)).toEqual(await types(here!));
      expect(await query(`SELECT * FROM ${there}`)).toEqual(await query(`SELECT * FROM ${here}`));
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

    test('a run that removes too much ends as here, and the summary says the same', { timeout: LONG }, async () => {
      const asked = ['dedup', at('corpus.jsonl'), '-o', at('braked.jsonl'), '--json'];
      const brake = ['--max-removed', '10%'];
      const here = await neardup([...asked, ...brake]);
      const there = await neardup([...asked, ...brake, ...onSpark(master)]);
      expect([there.code, there.stderr]).toEqual([here.code, here.stderr]);
      expect([here.code, here.stdout, existsSync(at('braked.jsonl'))]).toEqual([3, '', false]);
      const summaryOf = async (options: string[]) => {
        const { seconds, comparisons, ...summary } = JSON.parse((await neardup([...asked, ...options])).stdout);
        return summary;
      };
      expect(await summaryOf(onSpark(master))).toEqual(await summaryOf([]));
    });

    test('missing and repeated ids are named', { timeout: LONG }, async () => {
      writeFileSync(at('ids.jsonl'), lines({ id: 'a', text: 'x' }, { id: 'a', text: 'y' }));
      writeFileSync(at('unnamed.jsonl'), lines({ id: 'a', text: 'x' }, { text: 'y' }));
      expect((await neardup(['dedup', at('ids.jsonl'), ...onSpark(master)])).stderr).toContain('"a" 2 times');
      expect((await neardup(['dedup', at('unnamed.jsonl'), ...onSpark(master)])).stderr).toContain(
        `1 documents have no id (${at('unnamed.jsonl')}:2)`,
      );
    });

    troubleOnSpark(runs, () => cluster);
    largeOnSpark(runs, () => cluster.connect);
  });
