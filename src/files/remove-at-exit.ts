/** Files and folders in the making → gone when the process ends before they are finished. */
import { renameSync, rmSync } from 'node:fs';

const unfinished = new Set<string>();

/** To be taken back with `keepAtExit` when the path is finished, or removed. */
export function removeAtExit(path: string): void {
  // Listened for when there is something to remove: a library that is only imported adds no listener.
  if (!isListening) process.on('exit', removeAll);
  isListening = true;
  unfinished.add(path);
}

export function keepAtExit(path: string): void {
  unfinished.delete(path);
}

let isListening = false;

function removeAll(): void {
  for (const path of unfinished) removeNow(path);
}

/** A thread that was making a file while the folder got its other name still puts it there: then it is removed again. */
const TRIES = 10;

/**
 * Under another name no thread of this process can begin to put a file into a folder, which would keep it from going.
 * What cannot be removed stays: the exit code, and the other paths, matter more.
 */
function removeNow(path: string): void {
  const ended = `${path}-ended-${crypto.randomUUID()}`;
  try {
    renameSync(path, ended);
  } catch {
    return;
  }
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      rmSync(ended, { recursive: true, force: true, maxRetries: 1, retryDelay: 5 });
      return;
    } catch {}
  }
}
