/** A result that is a file of its own (a picture, a page) → the disk, or an error that names the file. */
import { writeFile } from 'node:fs/promises';
import { getSystemErrorMap } from 'node:util';
import { fail } from '../errors.ts';

export async function writeResult(file: string, content: string): Promise<void> {
  try {
    await writeFile(file, content);
  } catch (error) {
    fail('CANNOT_WRITE', { file, reason: reasonOf(error) }, error);
  }
}

/** `no such file or directory`, without the call and the path that Node adds. */
export function reasonOf(error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException;
  return (errno !== undefined && getSystemErrorMap().get(errno)?.[1]) || message;
}
