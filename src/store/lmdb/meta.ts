/** Names ↔ small values of the meta table, sealed JSON. */
import type { WrittenIndexOptions } from '../index-options.ts';
import type { Version } from '../versions.ts';
import { seal, unseal } from './sealed.ts';
import type { Tables } from './tables.ts';

export type MetaName = 'made' | 'state' | 'runs' | 'writer';

/** How the index was made. */
export interface Made extends WrittenIndexOptions {
  readonly format: 'neardup index';
  readonly version: Version;
}

export class DamagedMeta extends Error {}

export function readMeta<Value>({ meta }: Pick<Tables, 'meta'>, name: MetaName): Value | undefined {
  const sealed = meta.getBinary(name);
  if (sealed === undefined) return undefined;
  const bytes = unseal(sealed, name);
  if (!bytes) throw new DamagedMeta(`the checksum of its ${name} record is wrong`);
  return JSON.parse(bytes.toString()) as Value;
}

export function sealMeta(name: MetaName, value: unknown): Buffer {
  return seal(Buffer.from(JSON.stringify(value)), name);
}

/** Inside a synchronous transaction, or as one. */
export function writeMetaSync({ meta }: Pick<Tables, 'meta'>, name: MetaName, value: unknown): void {
  meta.putSync(name, sealMeta(name, value));
}
