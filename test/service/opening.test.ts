/** A service whose index takes long to open, over real HTTP: it says so, does no work yet, and can be stopped. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { startService } from '../../src/service/service.ts';
import { placesWith } from '../support/indexes.ts';
import { redisForTests } from '../support/redis.ts';
import { clientOf } from '../support/service.ts';

const all = placesWith(redisForTests());

/** A server that takes connections and says nothing, till it is told which one to speak for. */
async function silentServer() {
  const held: Socket[] = [];
  let target: URL | undefined;
  const join = (socket: Socket) => {
    const other = connect(Number(target!.port), target!.hostname);
    other.on('error', () => socket.destroy());
    socket.on('error', () => other.destroy());
    socket.pipe(other).pipe(socket);
  };
  const server = createServer(socket => {
    socket.on('error', () => {});
    held.push(socket);
    if (target) join(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const cut = () => {
    for (const socket of held) socket.destroy();
    server.close();
  };
  onTestFinished(cut);
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    speakFor(location: string) {
      target = new URL(location);
      held.forEach(join);
    },
    cut,
  };
}

async function starting(index: string) {
  const service = await startService({ index, port: 0 }, new PassThrough().resume());
  onTestFinished(() => service.stop());
  return { ...clientOf(service.url), service };
}

async function expectOpening({ get, post }: Pick<ReturnType<typeof clientOf>, 'get' | 'post'>): Promise<void> {
  expect(await get('/health')).toMatchObject({ status: 503, body: { status: 'opening' } });
  const refused = await post('/v1/documents', { id: 'a', text: 'one two three' });
  expect(refused).toMatchObject({ status: 503, body: { error: { code: 'OPENING' } } });
  expect(refused.headers.get('retry-after')).toBe('1');
  expect((await get('/v1/stats')).status).toBe(503);
}

test('says 503 while its index is opening, and while it is stopped before that is done', async () => {
  const silent = await silentServer();
  const { service, ...client } = await starting(`redis://${silent.address}`);
  await expectOpening(client);
  const stopped = service.stop();
  expect(await client.get('/health')).toMatchObject({ status: 503, body: { status: 'closing' } });
  expect(await client.get('/v1/stats')).toMatchObject({ status: 503, body: { error: { code: 'CLOSING' } } });
  silent.cut();
  await stopped;
  await expect(client.get('/health')).rejects.toThrow();
}, 60_000);

test.runIf('Redis' in all)(
  'says 200 as soon as its index is open',
  async () => {
    const silent = await silentServer();
    const location = all.Redis!();
    const { service, ...client } = await starting(location.replace(new URL(location).host, silent.address));
    await expectOpening(client);
    silent.speakFor(location);
    await service.opened;
    expect(await client.get('/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect((await client.post('/v1/documents', { id: 'a', text: 'one two three' })).status).toBe(201);
  },
  60_000,
);
