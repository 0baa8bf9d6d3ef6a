/**
 * Settings → a service that listens: first, so that it can say it is opening; then the index is opened.
 *
 * It ends in the order it began, backwards: no new work, what is under way finishes, the index is closed, then the port.
 */
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { fail } from '../errors.ts';
import { packagePath } from '../files/package.ts';
import { reasonOf } from '../files/system-errors.ts';
import { type NameOf, plainName } from '../options.ts';
import type { NearIndex } from '../store/near-index.ts';
import { openIndex } from '../store/open-index.ts';
import { createApp, readyApp } from './app.ts';
import { ServiceError } from './errors.ts';
import { createLog, type Log, type LogStream } from './log.ts';
import { createMetrics } from './metrics.ts';
import type { Serving } from './routing.ts';
import { type GivenServiceSettings, readServiceSettings, type ServiceSettings } from './settings.ts';

export interface Service {
  /** `http://127.0.0.1:7700` */
  readonly url: string;
  /** Settles when the index is open; fails with what keeps it from being so. */
  readonly opened: Promise<void>;
  /** Finishes what is under way, and closes the index. */
  stop(): Promise<void>;
}

/** The folder that the pages are built into. */
const PAGES = packagePath('dist/web');
/** Threads for large documents. */
const THREADS = 2;
/**
 * Connections that wait to be accepted. By default 511 do: more that come at once are dropped, and the clients' systems try again
 * after 1, 3, 7, 15 and 31 seconds.
 */
const BACKLOG = 4096;
/** Milliseconds for batches to answer what they have read. */
const ENDING = 5_000;

export async function startService(
  given: GivenServiceSettings,
  log: LogStream = process.stderr,
  nameOf: NameOf = plainName,
): Promise<Service> {
  const settings = readServiceSettings({ pages: PAGES, ...given }, nameOf);
  const service = new RunningService(settings, createLog(log));
  await service.listen();
  const opened = service.open(nameOf);
  opened.catch(() => {});
  return { url: service.url, opened, stop: () => service.stop() };
}

class RunningService {
  readonly #settings: ServiceSettings;
  readonly #log: Log;
  readonly #app: FastifyInstance;
  readonly #stopping = new AbortController();
  #index: NearIndex | undefined;
  #status: 'ok' | 'opening' | 'closing' = 'opening';
  #underWay = 0;
  #opening: Promise<unknown> = Promise.resolve();
  #ending: Promise<void> | undefined;
  url = '';

  constructor(settings: ServiceSettings, log: Log) {
    this.#settings = settings;
    this.#log = log;
    this.#app = createApp(settings);
  }

  async listen(): Promise<void> {
    const { host, port } = this.#settings;
    await readyApp(this.#serving());
    try {
      this.url = await this.#app.listen({ host, port, backlog: BACKLOG });
    } catch (error) {
      fail('CANNOT_LISTEN', { address: `${host}:${port}`, reason: reasonOf(error) }, error);
    }
    this.#log.info({ url: this.url }, 'listening');
  }

  async open(nameOf: NameOf): Promise<void> {
    const { index, indexOptions } = this.#settings;
    // Who starts it wrote flags; who asks it writes fields.
    const opening = openIndex(index, { threads: THREADS, ...indexOptions }, nameOf, plainName);
    this.#opening = opening.catch(() => {});
    this.#index = await opening;
    if (this.#status === 'opening') this.#status = 'ok';
    this.#log.info({ options: this.#index.options }, 'the index is open');
  }

  #begin(): void {
    if (this.#status !== 'ok') throw this.#notNow();
    if (this.#underWay >= this.#settings.limits.requests)
      throw new ServiceError(503, 'BUSY', 'too many requests at once', { retryAfter: 1 });
    this.#underWay++;
  }

  stop(): Promise<void> {
    this.#ending ??= this.#stop();
    return this.#ending;
  }

  async #stop(): Promise<void> {
    this.#status = 'closing';
    this.#log.info({ underWay: this.#underWay }, 'stopping');
    const { grace } = this.#settings.limits;
    await this.#opening;
    await this.#finished(grace);
    // Batches that are still being sent answer what they have read.
    this.#stopping.abort();
    await this.#finished(ENDING);
    this.#app.server.closeIdleConnections();
    const closed = this.#app.close();
    this.#app.server.closeAllConnections();
    await closed;
    await this.#index?.close();
    this.#log.info({}, 'stopped');
  }

  async #finished(most: number): Promise<void> {
    const end = performance.now() + most;
    while (this.#underWay > 0 && performance.now() < end) await setTimeout(10);
  }

  #notNow(): ServiceError {
    const what = this.#status === 'closing' ? 'stopped' : 'started';
    return new ServiceError(503, this.#status.toUpperCase(), `the service is being ${what}`, { retryAfter: 1 });
  }

  #serving(): Serving {
    return {
      app: this.#app,
      settings: this.#settings,
      log: this.#log,
      metrics: createMetrics(async () => this.#index?.counts()),
      index: () => {
        if (!this.#index) throw this.#notNow();
        return this.#index;
      },
      status: () => this.#status,
      begin: () => this.#begin(),
      end: () => {
        this.#underWay--;
      },
      stopping: this.#stopping.signal,
    };
  }
}
