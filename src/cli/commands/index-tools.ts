/** `neardup index remove|get|stats|check|backup|compact`: what is done with an index besides adding. */

import { type ErrorCode, fail, NeardupError } from '../../errors.ts';
import { many, printable } from '../../report/printable.ts';
import { withCommas } from '../../report/with-commas.ts';
import { command } from '../app/command.ts';
import { jsonFlag } from '../app/flags.ts';
import { folderArgument, seedFlag } from '../index/index-options.ts';

const idsArgument = { name: 'ids', help: 'ids of documents', many: true } as const;

export const indexRemoveCommand = command({
  name: 'index remove',
  summary: 'remove documents, and forget the verdicts that name them',
  arguments: [folderArgument, idsArgument],
  options: [],
  flags: { seed: seedFlag },
  examples: ['neardup index remove seen page-17 page-18'],
  async run([folder, ...ids], { seed }, io) {
    const { withIndex } = await import('../index/index-commands.ts');
    return withIndex(await existing(folder!), { seed }, async index => {
      const removed = await Promise.all(ids.map(id => index.remove(id)));
      const unknown = ids.filter((_, at) => !removed[at]);
      for (const id of unknown) io.note(`the index has no document ${printable(JSON.stringify(id))}`);
      io.note(`${many(ids.length - unknown.length, 'document')} removed`);
      return unknown.length > 0 ? 1 : 0;
    });
  },
});

export const indexGetCommand = command({
  name: 'index get',
  summary: 'print stored documents as they came, as JSON lines',
  arguments: [folderArgument, idsArgument],
  options: [],
  flags: { seed: seedFlag },
  examples: ['neardup index get seen page-20'],
  async run([folder, ...ids], { seed }, io) {
    const { withIndex } = await import('../index/index-commands.ts');
    return withIndex(folder!, { seed, readOnly: true }, async index => {
      let code = 0;
      for (const id of ids) {
        const json = await index.getJson(id);
        if (json !== undefined) io.write(json);
        else {
          const verdict = await index.verdictOf(id);
          const why = verdict ? `is known (${verdict.status} ${verdict.of ?? ''}), and is not stored` : 'is not known';
          io.note(printable(`document ${JSON.stringify(id)} ${why}`));
          code = 1;
        }
      }
      return code;
    });
  },
});

export const indexStatsCommand = command({
  name: 'index stats',
  summary: 'show how much an index holds, and the options it was made with',
  arguments: [folderArgument],
  options: [],
  flags: { seed: seedFlag, json: jsonFlag },
  examples: ['neardup index stats seen', 'neardup index stats seen --json'],
  async run([folder], { seed, json }, io) {
    const { recallOf, withIndex } = await import('../index/index-commands.ts');
    return withIndex(folder!, { seed, readOnly: true }, async index => {
      const { documents, bytes, options, verdicts } = await index.stats();
      if (json) {
        io.write(JSON.stringify({ documents, bytes, options }));
        return;
      }
      io.write(`${many(documents, 'document')}, ${withCommas(bytes)} bytes`);
      for (const [status, count] of Object.entries(verdicts)) io.write(`  ${status.padEnd(10)} ${withCommas(count)}`);
      for (const [name, value] of Object.entries(options))
        io.write(`  ${name.padEnd(10)} ${value === '' ? 'none' : value}`);
      for (const line of recallOf(index)) io.write(line);
    });
  },
});

export const indexCheckCommand = command({
  name: 'index check',
  summary: 'read everything in an index, and report what is damaged',
  arguments: [folderArgument],
  options: [],
  flags: { seed: seedFlag },
  examples: ['neardup index check seen'],
  async run([folder], { seed }, io) {
    const { checkIndex } = await import('../index/check-apart.ts');
    let damages = 0;
    const documents = await checkIndex(folder!, seed, ({ id, number, what }) => {
      damages++;
      const where =
        id !== undefined ? `document ${JSON.stringify(id)}: ` : number !== undefined ? `number ${number}: ` : '';
      io.write(printable(`${where}${what}`));
    });
    io.note(`${many(documents, 'document')}: ${damages === 0 ? 'no damage' : many(damages, 'damage')}`);
    return damages > 0 ? 1 : 0;
  },
});

export const indexBackupCommand = command({
  name: 'index backup',
  summary: 'copy an index while others read and write it',
  arguments: [folderArgument, { name: 'target', help: 'the folder of the copy, which must not exist yet' }],
  options: [],
  flags: { seed: seedFlag },
  examples: ['neardup index backup seen seen-2026-11-16'],
  async run([folder, target], { seed }) {
    const { withIndex } = await import('../index/index-commands.ts');
    await withIndex(folder!, { seed, readOnly: true }, index => index.backup(target!));
  },
});

export const indexCompactCommand = command({
  name: 'index compact',
  summary: 'free the space of removed documents while others read and write the index',
  arguments: [folderArgument],
  options: [],
  flags: { seed: seedFlag },
  examples: ['neardup index compact seen'],
  async run([folder], { seed }, io) {
    const { withIndex } = await import('../index/index-commands.ts');
    const location = await existing(folder!);
    const compact = (readOnly: boolean) => withIndex(location, { seed, readOnly }, index => index.compact());
    // While a process writes the index, it is asked; should it end meanwhile, it is our turn again.
    if (await compact(false).then(() => true, unlessCode('INDEX_BUSY'))) return;
    io.note('another process writes the index: it was asked to do it');
    if (await compact(true).then(() => true, unlessCode('READ_ONLY'))) return;
    await compact(false);
  },
});

/** Only `index add`, `filter` and `serve` make an index. */
async function existing(folder: string): Promise<string> {
  const { existsSync } = await import('node:fs');
  if (folder.includes('://')) return folder;
  if (existsSync(`${folder}/unfinished`)) fail('INDEX_UNFINISHED', { index: folder });
  return existsSync(`${folder}/data.mdb`) ? folder : fail('NO_INDEX', { index: folder });
}

/** False for an error of this code. */
function unlessCode(code: ErrorCode): (error: unknown) => false {
  return error => {
    if (error instanceof NeardupError && error.code === code) return false;
    throw error;
  };
}
