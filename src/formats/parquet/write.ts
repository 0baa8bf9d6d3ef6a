/** Records → a Parquet file. */
import { jsonFields } from '../json-fields.ts';
import { openSpool } from '../spool.ts';
import type { DocumentWriter } from '../writer.ts';
import { copyTo } from './copy-to.ts';
import { openDuckDb } from './duckdb.ts';
import { fromSpool } from './from-spool.ts';

export async function writeParquet(path: string): Promise<DocumentWriter> {
  (await openDuckDb()).close(); // if it is missing, say so before the work and not after it
  const spool = await openSpool(path);
  return {
    write: (item, added) => spool.add(jsonFields(item, added)),
    close: async () => {
      try {
        await copyTo(path, await fromSpool(spool));
      } finally {
        await spool.discard();
      }
    },
    abort: () => spool.discard(),
  };
}
