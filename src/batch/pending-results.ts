/** The files a run writes → files in hidden folders beside them, which all appear together at the end. */
import type { RunFiles } from '../engine/engine.ts';
import { allOf } from '../engine/run-files.ts';
import { fail, NeardupError } from '../errors.ts';
import { discard, type Pending, pendingFile, pendingFolder, putInPlace } from '../files/temporary.ts';
import { whileUnchanged } from '../files/unchanged.ts';
import { isUrl } from '../formats/find/inputs.ts';
import { STANDARD_OUTPUT } from '../formats/sink.ts';

export interface PendingResults {
  /** Where to write what becomes `target`. Standard output, pipes and devices are written to directly; under a URL, Spark writes and leaves _SUCCESS when all is there. */
  pathFor(target: string): Promise<string>;
  /** Where to put files that are to appear in the folder `target`. */
  folderFor(target: string): Promise<string>;
  /** Runs the work, then lets all results appear. If the work fails, none does. */
  run(work: () => Promise<void>): Promise<void>;
}

/** If one of the input files changes before the results appear, none of them does. */
export function createPendingResults(files: RunFiles): PendingResults {
  const all: Pending[] = [];
  const add = (pending: Pending) => {
    all.push(pending);
    return pending.path;
  };
  return {
    async pathFor(target) {
      const pending = target === STANDARD_OUTPUT || isUrl(target) ? undefined : await pendingFile(target);
      return pending ? add(pending) : target;
    },
    folderFor: async target => add(await pendingFolder(target)),
    async run(work) {
      try {
        await whileUnchanged(allOf(files), work);
        await putInPlace(all);
      } catch (error) {
        throw withTargets(error, all);
      } finally {
        for (const pending of all.splice(0)) discard(pending);
      }
    },
  };
}

/** An error names the file the user knows of. */
function withTargets(error: unknown, all: readonly Pending[]): unknown {
  if (!(error instanceof NeardupError) || error.code !== 'CANNOT_WRITE') return error;
  const { file, reason } = error.place as { file: string; reason: string };
  const pending = all.find(({ path }) => file.startsWith(path));
  try {
    return fail('CANNOT_WRITE', { file: pending ? pending.target : file, reason }, error);
  } catch (renamed) {
    return renamed;
  }
}
