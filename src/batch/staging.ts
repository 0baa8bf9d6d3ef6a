/** The files a run writes → files in hidden folders beside them, which take their places all together at the end. */
import type { RunFiles } from '../engine/engine.ts';
import { allOf } from '../engine/run-files.ts';
import { fail, NeardupError } from '../errors.ts';
import { discard, putInPlace, type Staged, stageFile, stageFolder } from '../files/temporary.ts';
import { whileUnchanged } from '../files/unchanged.ts';
import { isUrl } from '../formats/find/inputs.ts';
import { STANDARD_OUTPUT } from '../formats/sink.ts';

export interface Staging {
  /** Where to write what shall become `target`. Standard output, pipes and devices are written to as they are; under a URL Spark writes, and says by _SUCCESS that all is there. */
  pathFor(target: string): Promise<string>;
  /** Where to put files that shall appear in the folder `target`. */
  folderFor(target: string): Promise<string>;
  /** Runs the work, then puts everything in its place; if the work fails, nothing appears. */
  run(work: () => Promise<void>): Promise<void>;
}

/** Should one of the files that the results are made of change before they appear, they do not. */
export function createStaging(files: RunFiles): Staging {
  const all: Staged[] = [];
  const add = (staged: Staged) => {
    all.push(staged);
    return staged.path;
  };
  return {
    async pathFor(target) {
      const staged = target === STANDARD_OUTPUT || isUrl(target) ? undefined : await stageFile(target);
      return staged ? add(staged) : target;
    },
    folderFor: async target => add(await stageFolder(target)),
    async run(work) {
      try {
        await whileUnchanged(allOf(files), work);
        await putInPlace(all);
      } catch (error) {
        throw withTargets(error, all);
      } finally {
        for (const staged of all.splice(0)) discard(staged);
      }
    },
  };
}

/** An error names the file the user knows of. */
function withTargets(error: unknown, all: readonly Staged[]): unknown {
  if (!(error instanceof NeardupError) || error.code !== 'CANNOT_WRITE') return error;
  const { file, reason } = error.place as { file: string; reason: string };
  const staged = all.find(({ path }) => file.startsWith(path));
  try {
    return fail('CANNOT_WRITE', { file: staged ? staged.target : file, reason }, error);
  } catch (renamed) {
    return renamed;
  }
}
