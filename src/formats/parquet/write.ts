/** Records → a Parquet file. */
import type { Fields } from '../item.ts';
import { jsonFields } from '../json-fields.ts';
import { openSpool } from '../spool.ts';
import type { DocumentWriter, Writable } from '../writer.ts';
import { copyTo } from './copy-to.ts';
import { openDuckDb } from './duckdb.ts';
import { fromSpool } from './from-spool.ts';

/** `strings`: columns that stay strings, even if all that a CSV file has in them are numbers. */
export async function writeParquet(path: string, strings: ReadonlySet<string>): Promise<DocumentWriter> {
  (await openDuckDb()).close(); // if it is missing, say so before the work and not after it
  const spool = await openSpool(path);
  return {
    write: (item, added) => spool.add(jsonFields(item, added), cellsOf(item, strings, added)),
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

function cellsOf({ record, format }: Writable, strings: ReadonlySet<string>, added: Fields = {}) {
  if (format !== 'csv' && format !== 'tsv') return undefined;
  return new Set(Object.keys(record).filter(name => !strings.has(name) && !Object.hasOwn(added, name)));
}
