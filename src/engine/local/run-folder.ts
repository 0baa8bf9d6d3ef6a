/** A run → the folder of its stage files: its own while it works, and found again by a run of the same that resumes. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fail } from '../../errors.ts';
import type { InputFile } from '../../formats/inputs.ts';
import { failWriting } from '../../formats/system-errors.ts';
import type { RunRequest } from '../files.ts';
import type { RunOptions } from '../run-options.ts';
import { writtenOptions } from '../written-options.ts';

export interface RunFolder {
  readonly path: string;
  /** An earlier run has left stage files there. */
  readonly resumes: boolean;
  /** The run is over: nothing of it is needed any more. */
  remove(): void;
}

/** To be raised when stage files of an earlier version are not to be used. */
const VERSION = 1;

/** With `resume` the folder stays if the run does not come to its end; without, only a kill leaves one. */
export function openRunFolder(request: RunRequest, options: RunOptions): RunFolder {
  const { tmp = tmpdir(), resume = false } = request;
  const name = `neardup-run-${fingerprint(request, options)}`;
  const shared = resolve(tmp, name);
  const holder = holderOf(shared);
  if (holder !== undefined && resume)
    fail('CANNOT_WRITE', { file: shared, reason: `another run is at work there (process ${holder})` });
  const path = holder === undefined ? shared : `${shared}-${process.pid}`;
  if (!resume) rmSync(path, { recursive: true, force: true });
  const resumes = existsSync(path);
  try {
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, LOCK), ownMark());
  } catch (error) {
    failWriting(path, error);
  }
  const remove = () => {
    process.off('exit', onExit);
    rmSync(path, { recursive: true, force: true });
  };
  const onExit = () => {
    if (resume) rmSync(join(path, LOCK), { force: true });
    else rmSync(path, { recursive: true, force: true });
  };
  process.on('exit', onExit);
  return { path, resumes, remove };
}

const LOCK = 'lock';

/** The process that works in the folder, if it still does. */
function holderOf(path: string): number | undefined {
  try {
    const [pid, started] = readFileSync(join(path, LOCK), 'utf8').split(' ');
    return startOf(Number(pid)) === started && Number(pid) !== process.pid ? Number(pid) : undefined;
  } catch {
    return undefined;
  }
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
