/** A made corpus, or JSON lines of the user's → one file that all tools read, of `{ id, text }` with ids d0, d1, … */
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { makeCorpus } from '../make-corpus.ts';

/** The ids, in order. */
export async function prepareCorpus(out: string, documents: number, source: string | undefined): Promise<string[]> {
  if (source === undefined) makeCorpus(out, { documents, copies: 0.3, script: 'latin', seed: 1 });
  const count = source === undefined ? documents : await copyTexts(source, out);
  return Array.from({ length: count }, (_, number) => `d${number}`);
}

/** Ids of our own, since some peers need them to be there, unlike, and strings. Lines without a text are left out. */
async function copyTexts(source: string, out: string): Promise<number> {
  let count = 0;
  const lines = createInterface({ input: createReadStream(source), crlfDelay: Number.POSITIVE_INFINITY });
  await pipeline(async function* () {
    for await (const line of lines) {
      const text = textOf(line);
      if (text !== undefined) yield `${JSON.stringify({ id: `d${count++}`, text })}\n`;
    }
  }, createWriteStream(out));
  return count;
}

function textOf(line: string): string | undefined {
  try {
    const { text } = JSON.parse(line);
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}
