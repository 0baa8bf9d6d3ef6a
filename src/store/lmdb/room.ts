/** A folder and what is to be written there → whether there is room; what LMDB says of a write that failed → one clear error. */
import { statfsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { getSystemErrorName } from 'node:util';
import { fail, NeardupError } from '../../errors.ts';
import { reasonOf } from '../../files/system-errors.ts';

/** What a transaction takes besides its values: LMDB writes each page anew that it changes. */
const TRANSACTION = 2 ** 20;
/** What opening takes. Where a transaction found no room, there is room for this. */
const OPENING = 2 ** 18;
const FULL = reasonOf({ code: 'ENOSPC' });

export interface WritePlace {
  /** What errors name. */
  readonly name: string;
  readonly folder: string;
}

/** Looked at before LMDB finds out: it tells on standard error, and where it maps the file the system ends the process. */
export function requireRoom({ name, folder }: WritePlace, values: number): void {
  if (!hasRoom(folder, TRANSACTION + 2 * values)) fail('CANNOT_WRITE', { file: name, reason: FULL });
}

export function requireRoomToOpen({ name, folder }: WritePlace): void {
  if (!hasRoom(folder, OPENING)) fail('CANNOT_WRITE', { file: name, reason: FULL });
}

export async function failedWrite({ name, folder }: WritePlace, error: unknown): Promise<never> {
  if (error instanceof NeardupError) throw error;
  const cause = await causeOf(error);
  if (isDamage(cause)) fail('INDEX_DAMAGED', { index: name, what: `LMDB says ${cause.message}` }, cause);
  const code = systemCode(cause);
  // Of a write that was cut short LMDB says EIO; of a copy, nothing but a text.
  const isVague = code === 'EIO' || !('code' in cause);
  const isFull = isVague && !hasRoom(folder, TRANSACTION);
  return fail(
    'CANNOT_WRITE',
    { file: name, reason: isFull ? FULL : reasonOf({ code, message: cause.message }) },
    cause,
  );
}

/** LMDB reads what it changes or copies, and may find by itself that it cannot. */
export function isDamage({ message }: Error): boolean {
  return /MDB_(CORRUPTED|PAGE_NOTFOUND|INVALID|BAD_TXN|PROBLEM)/.test(message);
}

function hasRoom(folder: string, bytes: number): boolean {
  const { bavail, bsize, blocks } = statfsSync(folder);
  // Some file systems do not tell.
  return blocks === 0 || bavail * bsize >= bytes;
}

/** LMDB tells that a transaction failed, and a moment later why. */
async function causeOf(error: unknown): Promise<Error> {
  const { commitError } = error as { commitError?: Promise<never> };
  try {
    await Promise.race([commitError, setTimeout(1000, undefined, { ref: false })]);
    return error as Error;
  } catch (cause) {
    return cause as Error;
  }
}

/** LMDB gives numbers: positive ones of the system, negative ones of its own. */
export function systemCode(error: Error): string | undefined {
  const { code } = error as { code?: number | string };
  if (typeof code === 'number') return code > 0 ? getSystemErrorName(-code) : undefined;
  return code;
}
