/** A run → the folder of its stage files: its own while it works, and found again by a run of the same that resumes. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { decisionLine } from '../../../decisions/decision.ts';
import { fail } from '../../../errors.ts';
import { keepAtExit } from '../../../files/remove-at-exit.ts';
import { identityIn } from '../../../files/unchanged.ts';
import {
  findWorkFolders,
  leaveWorkFolder,
  removeWorkFolder,
  takeWorkFolder,
  workFolderFor,
} from '../../../files/work-folder.ts';
import type { InputFile } from '../../../formats/find/inputs.ts';
import type { RunRequest } from '../../engine.ts';
import { writtenOptions } from '../../written-options.ts';

export interface RunFolder {
  readonly path: string;
  /** An earlier run has left stage files there. */
  readonly resumes: boolean;
  /** The run is over: nothing of it is needed any more. */
  remove(): void;
  /** The run has failed: what it has done stays for one that resumes, if it is to. */
  giveUp(): void;
}

/** To be raised when stage files of an earlier version are not to be used. */
const VERSION = 7;

/**
 * With `resume` it is the folder that an earlier run of the same has left, if there is one, and it stays if the run does
 * not come to its end; without, what earlier ones left is removed, and only a kill leaves a folder.
 */
export function openRunFolder(request: RunRequest, exact: boolean): RunFolder {
  const { tmp = tmpdir(), resume = false } = request;
  const parent = resolve(tmp);
  const prefix = `neardup-run-${fingerprint(request, exact)}-`;
  const left = resume ? takeLeft(parent, prefix) : undefined;
  const path = left ?? workFolderFor(parent, parent, prefix);
  if (resume) keepAtExit(path);
  return {
    path,
    resumes: left !== undefined,
    remove: () => removeWorkFolder(path),
    giveUp: () => (resume ? leaveWorkFolder(path) : removeWorkFolder(path)),
  };
}

function takeLeft(parent: string, prefix: string): string | undefined {
  const found = findWorkFolders(parent, prefix);
  const busy = found.find(({ holder }) => typeof holder === 'number');
  if (busy) fail('CANNOT_WRITE', { file: busy.path, reason: `another run is at work there (process ${busy.holder})` });
  return found.find(({ path }) => takeWorkFolder(path))?.path;
}

/** Equal for equal inputs (name, and all that tells of a change) and options that matter for the stage files. */
function fingerprint({ files, reading, options, decisions = [] }: RunRequest, exact: boolean): string {
  const { textField, idField, setField, html, maxDocument, damaged } = reading;
  const told = {
    VERSION,
    exact,
    options: writtenOptions(options),
    reading: { textField, idField, setField, html, maxDocument, damaged },
    inputs: files.inputs.map(identityOf),
    reference: files.reference.map(identityOf),
    decisions: decisions.map(decisionLine),
  };
  return createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 16);
}

function identityOf({ path, stored = path, format, compression, identity }: InputFile): unknown {
  return [path, resolve(stored), format, compression, identity ?? identityIn(statSync(stored, { bigint: true }))];
}
