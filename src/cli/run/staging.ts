/** The files a run writes → files in hidden folders beside them, which take their places all together at the end. */
import { mkdtemp, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Keeping, UNFINISHED_OUTPUTS } from '../../engine/files.ts';
import { fail, NeardupError } from '../../errors.ts';
import { keepAtExit, removeAtExit } from '../../formats/remove-at-exit.ts';
import { STANDARD_OUTPUT } from '../../formats/sink.ts';
import { failWriting } from '../../formats/system-errors.ts';

export interface Staging {
  /** Where to write what shall become `target`. Standard output, pipes and devices are written to as they are. */
  pathFor(target: string): Promise<string>;
  /** Runs the work, then puts everything in its place; if the work fails, nothing appears. */
  run(work: () => Promise<void>): Promise<void>;
}

interface Staged {
  readonly folder: string;
  readonly path: string;
  readonly target: string;
  readonly real: string;
}

export function createStaging({ keeping }: { readonly keeping?: Keeping } = {}): Staging {
  const staged: Staged[] = [];
  const discard = async () => {
    for (const { folder } of staged.splice(0)) {
      await rm(folder, { recursive: true, force: true });
      keepAtExit(folder);
    }
  };
  return {
    async pathFor(target) {
      if (target === STANDARD_OUTPUT) return target;
      const place = await stat(target).catch(() => undefined);
      if (place?.isDirectory()) failWriting(target, { code: 'EISDIR' });
      if (place && !place.isFile()) return target;
      const real = place ? await realpath(target) : target;
      const folder = await mkdtemp(join(dirname(real), UNFINISHED_OUTPUTS)).catch(error => failWriting(target, error));
      removeAtExit(folder);
      keeping?.noteUnfinished(folder);
      // Under its own name, as the ending of the name tells format and compression.
      const path = join(folder, basename(real));
      staged.push({ folder, path, target, real });
      return path;
    },
    async run(work) {
      try {
        await work();
        for (const { path, real, target } of staged)
          await rename(path, real).catch(error => failWriting(target, error));
      } catch (error) {
        throw withTargets(error, staged);
      } finally {
        await discard();
      }
    },
  };
}

/** An error names the file the user knows of. */
function withTargets(error: unknown, staged: readonly Staged[]): unknown {
  if (!(error instanceof NeardupError) || error.code !== 'CANNOT_WRITE') return error;
  const { file, reason } = error.place as { file: string; reason: string };
  const target = staged.find(({ path }) => file.startsWith(path))?.target ?? file;
  try {
    return fail('CANNOT_WRITE', { file: target, reason }, error);
  } catch (renamed) {
    return renamed;
  }
}
