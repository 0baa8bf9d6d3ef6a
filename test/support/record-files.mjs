/** Loaded before a program (`node --import`): writes each sync and rename of a file to the file that NEARDUP_RECORD names. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';

const append = fs.appendFileSync;
const record = (what, ...paths) =>
  append(process.env.NEARDUP_RECORD, `${[what, ...paths.map(path => resolve(path))].join(' ')}\n`);

const { open, rename } = fs.promises;
fs.promises.open = async (path, ...more) => {
  const handle = await open(path, ...more);
  const sync = handle.sync.bind(handle);
  handle.sync = async () => {
    await sync();
    record('sync', path);
  };
  return handle;
};
fs.promises.rename = async (from, to) => {
  await rename(from, to);
  record('rename', from, to);
};
syncBuiltinESMExports();
