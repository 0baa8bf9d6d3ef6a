/**
 * An index, questions, and places in its file → for each place a line: what a copy with 4 KB of zeroes there answers.
 * In a process of its own, since LMDB may end it.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openIndex } from '../../dist/store/open-index.js';

const [whole, questionsFile, scratch, ...places] = process.argv.slice(2);
const bytes = readFileSync(join(whole, 'data.mdb'));
const { ids, texts, added } = JSON.parse(readFileSync(questionsFile, 'utf8'));

for (const place of places) {
  const folder = join(scratch, `at-${place}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const zeroed = Buffer.from(bytes);
  if (place !== 'nowhere') zeroed.fill(0, Number(place), Number(place) + 4096);
  writeFileSync(join(folder, 'data.mdb'), zeroed);
  console.log(JSON.stringify({ place, begun: true }));
  const reading = await answers(folder, { readOnly: true }, index => [
    ...ids.flatMap(id => [() => index.get(id), () => index.verdictOf(id)]),
    ...texts.flatMap(text => [
      () => index.search({ text }),
      () => index.search({ text }, { threshold: 0.6, limit: 3 }),
      () => index.check({ id: 'asked', text }),
    ]),
  ]);
  const writing = await answers(folder, {}, index => added.map(document => () => index.add(document)));
  rmSync(folder, { recursive: true, force: true });
  console.log(JSON.stringify({ place, reading, writing }));
}

/** Each answer, or the code of the error; of an index that cannot be opened only that. */
async function answers(folder, settings, askingOf) {
  try {
    const index = await openIndex(folder, settings);
    const given = [];
    // All at once: additions then share transactions.
    const asked = askingOf(index).map(ask => ask().catch(codeOf));
    for (const answer of asked) given.push((await answer) ?? null);
    await index.close();
    return given;
  } catch (error) {
    return codeOf(error);
  }
}

function codeOf(error) {
  return error.name === 'NeardupError' ? 'failed' : `unexpected: ${error.stack}`;
}
