/** A scheme of LSH → the positions of the sketch that each of its keys is made of, one key after another. */
import { bandPositions } from './bands.ts';
import { selectPositions } from './random-selection.ts';
import type { ResolvedLsh } from './tune.ts';

export function positionsOf({ kind, bands, rows }: ResolvedLsh, sketchSize: number, seed: number): Uint32Array {
  if (kind === 'bands') return bandPositions(bands, rows);
  return Uint32Array.from(selectPositions(bands, rows, sketchSize, seed).flatMap(positions => [...positions]));
}
