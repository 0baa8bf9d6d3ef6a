/** Documents that decisions name → what tells whether a decision holds: content and group of each, in a file. */
import { groupOf } from '../../analyse/group-of.ts';
import { openDocuments } from '../storage/open-documents.ts';
import type { Planned } from '../storage/open-lines.ts';
import { type StageFile, writeStage } from '../storage/stage-file.ts';
import type { WorkerContext } from '../worker-context.ts';

export interface LookUpTask {
  /** Ascending. */
  readonly items: Uint32Array;
  readonly path: string;
}

/** Hashes in hex digits, one after another: columns `contents`, as a log has them, and `groups`, of the values of --by. */
export type LookedUpFile = StageFile;

/** Hex digits of a hash. */
export const DIGITS = 32;

export function lookUp(context: WorkerContext, planned: Planned, { items, path }: LookUpTask): LookedUpFile {
  const { loggedContent, options } = context;
  const { documentOf, close } = openDocuments(context, planned, items);
  const [contents, groups]: [string[], string[]] = [[], []];
  for (let place = 0; place < items.length; place++) {
    const document = documentOf(place);
    contents.push(loggedContent(document));
    const group = groupOf(document, options.by);
    groups.push(group === undefined ? ' '.repeat(DIGITS) : loggedContent({ text: group }));
  }
  close();
  const asBytes = (hashes: readonly string[]) => Buffer.from(hashes.join(''), 'latin1');
  return writeStage(path, { contents: asBytes(contents), groups: asBytes(groups) }, undefined);
}
