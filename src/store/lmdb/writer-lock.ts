/**
 * A table → the right to write the index, for one process at a time.
 *
 * The holder listens on a socket whose name stands in the table. The operating system closes it when the process ends,
 * however it ends, so a name that nobody answers to is free to be replaced; a process id could have gone to another
 * process by then. Who replaces whom is settled by a transaction.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fail } from '../../errors.ts';
import { readMeta, writeMetaSync } from './meta.ts';
import type { Tables } from './tables.ts';

interface Holder {
  readonly socket: string;
  readonly pid: number;
  /** The folder it holds: a copy of the index must not inherit the lock. */
  readonly folder: string;
}

export interface WriterLock {
  release(): Promise<void>;
}

export async function takeWriterLock(folder: string, tables: Tables): Promise<WriterLock> {
  const { server, socket } = await listen();
  const own: Holder = { socket, pid: process.pid, folder };
  try {
    await claimFromDead(tables, own);
  } catch (error) {
    await end(server, socket);
    throw error;
  }
  return {
    async release() {
      try {
        tables.root.transactionSync(() => {
          if (readMeta<Holder>(tables, 'writer')?.socket === socket) tables.meta.removeSync('writer');
        });
      } catch {
        // On a full disk, say: a name that nobody answers to is as good as none.
      }
      await end(server, socket);
    },
  };
}

async function claimFromDead(tables: Tables, own: Holder): Promise<void> {
  let dead: string | undefined;
  for (;;) {
    const holder = claim(tables, own, dead);
    if (!holder) break;
    if (await answers(holder.socket)) fail('INDEX_BUSY', { index: own.folder, holder: `process ${holder.pid}` });
    dead = holder.socket;
  }
  if (dead !== undefined) removeSocket(dead);
}

/** The holder, if there is one that is not known to be dead; otherwise we are. */
function claim(tables: Tables, own: Holder, dead: string | undefined): Holder | undefined {
  return tables.root.transactionSync(() => {
    const holder = readMeta<Holder>(tables, 'writer');
    if (holder && holder.folder === own.folder && holder.socket !== dead) return holder;
    writeMetaSync(tables, 'writer', own);
    return undefined;
  });
}

/** In a folder of its own that others cannot enter. A path in the index's folder may be longer than sockets can have. */
async function listen(): Promise<{ server: Server; socket: string }> {
  const name = randomBytes(8).toString('hex');
  const socket =
    process.platform === 'win32'
      ? `\\\\.\\pipe\\neardup-${name}`
      : join(mkdtempSync(join(tmpdir(), 'neardup-writer-')), name);
  const server = createServer(connection => connection.destroy());
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, resolve);
  });
  return { server, socket };
}

function answers(socket: string): Promise<boolean> {
  return new Promise(resolve => {
    const connection = connect(socket);
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
    connection.once('error', (error: NodeJS.ErrnoException) => {
      // A socket we may not reach (EACCES) is somebody's.
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT');
    });
  });
}

async function end(server: Server, socket: string): Promise<void> {
  await new Promise<void>(resolve => server.close(() => resolve()));
  removeSocket(socket);
}

function removeSocket(socket: string): void {
  const folder = dirname(socket);
  if (basename(folder).startsWith('neardup-writer-')) rmSync(folder, { recursive: true, force: true });
}
