/** What the commands of the index share: inputs read in bounded memory, and the index, closed in the end. */
import { fail } from '../errors.ts';
import { expandInputs } from '../formats/inputs.ts';
import { type DocumentItem, isReject } from '../formats/item.ts';
import { readDocuments } from '../formats/read.ts';
import type { Document } from '../model.ts';
import { flagOf } from '../options.ts';
import { indexOptionNames } from '../store/index-options.ts';
import type { NearIndex } from '../store/near-index.ts';
import { type GivenOpenOptions, openIndex } from '../store/open-index.ts';
import { pick } from './input-options.ts';
import type { Io } from './io.ts';
import { type InputOptions, noteReject } from './read-inputs.ts';
import { many } from './run/summary.ts';

/** Closed whatever happens. */
export async function withIndex<Result>(
  location: string,
  given: { readonly [Name in keyof GivenOpenOptions]?: GivenOpenOptions[Name] | undefined },
  use: (index: NearIndex) => Promise<Result>,
): Promise<Result> {
  const ofIndex = Object.entries(pick(given, [...indexOptionNames, 'store', 'readOnly'] as const));
  const wanted = Object.fromEntries(ofIndex.filter(([, value]) => value !== undefined)) as GivenOpenOptions;
  const index = await openIndex(location, wanted, flagOf);
  try {
    return await use(index);
  } finally {
    await index.close();
  }
}

/** Rejects shown one by one. */
const SHOWN = 20;

export interface ReadCounts {
  documents: number;
  rejected: number;
}

/** Ids may come again: it is the index that knows them. */
export async function* readForIndex(
  inputs: readonly string[],
  options: InputOptions,
  io: Pick<Io, 'note'>,
  counts: ReadCounts,
): AsyncGenerator<DocumentItem> {
  for await (const item of readDocuments(await expandInputs(inputs, options.format), options)) {
    if (!isReject(item)) {
      counts.documents++;
      yield options.setField === undefined ? item : { ...item, document: withoutText(item.document) };
      continue;
    }
    if (options.strict) fail('BAD_LINE', item.reject);
    if (++counts.rejected <= SHOWN) noteReject(io, item.reject, item.reject.reason);
  }
  if (counts.rejected > SHOWN) io.note(`… and ${counts.rejected - SHOWN} more rejects`);
}

/** That documents were left out is told even with --quiet. */
export function exitCodeOf({ quiet, stderr }: Pick<Io, 'quiet' | 'stderr'>, refused: number): number {
  if (refused === 0) return 0;
  if (quiet) stderr.write(`neardup: ${many(refused, 'document')} refused, since other texts are known by their ids\n`);
  return 1;
}

/** With --set-field a document is its set, even where the record has a text. */
function withoutText({ text: _, ...rest }: Document): Document {
  return rest as Document;
}
