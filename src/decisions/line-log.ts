/** Lines that are only ever appended, in a file or in memory: written one after another, and read from where one left off. */
import { type FileHandle, open } from 'node:fs/promises';
import { failReading, failWriting } from '../files/system-errors.ts';

export interface LinePortion {
  readonly lines: readonly string[];
  /** Where the next portion begins; the same as before when there is none yet. */
  readonly next: number;
}

export interface LineLog {
  /** Resolves when the line is durable. */
  append(line: string): Promise<void>;
  /** From 0, or from the `next` of a portion. */
  read(from: number): Promise<LinePortion>;
}

/**
 * A log of lines in memory.
 *
 * @example
 * ```ts
 * const log = memoryLog();
 * await log.append('{"a":"1","b":"2","verdict":"same"}');
 * (await log.read(0)).lines.length; // → 1
 * ```
 */
export function memoryLog(): LineLog {
  const lines: string[] = [];
  return {
    append: async line => void lines.push(line),
    read: async from => ({ lines: lines.slice(from, from + LINES), next: Math.min(lines.length, from + LINES) }),
  };
}

const LINES = 1000;
const PORTION = 2 ** 18;
const NEWLINE = 10;

/**
 * A file that is made with its first line. Places in it are bytes.
 *
 * @example
 * ```ts
 * const log = fileLog('/nowhere/decisions.jsonl');
 * (await log.read(0)).lines; // → []
 * ```
 */
export function fileLog(path: string): LineLog {
  let last: Promise<unknown> = Promise.resolve();
  return {
    append(line) {
      const appended = last.then(() => appendLine(path, line)).catch(error => failWriting(path, error));
      last = appended.catch(() => {});
      return appended;
    },
    async read(from) {
      const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') failReading(path, error);
      });
      if (!file) return { lines: [], next: from };
      try {
        return await readPortion(file, from);
      } catch (error) {
        return failReading(path, error);
      } finally {
        await file.close();
      }
    },
  };
}

async function appendLine(path: string, line: string): Promise<void> {
  const file = await open(path, 'a+');
  try {
    // Half a line of a process that was killed must not become the beginning of this one.
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    const isWhole = size === 0 || buffer[0] === NEWLINE;
    await file.appendFile(`${isWhole ? '' : '\n'}${line}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Whole lines only: the last one may be in the making. */
async function readPortion(file: FileHandle, from: number): Promise<LinePortion> {
  for (let size = PORTION; ; size *= 2) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(size), 0, size, from);
    const end = buffer.subarray(0, bytesRead).lastIndexOf(NEWLINE);
    if (end === -1 && bytesRead === size) continue;
    if (end === -1) return { lines: [], next: from };
    const lines = buffer.toString('utf8', 0, end).split('\n');
    return { lines, next: from + end + 1 };
  }
}

export async function* linesOf(log: LineLog): AsyncGenerator<string> {
  for (let from = 0; ; ) {
    const { lines, next } = await log.read(from);
    if (next === from) return;
    yield* lines;
    from = next;
  }
}
