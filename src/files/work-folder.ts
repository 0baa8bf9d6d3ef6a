/** A parent folder → a folder for files in the making that only this user can enter, marked with the process at work in it. */
import { lstatSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { keepAtExit, removeAtExit } from './remove-at-exit.ts';
import { failWriting } from './system-errors.ts';

const MARK = '.neardup-process';

/** Of this process, which files in the making are put into. */
const own = new Set<string>();

/**
 * Its name ends at random, so nobody can have put something there; its mode is 0700. It goes when the process ends, and
 * those that killed processes have left under the same prefix go now.
 */
export function makeWorkFolder(parent: string, prefix: string): string {
  removeAbandoned(parent, prefix);
  const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  removeAtExit(folder);
  own.add(folder);
  writeMark(folder);
  return folder;
}

/** The same; that it cannot be made is an error that names the `target` it was for. */
export function workFolderFor(target: string, parent: string, prefix: string): string {
  try {
    return makeWorkFolder(parent, prefix);
  } catch (error) {
    return failWriting(target, error);
  }
}

export function removeWorkFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  keepAtExit(folder);
  own.delete(folder);
}

export function isInWorkFolder(path: string): boolean {
  return own.has(dirname(path));
}

/** A folder of an earlier process becomes this one's; false when another process was faster. */
export function takeWorkFolder(folder: string): boolean {
  try {
    // Of several processes one succeeds in renaming it.
    renameSync(join(folder, MARK), join(folder, `${MARK}-before`));
  } catch {
    return false;
  }
  writeMark(folder);
  own.add(folder);
  return true;
}

/** The folder stays, for another process or for this one to take. */
export function leaveWorkFolder(folder: string): void {
  writeFileSync(join(folder, MARK), markOf(0, 'left'), { mode: 0o600 });
  keepAtExit(folder);
  own.delete(folder);
}

/** `gone`: it has ended; `elsewhere`: it ran on another machine or in another container, and may still. */
type Holder = number | 'gone' | 'elsewhere';

/** Folders of this user with a mark in them, whatever else has such a name. */
export function findWorkFolders(parent: string, prefix: string): { path: string; holder: Holder }[] {
  return namesIn(parent)
    .filter(name => name.startsWith(prefix))
    .flatMap(name => {
      const path = join(parent, name);
      const holder = isOwnFolder(path) ? (readHolder(path) ?? killedEarly(path, name.slice(prefix.length))) : undefined;
      return holder === undefined ? [] : [{ path, holder }];
    });
}

/** What processes that were killed have left there. */
function removeAbandoned(parent: string, prefix: string): void {
  for (const { path, holder } of findWorkFolders(parent, prefix))
    if (holder === 'gone')
      try {
        rmSync(path, { recursive: true, force: true });
      } catch {} // it is in nobody's way
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A real folder, not a link to one, that no other user has made or can write to. */
function isOwnFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return false;
  // Windows has neither users by number nor such modes.
  return process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0);
}

function writeMark(folder: string): void {
  writeFileSync(join(folder, MARK), markOf(process.pid, startOf(process.pid)), { mode: 0o600, flag: 'wx' });
}

function markOf(pid: number, started: string): string {
  return `${pid} ${started} ${hostname()}\n`;
}

/** Undefined without a whole mark: somebody may be about to write it. */
function readHolder(folder: string): Holder | undefined {
  const path = join(folder, MARK);
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  const [, pid, started, host] = /^(\d+) (\S+) (.*)\n$/.exec(readFileSync(path, 'utf8')) ?? [];
  if (pid === undefined) return undefined;
  if (host !== hostname()) return 'elsewhere';
  return startOf(Number(pid)) === started ? Number(pid) : 'gone';
}

/** A kill before the mark was written leaves a folder with nothing in it; the process is known by the folder's name. */
function killedEarly(folder: string, rest: string): 'gone' | undefined {
  const [, pid] = /^(\d+)-[^-]+$/.exec(rest) ?? [];
  if (pid === undefined || startOf(Number(pid)) !== '') return undefined;
  const isEmpty = readdirSync(folder).every(name => name === MARK && lstatSync(join(folder, name)).size === 0);
  return isEmpty ? 'gone' : undefined;
}

/** Something that tells a process from a later one of the same number; empty when there is none. */
function startOf(pid: number): string {
  try {
    // 0 and less would mean groups of processes.
    if (pid <= 0) return '';
    process.kill(pid, 0);
  } catch {
    return '';
  }
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ')[19]!;
  } catch {
    return 'running';
  }
}
