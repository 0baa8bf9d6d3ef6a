/** Input files → chunks: byte ranges that one worker reads at once. A chunk owns the lines that begin in it. */
import { statSync } from 'node:fs';
import type { FieldRules } from '../../formats/fields.ts';
import type { InputFile } from '../../formats/inputs.ts';
import type { ShingleSpec } from '../../model.ts';

export interface Chunk {
  /** As it is named in messages and ids. */
  readonly name: string;
  /** Where its bytes are. */
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** What every worker must know before its first task. */
export interface WorkerPlan extends FieldRules {
  readonly maxDocument: number;
  readonly shingle: ShingleSpec;
  readonly keepCase: boolean;
  readonly seed: number;
  readonly sketch: 'minhash' | 'oph';
  readonly hashes: number;
  readonly bands: number;
  /** The rows of each band, band after band. */
  readonly positions: Uint32Array;
}

// Large enough that a task costs nothing, small enough that two workers finish together and memory stays small.
const CHUNK = 8 * 2 ** 20;

export function chunksOf(files: readonly InputFile[]): Chunk[] {
  return files.flatMap(({ path: name, stored: path = name }) => {
    const { size } = statSync(path);
    const count = Math.ceil(size / CHUNK);
    return Array.from({ length: count }, (_, i) => ({
      name,
      path,
      start: i * CHUNK,
      end: Math.min((i + 1) * CHUNK, size),
    }));
  });
}
