/** Records → a Parquet file. */

import type { Fields } from '../item.ts';
import { jsonFields } from '../json/json-fields.ts';
import type { WriterSettings } from '../loaders.ts';
import { formats } from '../registry.ts';
import { spellingOf } from '../table/column-types.ts';
import { openSpool, type Spool } from '../table/spool.ts';
import type { DocumentWriter, Writable } from '../writer.ts';
import { copyTo } from './copy-to.ts';
import { openDuckDb } from './duckdb.ts';
import { readFooter, writeFooter } from './footer.ts';
import { fromSpool } from './from-spool.ts';
import { withPlainColumns } from './plain-columns.ts';

export async function writeParquet(path: string, settings: WriterSettings): Promise<DocumentWriter> {
  const strings = new Set(settings.strings);
  (await openDuckDb()).close(); // if it is missing, say so before the work and not after it
  const spool = await openSpool(path);
  const lost: string[] = [];
  return {
    lost,
    write: (item, added) => spool.add(jsonFields(item, added), cellsOf(item, strings, added)),
    close: async () => {
      try {
        await copyTo(path, await fromSpool(spool), [], written => addPlainColumns(written, spool));
        lost.push(...respelled(spool));
      } finally {
        await spool.discard();
      }
    },
    abort: () => spool.discard(),
  };
}

function cellsOf({ record, format }: Writable, strings: ReadonlySet<string>, added: Fields = {}) {
  if (format === undefined || !formats[format].isOfCells) return undefined;
  return new Set(Object.keys(record).filter(name => !strings.has(name) && !Object.hasOwn(added, name)));
}

/** So that 1 comes back as 1 from a column of doubles. */
async function addPlainColumns(path: string, { columns }: Spool): Promise<void> {
  const plain = [...columns].filter(([, type]) => spellingOf(type) === 'plain').map(([name]) => name);
  if (plain.length === 0) return;
  const { file, start } = await readFooter(path);
  await writeFooter(path, withPlainColumns(file, plain), start);
}

function respelled({ columns }: Spool): string[] {
  const names = [...columns].filter(([, type]) => spellingOf(type) === undefined).map(([name]) => name);
  return names.map(
    name =>
      `column ${JSON.stringify(name)}: doubles keep the numbers, but not the ways they are written (1.10 becomes 1.1)`,
  );
}
