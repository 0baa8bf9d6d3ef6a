/** An error of the operating system → its reason in plain words. */
import { getSystemErrorMap } from 'node:util';
import { fail } from '../errors.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EEXIST: 'a file of that name exists',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  ELOOP: 'its links form a circle',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many open files',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be larger than is allowed',
  EROFS: 'the disk is read-only',
  EIO: 'the disk reports an error',
  EPIPE: 'the reader has closed it',
  EADDRINUSE: 'another program listens there',
};

export function reasonOf(error: unknown): string {
  const { code, errno, message } = error as Partial<NodeJS.ErrnoException>;
  const bySystem = errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1];
  return reasons[code ?? ''] ?? bySystem ?? code ?? message ?? String(error);
}

export function failReading(file: string, error: unknown): never {
  return fail('CANNOT_READ', { file, reason: reasonOf(error) }, error);
}

export function failWriting(file: string, error: unknown): never {
  return fail('CANNOT_WRITE', { file, reason: reasonOf(error) }, error);
}
