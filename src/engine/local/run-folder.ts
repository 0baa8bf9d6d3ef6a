/** A run → the folder of its stage files: its own while it works, and found again by a run of the same that resumes. */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fail, NeardupError } from '../../errors.ts';
import type { InputFile } from '../../formats/inputs.ts';
import { keepAtExit, removeAtExit } from '../../formats/remove-at-exit.ts';
import { failWriting } from '../../formats/system-errors.ts';
import { type RunRequest, UNFINISHED_OUTPUTS } from '../files.ts';
import type { RunOptions } from '../run-options.ts';
import { writtenOptions } from '../written-options.ts';

export interface RunFolder {
  readonly path: string;
  /** An earlier run has left stage files there. */
  readonly resumes: boolean;
  /** Remembers a folder of unfinished outputs: if the run is killed, the next one of the same removes it. */
  noteUnfinished(path: string): void;
  /** The run is over: nothing of it is needed any more. */
  remove(): void;
}

/** To be raised when stage files of an earlier version are not to be used. */
const VERSION = 2;

/** With `resume` the folder stays if the run does not come to its end; without, only a kill leaves one. */
export function openRunFolder(request: RunRequest, options: RunOptions): RunFolder {
  const { tmp = tmpdir(), resume = false } = request;
  const shared = resolve(tmp, `neardup-run-${fingerprint(request, options)}`);
  const { path, isNew } = take(shared, resume);
  removeUnfinished(path);
  if (!resume)
    for (const name of readdirSync(path)) if (name !== LOCK) rmSync(join(path, name), { recursive: true, force: true });
  const unlock = () => rmSync(join(path, LOCK), { force: true });
  if (resume) process.on('exit', unlock);
  else removeAtExit(path);
  const remove = () => {
    process.off('exit', unlock);
    keepAtExit(path);
    rmSync(path, { recursive: true, force: true });
  };
  const noteUnfinished = (unfinished: string) => appendFileSync(join(path, UNFINISHED), `${resolve(unfinished)}\n`);
  return { path, resumes: resume && !isNew, noteUnfinished, remove };
}

const LOCK = 'lock';
const UNFINISHED = 'unfinished';

/** Makes the folder this process's own; when another one is at work there, a folder beside it. */
function take(shared: string, resume: boolean): { path: string; isNew: boolean } {
  const isNew = !existsSync(shared);
  try {
    // Not with its parents: where one cannot be made (/proc), Node tries for ever.
    unlessThere(() => mkdirSync(shared));
    if (lock(shared)) return { path: shared, isNew };
    const holder = holderOf(shared);
    if (holder === undefined) {
      rmSync(join(shared, LOCK), { force: true });
      if (lock(shared)) return { path: shared, isNew };
    }
    if (resume)
      fail('CANNOT_WRITE', { file: shared, reason: `another run is at work there (process ${holder ?? 'unknown'})` });
    const path = mkdtempSync(`${shared}-`);
    lock(path);
    return { path, isNew: true };
  } catch (error) {
    if (error instanceof NeardupError) throw error;
    return failWriting(dirname(shared), error);
  }
}

/** False when there is a lock already. It appears with what it says in it. */
function lock(path: string): boolean {
  const own = join(path, `${LOCK}-${process.pid}`);
  writeFileSync(own, ownMark());
  try {
    return unlessThere(() => linkSync(own, join(path, LOCK)));
  } finally {
    rmSync(own, { force: true });
  }
}

function unlessThere(make: () => void): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The process that works in the folder, if it still does. */
function holderOf(path: string): number | undefined {
  try {
    const [pid, started] = readFileSync(join(path, LOCK), 'utf8').split(' ');
    return startOf(Number(pid)) === started ? Number(pid) : undefined;
  } catch {
    return undefined;
  }
}

/** Only what has a name that outputs in the making have. */
function removeUnfinished(path: string): void {
  if (!existsSync(join(path, UNFINISHED))) return;
  for (const folder of readFileSync(join(path, UNFINISHED), 'utf8').split('\n'))
    if (basename(folder).startsWith(UNFINISHED_OUTPUTS)) rmSync(folder, { recursive: true, force: true });
}

function ownMark(): string {
  return `${process.pid} ${startOf(process.pid)}`;
}

/** Something that tells a process from a later one of the same number; empty when there is none. */
function startOf(pid: number): string {
  try {
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

/** Equal for equal inputs (name, size, time of change) and options that matter for the stage files. */
function fingerprint({ files, reading }: RunRequest, options: RunOptions): string {
  const { textField, idField, setField, html, maxDocument } = reading;
  const told = {
    VERSION,
    options: writtenOptions(options),
    reading: { textField, idField, setField, html, maxDocument },
    inputs: files.inputs.map(identityOf),
    reference: files.reference.map(identityOf),
  };
  return createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 16);
}

function identityOf({ path, stored = path, format, compression }: InputFile): unknown {
  const { size, mtimeMs } = statSync(stored);
  return [path, resolve(stored), format, compression, size, mtimeMs];
}
