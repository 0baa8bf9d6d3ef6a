/** A port of this machine that nobody listens on. A node of a Redis cluster also listens on the port 10,000 above. */
import { once } from 'node:events';
import { createServer } from 'node:net';

export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    await new Promise(resolve => server.close(resolve));
    if (port < 50_000) return port;
  }
}
