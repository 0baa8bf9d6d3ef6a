/** Bytes that come once → the same bytes as often as they are asked for: the first reading leaves a copy in a private file. */
import { createReadStream } from 'node:fs';
import { type FileHandle, open as openFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failWriting } from '../../files/system-errors.ts';
import { makeWorkFolder, removeWorkFolder } from '../../files/work-folder.ts';

interface Copied {
  /** The first call reads the source; later ones read what was copied by then. */
  readonly open: () => AsyncIterable<Uint8Array>;
  discard(): Promise<void>;
}

export function copyWhileRead(source: () => AsyncIterable<Uint8Array>): Copied {
  let folder: string | undefined;
  let copy: FileHandle | undefined;
  const path = () => join(folder!, 'input.gz');
  const write = async (chunk: Uint8Array) => {
    try {
      folder ??= makeWorkFolder(tmpdir(), 'neardup-input-');
      copy ??= await openFile(path(), 'wx', 0o600);
      await copy.writeFile(chunk);
    } catch (error) {
      failWriting(folder === undefined ? tmpdir() : path(), error);
    }
  };
  async function* first() {
    for await (const chunk of source()) {
      await write(chunk);
      yield chunk;
    }
  }
  let isRead = false;
  return {
    open: () => {
      if (isRead) return createReadStream(path());
      isRead = true;
      return first();
    },
    discard: async () => {
      await copy?.close();
      if (folder !== undefined) removeWorkFolder(folder);
    },
  };
}
