/** Prefixes of all members of giant components → links between those that may reach the threshold, by some of the elements. */
import { createUnionFind } from '../../../cluster/union-find.ts';
import { PrefixIndex } from '../../decide/crowd/prefix-index.ts';
import { readColumn, type StageFile, writeStage } from '../storage/stage-file.ts';
import type { PrefixesFile } from './prefix-range.ts';

export interface LinkPrefixesTask {
  readonly prefixes: readonly PrefixesFile[];
  /** Of the elements, those that fall to this part. */
  readonly part: number;
  readonly of: number;
  readonly path: string;
}

/** Column `roots`: for each member the one that stands for all that are linked with it. */
export type LinksFile = StageFile;

export function linkPrefixes(
  { prefixes, part, of, path }: LinkPrefixesTask,
  count: number,
  threshold: number,
): LinksFile {
  const roots = new Uint32Array(count);
  const linked = createUnionFind(count, roots);
  const index = new PrefixIndex();
  const { first } = index.groups;
  const { item, next, tail } = index.entries;
  const bound = { similarity: threshold };
  let member = 0;
  /** All of a group are linked then, so one is enough to stand there for them. */
  const linkWith = (group: number) => {
    const start = first.values[group]!;
    for (let entry = start; entry !== 0; entry = next.values[entry]!) linked.union(item.values[entry]!, member);
    next.values[start] = 0;
    tail.values[start] = start;
  };
  for (const file of prefixes) {
    const column = (name: string) => readColumn(file, name, Uint32Array);
    const [members, sizes, lefts, starts, elements] = ['members', 'sizes', 'lefts', 'starts', 'elements'].map(
      column,
    ) as [U, U, U, U, U];
    for (let i = 0; i < members.length; i++) {
      member = members[i]!;
      for (let at = starts[i]!; at < starts[i + 1]!; at++) {
        const element = elements[at]!;
        if (partOf(element, of) !== part) continue;
        const left = lefts[i]! - (at - starts[i]!);
        index.visitElement(element, sizes[i]!, left, bound, linkWith);
        const group = index.groupOf(element, sizes[i]!, left);
        const known = first.values[group]!;
        if (known === 0 || linked.find(item.values[known]!) !== linked.find(member)) index.append(group, member);
      }
    }
  }
  for (let i = 0; i < count; i++) roots[i] = linked.find(i);
  return writeStage(path, { roots }, undefined);
}

type U = Uint32Array;

/** Not by the bits that a slot of counts goes by: elements of a common slot would fall to one part. */
function partOf(element: number, of: number): number {
  return (Math.imul(element, 0x85ebca6b) >>> 16) % of;
}
