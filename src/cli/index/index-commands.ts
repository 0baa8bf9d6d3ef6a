/** A location and the options of a command → the index there, closed in the end, and the lines about its recall. */

import { recallLines } from '../../batch/recall-lines.ts';
import type { Measure } from '../../model.ts';
import { flagOf, pick } from '../../options.ts';
import { indexOptionNames } from '../../store/index-options.ts';
import type { NearIndex } from '../../store/near-index.ts';
import { type GivenOpenOptions, openIndex } from '../../store/open-index.ts';

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

/** By containment, as dedup says it. */
export function recallOf({ options: { measure, threshold, recall } }: NearIndex): string[] {
  return recallLines({ measure: measure as Measure, threshold: Number(threshold), recall: Number(recall) });
}
