/**
 * An index, a file that takes up room beside it, and a number of documents → what happens when they are added until the
 * disk is full, when the index is opened again, and when the file is gone. One line of JSON for each.
 */
import { rmSync } from 'node:fs';
import { openIndex } from '../../dist/store/open-index.js';

const [folder, ballast, count] = process.argv.slice(2);
const documents = Array.from({ length: Number(count) }, (_, n) => ({ id: `d${n}`, text: textOf(n) }));
process.on('unhandledRejection', error => {
  console.log(JSON.stringify({ unhandled: String(error) }));
  process.exit(1);
});

await fill();
await look();
await fill();
rmSync(ballast);
await fill();
await look();

async function fill() {
  const index = await openIndex(folder);
  const said = { acknowledged: 0 };
  try {
    for await (const _ of index.addAll(documents)) said.acknowledged++;
  } catch ({ code, message }) {
    Object.assign(said, { code, message });
    said.after = await index.get('d0').catch(error => error.message);
  }
  await index.close();
  console.log(JSON.stringify(said));
}

async function look() {
  const index = await openIndex(folder, { readOnly: true });
  const damages = [];
  for await (const { what } of index.verify()) damages.push(what);
  let sound = 0;
  for (const { id, text } of documents) if ((await index.get(id))?.text === text) sound++;
  console.log(JSON.stringify({ damages, sound }));
  await index.close();
}

/** Words that hardly compress. */
function textOf(n) {
  let state = n * 2654435761 + 1;
  const word = () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    return (state >>> 0).toString(36);
  };
  return Array.from({ length: 150 }, word).join(' ');
}
