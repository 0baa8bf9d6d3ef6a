/** Files as they were dropped → files of documents: zip archives are unpacked, what cannot be read is named. */

import { Unzip, UnzipInflate } from 'fflate';
import { inMemoryFormat } from 'neardup/browser';

export interface ReadFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface Unpacked {
  readonly files: ReadFile[];
  readonly unknown: string[];
  readonly damages: { file: string; line: number; reason: string }[];
}

/** A small archive can unpack to anything; a browser tab cannot hold more. */
export const MOST_BYTES = 2 ** 30;

export async function unpack(given: readonly File[], onBytes: (bytes: number) => void): Promise<Unpacked> {
  const found: Unpacked = { files: [], unknown: [], damages: [] };
  const budget = { left: MOST_BYTES };
  for (const file of [...given].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (/\.zip$/i.test(file.name)) await unzip(file, found, budget, onBytes);
    else if (inMemoryFormat(file.name)) {
      take(budget, file.size, file.name);
      found.files.push({ path: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
      onBytes(file.size);
    } else found.unknown.push(file.name);
  }
  return found;
}

async function unzip(archive: File, found: Unpacked, budget: { left: number }, onBytes: (bytes: number) => void) {
  const open = new Set<string>();
  const files: ReadFile[] = [];
  const unzipper = new Unzip(entry => {
    const path = entry.name;
    if (path.endsWith('/') || /(^|\/)(__MACOSX\/|\.)/.test(path)) return;
    if (!inMemoryFormat(path)) {
      found.unknown.push(path);
      return;
    }
    const chunks: Uint8Array[] = [];
    open.add(path);
    entry.ondata = (error, chunk, isLast) => {
      if (error) throw error;
      // Counted as it comes out: what an archive says of its sizes may be wrong.
      take(budget, chunk.length, archive.name);
      chunks.push(chunk);
      if (!isLast) return;
      open.delete(path);
      files.push({ path, bytes: joined(chunks) });
    };
    entry.start();
  });
  unzipper.register(UnzipInflate);
  try {
    const reader = archive.stream().getReader();
    for (;;) {
      const { done, value } = await reader.read();
      unzipper.push(value ?? new Uint8Array(0), done);
      onBytes(value?.length ?? 0);
      if (done) break;
    }
  } catch (error) {
    if (error instanceof TooMuch) throw error;
    // One that ends within a file is told with the name of that file.
    if (open.size === 0)
      found.damages.push({ file: archive.name, line: 1, reason: `damaged: ${(error as Error).message}` });
  }
  for (const path of open) found.damages.push({ file: path, line: 1, reason: `damaged or cut off in ${archive.name}` });
  found.files.push(...files.sort((a, b) => (a.path < b.path ? -1 : 1)));
}

class TooMuch extends Error {}

function take(budget: { left: number }, bytes: number, name: string): void {
  budget.left -= bytes;
  if (budget.left < 0)
    throw new TooMuch(`${name}: more than ${MOST_BYTES / 2 ** 30} GB in all. The command line has no such limit.`);
}

export function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
