/**
 * A table → the right to write the index, for one process at a time.
 *
 * The holder listens on a socket whose name stands in the table. The operating system closes it when the process ends,
 * however it ends, so a name that nobody answers to is free to be replaced; a process id could have gone to another
 * process by then. Who replaces whom is settled by a transaction. On the same socket others ask the holder for what only
 * it can do.
 */
import { randomBytes } from 'node:crypto';
import { lstatSync, mkdtempSync, rmdirSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
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
  /** From now on, others may ask for it. */
  onCompact(compact: () => Promise<void>): void;
  release(): Promise<void>;
}

export async function takeWriterLock(folder: string, tables: Tables): Promise<WriterLock> {
  const { server, socket, requests } = await listen();
  const own: Holder = { socket, pid: process.pid, folder };
  try {
    await claimFromDead(tables, own);
  } catch (error) {
    await end(server, socket, requests);
    throw error;
  }
  return {
    onCompact(compact) {
      requests.compact = compact;
    },
    async release() {
      try {
        tables.root.transactionSync(() => {
          if (readMeta<Holder>(tables, 'writer')?.socket === socket) tables.meta.removeSync('writer');
        });
      } catch {
        // On a full disk, say: a name that nobody answers to is as good as none.
      }
      await end(server, socket, requests);
    },
  };
}

/** LMDB would wait without end for a process that was stopped in the middle of a transaction. So the holder is asked first. */
export async function requireNoWriter(folder: string, tables: Tables): Promise<void> {
  const holder = readMeta<Holder>(tables, 'writer');
  if (holder?.folder === folder && (await answers(holder.socket))) failBusy(folder, holder);
}

function failBusy(index: string, { pid }: Holder, how = ''): never {
  return fail('INDEX_BUSY', { index, holder: `process ${pid}${how}` });
}

/** In milliseconds. Who compacts says every second that it is at it; who says nothing for this long may be stopped. */
const SILENCE = 10_000;
const SIGN_OF_LIFE = 1_000;

/** Resolves when it is done; false when nobody writes the index, or stopped to before it was. */
export async function askWriterToCompact(folder: string, tables: Tables): Promise<boolean> {
  const holder = readMeta<Holder>(tables, 'writer');
  if (!holder || holder.folder !== folder) return false;
  let isSilent = false;
  const answer = await new Promise<string>(resolve => {
    const connection = connect(holder.socket).setEncoding('utf8');
    let said = '';
    connection.on('data', text => {
      said += String(text).replaceAll(WORKING, '');
    });
    connection.setTimeout(SILENCE, () => {
      isSilent = true;
      connection.destroy();
    });
    connection.once('connect', () => connection.write(COMPACT));
    connection.once('error', () => {}); // then it closes, and has said nothing
    connection.once('close', () => resolve(said));
  });
  if (isSilent) failBusy(folder, holder, `, which has not answered for ${SILENCE / 1000} seconds`);
  if (answer !== '' && answer !== DONE) fail('CANNOT_WRITE', { file: folder, reason: answer });
  return answer === DONE;
}

const COMPACT = 'compact\n';
const DONE = 'done\n';
const WORKING = '\0';

interface Requests {
  compact?: () => Promise<void>;
  readonly connections: Set<Socket>;
}

function answerRequests(connection: Socket, requests: Requests): void {
  const { connections } = requests;
  connections.add(connection);
  connection.once('close', () => connections.delete(connection));
  connection.on('error', () => {}); // it went away
  connection.setEncoding('utf8').once('data', text => {
    if (String(text) !== COMPACT || !requests.compact) return connection.destroy();
    const signs = setInterval(() => connection.write(WORKING), SIGN_OF_LIFE).unref();
    return requests
      .compact()
      .finally(() => clearInterval(signs))
      .then(
        () => connection.end(DONE),
        error => connection.end((error as Error).message),
      );
  });
}

async function claimFromDead(tables: Tables, own: Holder): Promise<void> {
  let dead: string | undefined;
  for (;;) {
    const holder = claim(tables, own, dead);
    if (!holder) break;
    if (await answers(holder.socket)) failBusy(own.folder, holder);
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
async function listen(): Promise<{ server: Server; socket: string; requests: Requests }> {
  const name = randomBytes(8).toString('hex');
  const socket =
    process.platform === 'win32'
      ? `\\\\.\\pipe\\neardup-${name}`
      : join(mkdtempSync(join(tmpdir(), 'neardup-writer-')), name);
  const requests: Requests = { connections: new Set() };
  const server = createServer(connection => answerRequests(connection.unref(), requests));
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, resolve);
  });
  return { server, socket, requests };
}

function answers(socket: string): Promise<boolean> {
  return new Promise(resolve => {
    const connection = connect(socket);
    const isSomebody = () => {
      connection.destroy();
      resolve(true);
    };
    connection.once('connect', isSomebody).setTimeout(SILENCE, isSomebody);
    connection.once('error', (error: NodeJS.ErrnoException) => {
      // A socket we may not reach (EACCES) is somebody's.
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT');
    });
  });
}

async function end(server: Server, socket: string, { connections }: Requests): Promise<void> {
  for (const connection of connections) connection.destroy();
  await new Promise<void>(resolve => server.close(() => resolve()));
  removeSocket(socket);
}

/** The path may come from an index that somebody else wrote: only a socket of ours is removed, in a folder of ours that then is empty. */
function removeSocket(socket: string): void {
  const folder = dirname(socket);
  if (!basename(folder).startsWith('neardup-writer-') || dirname(folder) !== tmpdir()) return;
  try {
    const place = lstatSync(folder);
    if (!place.isDirectory() || place.uid !== process.getuid?.()) return;
    if (lstatSync(socket, { throwIfNoEntry: false })?.isSocket()) unlinkSync(socket);
    rmdirSync(folder);
  } catch {
    // It is gone already, or not empty: nothing depends on it.
  }
}
