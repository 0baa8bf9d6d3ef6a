/** A folder → the files that the examples of the docs name: those of docs/examples, and others made from them. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { lines, neardup, words } from './command.ts';
import { response } from './warc-records.ts';

const examples = fileURLToPath(new URL('../../docs/examples', import.meta.url));

/** Programs that the examples pipe from, as functions of a shell in that folder. */
export const otherPrograms = 'crawler() { cat crawl.jsonl; }\nengine() { cat results.jsonl; }\n';

export async function putExampleFiles(folder: string): Promise<void> {
  cpSync(examples, folder, { recursive: true });
  const put = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
  for (const name of ['news', 'essays', 'licences', 'mirror', '.zsh/completions', '.config/fish/completions']) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  const [draft, final] = ['draft.txt', 'final.txt'].map(name => readFileSync(join(examples, name), 'utf8'));
  for (const name of ['news', 'essays', 'licences', 'mirror']) {
    put(`${name}/one.txt`, draft!);
    put(`${name}/two.txt`, final!);
  }
  put('essay.txt', draft!);
  put('speech.txt', draft!);
  for (const [name, text] of [
    ['old', draft],
    ['new', final],
    ['page', final],
  ])
    put(`${name}.html`, `<title>${name}</title><p>${text}</p>`);
  put('crawl.jsonl', readFileSync(join(examples, 'notices.jsonl')));
  for (const name of ['monday', 'new', 'pages', 'results'])
    put(`${name}.jsonl`, readFileSync(join(examples, 'notices.jsonl')));
  put(
    'products.jsonl',
    lines({ id: 'a', features: ['x', 'y'], sales: 3 }, { id: 'b', features: ['x', 'y'], sales: 5 }),
  );
  put('sites.jsonl', lines({ id: 'a', terms: ['x', 'y', 'z'] }, { id: 'b', terms: ['x', 'y'] }));
  put('decisions.jsonl', lines({ a: '17', b: '42', verdict: 'different' }));
  put('sets.jsonl', lines({ id: 'a', set: ['cat', 'dog'] }));
  put('numbers.jsonl', lines({ id: 'a', set: [0, 2, 5] }));
  const pages = [words(0, 60), words(100, 160), words(200, 260), words(0, 60)];
  put('crawl-1.warc.gz', Buffer.concat(pages.map((text, at) => gzipSync(response(`page-${at}`, text)))));
  await made(folder, 'dedup', 'corpus.jsonl', '-o', 'train.parquet');
  await made(folder, 'dedup', 'notices.jsonl', '-o', 'test.parquet');
  await made(folder, 'index', 'add', 'seen', 'corpus.jsonl', '--store', 'all', '-o', 'verdicts.jsonl');
}

async function made(folder: string, ...args: string[]): Promise<void> {
  const { code, stderr } = await neardup(args, '', {}, folder);
  if (code !== 0) throw new Error(stderr);
}
