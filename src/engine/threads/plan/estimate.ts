/** Files of lines → what a run over them will take: time, disk, memory. From a look at a few of their lines. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Estimate } from '../../engine.ts';
import type { RunOptions } from '../../run-options.ts';
import type { LineFile } from './plan.ts';

/** Of each of at most so many places of the input, so many bytes are looked at. */
const PLACES = 16;
const LOOK = 1 << 16;

/** What a thread takes, with 128 minima: bytes of lines a second, and seconds more for each document. Measured on documents of 100 and of 2,000 bytes. */
const RATE = 190e6;
const SECONDS_PER_DOCUMENT = 15e-6;
/** Bytes on disk for a document besides its keys: where it is, its id, its content. */
const DISK_PER_DOCUMENT = 90;
const DISK_PER_KEY = 12;
/** Bytes in memory for a document, whatever its size; and what the program takes by itself, with each thread. */
export const MEMORY_PER_DOCUMENT = 30;
const MEMORY_OF_PROGRAM = 80 * 2 ** 20;
const MEMORY_PER_THREAD = 60 * 2 ** 20;

export function fixedMemory(jobs: number): number {
  return MEMORY_OF_PROGRAM + jobs * MEMORY_PER_THREAD;
}

export function estimateOf(
  files: readonly LineFile[],
  lineLength: number,
  { resolvedLsh }: RunOptions,
  jobs: number,
): Estimate {
  const bytes = files.reduce((sum, { start, end }) => sum + end - start, 0);
  const documents = Math.round(bytes / lineLength);
  const keys = resolvedLsh?.bands ?? KEYS_WITHOUT_BANDS;
  return {
    bytes,
    documents,
    seconds: (bytes / RATE + documents * SECONDS_PER_DOCUMENT) / jobs,
    disk: documents * (DISK_PER_DOCUMENT + keys * DISK_PER_KEY),
    memory: fixedMemory(jobs) + documents * MEMORY_PER_DOCUMENT,
  };
}

const KEYS_WITHOUT_BANDS = 50;

/** The mean, in bytes. */
export function lineLengthOf(files: readonly LineFile[]): number {
  let seen = 0;
  let lines = 0;
  const step = Math.ceil(files.length / PLACES);
  const looks = Math.max(1, Math.floor(PLACES / files.length));
  for (let i = 0; i < files.length; i += step) {
    const { path, start, end } = files[i]!;
    const file = openSync(path, 'r');
    for (let look = 0; look < looks; look++) {
      const at = start + Math.floor(((end - start) * look) / looks);
      const bytes = Buffer.alloc(Math.min(LOOK, end - at));
      seen += readSync(file, bytes, 0, bytes.length, at);
      for (let newline = bytes.indexOf(10); newline >= 0; newline = bytes.indexOf(10, newline + 1)) lines++;
    }
    closeSync(file);
  }
  return Math.max(1, seen) / Math.max(1, lines);
}
