/**
 * How an index on Redis was made ↔ its JSON.
 *
 * Code from before there were versions looks at the options only, and refuses one it does not know, naming it. So what
 * such code must not read has an option whose name says so.
 */
import type { WrittenIndexOptions } from '../index-options.ts';
import { requireKnownVersion, type Version } from '../versions.ts';

interface Made extends WrittenIndexOptions {
  readonly version?: Version;
}

const REFUSED_BY_OLDER_CODE = 'an index of version 2, which takes a newer neardup';

export function decodeMade(json: string, index: string): WrittenIndexOptions {
  const { version, options, ...others } = JSON.parse(json) as Made;
  requireKnownVersion(version, index);
  const { [REFUSED_BY_OLDER_CODE]: _, ...known } = options;
  return { ...others, options: known };
}

/** The same index as version 2. */
export function asVersion2(json: string): string {
  const made = JSON.parse(json) as Made;
  if (made.version === 2) return json;
  return JSON.stringify({
    ...made,
    version: 2,
    options: { ...made.options, [REFUSED_BY_OLDER_CODE]: 2 },
  } satisfies Made);
}
