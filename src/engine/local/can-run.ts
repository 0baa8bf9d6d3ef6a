/** A run → whether the parallel engine can do it: plain JSON lines, by resemblance, large enough to be worth the threads. */
import { statSync } from 'node:fs';
import type { InputFile } from '../../formats/inputs.ts';
import { NAME_ROOM } from '../../kernel/layout.ts';
import type { RunRequest } from '../files.ts';
import type { RunOptions } from '../run-options.ts';

/** Starting the threads takes 0.2 s, in which one thread reads some 10 MB. */
const WORTH_IT = 8 * 2 ** 20;

export function canRunOnLines({ files, reading }: RunRequest, options: RunOptions): boolean {
  const all = [...files.inputs, ...files.reference];
  return (
    all.every(isLines) &&
    new Set(files.inputs.map(({ path }) => path)).size === files.inputs.length &&
    [reading.textField, reading.idField].every(name => Buffer.byteLength(name) < NAME_ROOM) &&
    reading.setField === undefined &&
    reading.html !== 'always' &&
    options.measure === 'resemblance' &&
    options.verify === 'exact' &&
    options.resolvedLsh !== undefined &&
    options.by === undefined &&
    !('field' in options.keep) &&
    options.normalise.every(step => step === 'keep-case') &&
    sizeOf(all) >= WORTH_IT
  );
}

function isLines({ format, compression }: InputFile): boolean {
  return format === 'jsonl' && compression === 'none';
}

function sizeOf(files: readonly InputFile[]): number {
  return files.reduce((sum, { path, stored = path }) => sum + statSync(stored).size, 0);
}
