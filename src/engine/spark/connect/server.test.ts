import { expect, it } from 'vitest';
import { addressOf, withRetries } from './server.ts';

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
