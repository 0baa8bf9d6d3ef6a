/**
 * Programs that npm does not install → where they are, or a note that their tests were left out.
 *
 * A machine without one still passes `npm test`, which says at its end what it left out. In CI (`CI=true`) nothing may be
 * left out: the test file that asks fails.
 */
import { accessSync, appendFileSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The file where the notes are collected; made by test/global-setup.ts, which prints it. */
export const NOTES = 'NEARDUP_TESTS_LEFT_OUT';

/** The full path of a program, or undefined: `describe.skipIf(!outsideProgram('fish', 'completion in fish'))`. */
export function outsideProgram(name: string, use: string): string | undefined {
  return findProgram(name) ?? leaveOut(use, `${name} is not installed`);
}

/** The SPARK_HOME of an Apache Spark, which scripts/get-spark installs, where there is Java to run it. */
export function outsideSpark(use: string): string | undefined {
  const home = process.env.SPARK_HOME;
  if (!home || !existsSync(join(home, 'bin', 'spark-submit'))) return leaveOut(use, 'SPARK_HOME names no Spark');
  return findProgram('java') ? home : leaveOut(use, 'java is not installed');
}

/** The same for a file of the operating system. */
export function outsideFile(path: string, use: string): string | undefined {
  return existsSync(path) ? path : leaveOut(use, `there is no ${path}`);
}

/** Another user than the one who runs the tests, as `spawn` takes it: only root can become one. */
export function outsideUser(use: string): { readonly uid: number; readonly gid: number } | undefined {
  return process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : leaveOut(use, 'the tests do not run as root');
}

function findProgram(name: string): string | undefined {
  const places = (process.env.PATH ?? '').split(delimiter).filter(place => place !== '');
  return places.map(place => join(place, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function leaveOut(use: string, reason: string): undefined {
  if (isCi()) throw new Error(`${use}: ${reason}, and in CI nothing may be left out`);
  const notes = process.env[NOTES];
  if (notes !== undefined) appendFileSync(notes, `left out: ${use} (${reason})\n`);
}

function isCi(): boolean {
  return process.env.CI === 'true' || process.env.CI === '1';
}
