/** `neardup serve`: an index → an HTTP service, till a signal ends it. */
import { flagOf, options as optionTable, parseInteger, pick } from '../../options.ts';
import { command } from '../app/command.ts';
import { fileFlag, integerFlag, repeatedFlag, valueFlag } from '../app/flags.ts';
import { indexOptionHelp, indexOptions, seedFlag, storeFlag } from '../index/index-options.ts';

export const serveCommand = command({
  name: 'serve',
  summary: 'serve an index over HTTP: add, search, compare, collapse, clusters, decisions',
  arguments: [],
  options: [...indexOptions, 'maxDocument'],
  optionHelp: { ...indexOptionHelp, maxDocument: 'largest document, in bytes; a larger one gets 413' },
  flags: {
    index: {
      ...fileFlag('the folder of the index, memory: or redis://host:port; created if missing'),
      placeholder: 'dir',
      default: 'memory:',
    },
    host: {
      ...valueFlag('address', 'address to listen on; any but loopback needs NEARDUP_API_KEY', String),
      default: '127.0.0.1',
    },
    port: {
      ...valueFlag('port', 'port to listen on', (given, name) => parseInteger(given, name, 0, 65_535)),
      default: 7700,
    },
    cors: repeatedFlag('origin', 'let pages of this origin call the service; may be repeated', given => given),
    maxRequests: { ...integerFlag('N', 'requests at once; more get 503', 1, 1_000_000), default: 2000 },
    maxRate: integerFlag('N', 'requests a minute from one address; more get 429', 1, 1_000_000_000),
    maxBatch: {
      ...valueFlag('size', 'largest batch, in bytes; a larger one gets 413', optionTable.maxDocument.parse),
      default: '16GB',
    },
    timeout: { ...integerFlag('seconds', 'time for a body to arrive', 1, 86_400), default: 60 },
    grace: { ...integerFlag('seconds', 'time for requests to finish after a signal', 0, 86_400), default: 10 },
    store: storeFlag,
    seed: seedFlag,
  },
  examples: [
    'neardup serve --index seen',
    'neardup serve --index redis://localhost:6379 --port 8080',
    'NEARDUP_API_KEY=$(openssl rand -hex 32) neardup serve --index seen --host 0.0.0.0',
  ],
  async run(_args, options, io, given) {
    const stopped = new Promise<void>(resolve => io.onInterrupt(() => resolve()));
    const {
      index = 'memory:',
      host,
      port,
      cors,
      maxRequests,
      maxRate,
      maxBatch,
      timeout,
      grace,
      store,
      seed,
    } = options;
    const { NEARDUP_API_KEY: apiKey, NEARDUP_READ_KEY: readKey } = process.env;
    const { startService } = await import('../../service/service.ts');
    const { readVersion } = await import('../../files/package.ts');
    const indexSettings = Object.entries({ ...pick(given, indexOptions), store, seed });
    const service = await startService(
      {
        index,
        indexOptions: Object.fromEntries(indexSettings.filter(([, value]) => value !== undefined)),
        version: readVersion(),
        apiKey: apiKey || undefined,
        readKey: readKey || undefined,
        ...(host !== undefined && { host }),
        ...(port !== undefined && { port }),
        ...(cors && { cors }),
        limits: {
          body: options.maxDocument,
          ...(maxRequests !== undefined && { requests: maxRequests }),
          ...(maxRate !== undefined && { rate: maxRate }),
          ...(maxBatch !== undefined && { batch: maxBatch }),
          ...(timeout !== undefined && { receiving: timeout * 1000 }),
          ...(grace !== undefined && { grace: grace * 1000 }),
        },
      },
      io.stderr,
      flagOf,
    );
    try {
      await Promise.race([service.opened, stopped]);
      await stopped;
    } finally {
      await service.stop();
    }
  },
});
