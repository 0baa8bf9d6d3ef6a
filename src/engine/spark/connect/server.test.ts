import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/support/folder.ts';
import { addressOf, lastWords, withRetries } from './server.ts';

it('reads the address of a Connect server', () => {
  expect(addressOf('sc://host')).toEqual({ host: 'host', port: 15002, token: undefined, tls: false });
  expect(addressOf('sc://10.0.0.1:7/')).toEqual({ host: '10.0.0.1', port: 7, token: undefined, tls: false });
  expect(addressOf('sc://[::1]:7/;use_ssl=true')).toMatchObject({ host: '[::1]', port: 7, tls: true });
});

it('sends a token only over TLS', () => {
  expect(addressOf('sc://host:1/;token=a=b')).toEqual({ host: 'host', port: 1, token: 'a=b', tls: true });
});

it('refuses what is no address', () => {
  expect(() => addressOf('sc://')).toThrow('--master must be sc://host:port, got "sc://"');
});

it('lets a local master repeat failed tasks, as clusters do', () => {
  expect(['local', 'local[2]', 'local[*]', 'local[2,1]', 'spark://local:7077'].map(withRetries)).toEqual([
    'local[1,4]',
    'local[2,4]',
    'local[*,4]',
    'local[2,1]',
    'spark://local:7077',
  ]);
});

it('finds in a log why Spark ended, not what came of it', () => {
  const log = join(temporaryFolder(), 'spark.log');
  const masters =
    '26/11/18 15:24:00 ERROR StandaloneSchedulerBackend: Application has been killed. Reason: All masters are unresponsive! Giving up.';
  const stopped =
    'Exception in thread "main" java.lang.IllegalStateException: Cannot call methods on a stopped SparkContext.';
  writeFileSync(log, `${stopped}\n\tat org.apache.spark.SparkContext.x(SparkContext.scala:1)\n`);
  expect(lastWords(log)).toBe(stopped);
  writeFileSync(log, `${masters}\n${stopped}\n\tat org.apache.spark.SparkContext.x(SparkContext.scala:1)\n`);
  expect(lastWords(log)).toBe('All masters are unresponsive! Giving up.');
});
