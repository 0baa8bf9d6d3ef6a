/** Documents → a file of JSON lines, of what `recordOf` makes of each. */
import { closeSync, openSync, writeSync } from 'node:fs';

const AT_A_TIME = 1 << 20;

export function writeLines<Item>(path: string, items: Iterable<Item>, recordOf: (item: Item) => object): void {
  const file = openSync(path, 'w');
  let lines = '';
  for (const item of items) {
    lines += `${JSON.stringify(recordOf(item))}\n`;
    if (lines.length < AT_A_TIME) continue;
    writeSync(file, lines);
    lines = '';
  }
  writeSync(file, lines);
  closeSync(file);
}
