/** The files of a run → all of them, and their sizes as they are stored. */
import { statSync } from 'node:fs';
import { failReading } from '../files/system-errors.ts';
import type { InputFile } from '../formats/find/inputs.ts';
import type { RunFiles } from './engine.ts';

/** Those of the reference set first. */
export function allOf({ inputs, reference }: RunFiles): InputFile[] {
  return [...reference, ...inputs];
}

export function storedBytes(files: RunFiles): number {
  return allOf(files).reduce((sum, file) => sum + storedSize(file), 0);
}

export function storedSize({ path, stored = path }: InputFile): number {
  try {
    return statSync(stored).size;
  } catch (error) {
    return failReading(path, error);
  }
}
