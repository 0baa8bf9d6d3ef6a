/** The folder a tool wrote into → the pairs and removals in it, whichever of them it gives. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IdPair } from './score.ts';

export interface Result {
  readonly pairs?: readonly IdPair[];
  readonly removed?: ReadonlySet<string>;
}

/** neardup writes pairs.jsonl or removed.jsonl, the runners of the peers kept.txt and, where they have pairs, pairs.tsv. */
export function readResult(out: string, ids: readonly string[]): Result {
  const lines = (name: string) => (existsSync(join(out, name)) ? linesOf(join(out, name)) : undefined);
  const pairs =
    lines('pairs.jsonl')?.map((line): IdPair => [JSON.parse(line).a, JSON.parse(line).b]) ??
    lines('pairs.tsv')?.map(line => line.split('\t') as [string, string]);
  const removed = lines('removed.jsonl')?.map(line => JSON.parse(line).id as string) ?? allBut(lines('kept.txt'), ids);
  return { ...(pairs && { pairs }), ...(removed && { removed: new Set(removed) }) };
}

export function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').filter(Boolean);
}

function allBut(kept: readonly string[] | undefined, ids: readonly string[]): string[] | undefined {
  if (kept === undefined) return undefined;
  const keptSet = new Set(kept);
  return ids.filter(id => !keptSet.has(id));
}
