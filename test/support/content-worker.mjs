/** Ids and folders of indexes → for each folder a line with a hash of all it says of the ids, in a process that may crash. */
import { createHash } from 'node:crypto';
import { openIndex } from '../../dist/store/open-index.js';

const [ids, folders] = process.argv.slice(2).map(argument => JSON.parse(argument));
for (const folder of folders) {
  const index = await openIndex(folder, { readOnly: true });
  const said = [];
  for (const id of ids) said.push(await index.verdictOf(id), await index.get(id));
  said.push(await index.clusters({ limit: 1000 }));
  await index.close();
  console.log(createHash('sha256').update(JSON.stringify(said)).digest('hex'));
}
