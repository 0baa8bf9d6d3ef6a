/** Options as they were read → options as a user writes them: `word:5`, `minhash:128`, `bands:25x5`. */
import type { KeepSpec, SketchSpec } from '../model.ts';
import type { GivenValues } from '../options.ts';
import type { RunOptions } from './run-options.ts';

/** What a run with these options can be repeated with. Bands that were chosen automatically are named. */
export function writtenOptions(options: RunOptions): Record<string, string | number> {
  const { shingle, sketch, lsh: _, resolvedLsh, keep, normalise, ...plain } = options;
  return {
    ...plain,
    shingle: `${shingle.unit}:${shingle.size}`,
    sketch: writtenSketch(sketch),
    ...(resolvedLsh && { lsh: `${resolvedLsh.kind}:${resolvedLsh.bands}x${resolvedLsh.rows}` }),
    keep: writtenKeep(keep),
    normalise: normalise.join(','),
  };
}

function writtenSketch({ kind, size }: SketchSpec): GivenValues['sketch'] {
  if (kind === 'mod' && size === 0) return 'mod:auto';
  return kind === 'simhash' ? kind : `${kind}:${size}`;
}

function writtenKeep(keep: KeepSpec): string {
  if (!('field' in keep)) return keep.policy;
  return keep.policy === 'prefer' ? `prefer:${keep.field}=${keep.values.join(',')}` : `${keep.policy}:${keep.field}`;
}
