/** How much of a text is its own → documents of 150 shared words and words of their own, or of their own words alone; and other kinds. */
import type { Document } from '../src/model.ts';
import { type KindCorpus, kindCorpora } from './boilerplate-kinds.ts';
import { createRandom } from './random.ts';
import { writeLines } from './write-lines.ts';

const SHARED_WORDS = 150;
const shared = Array.from({ length: SHARED_WORDS }, (_, at) => `boiler${at}`).join(' ');

/** Own words, from and to; resemblance to one another in comments (words in runs of five). */
export const boilerplateCorpora = {
  /** Nothing is shared. */
  none174: { shared: '', own: [174, 174] },
  /** 0.51 */
  boil50: { shared, own: [70, 70] },
  /** 0.75 */
  boil75: { shared, own: [24, 24] },
  /** 0.793 */
  boil793: { shared, own: [19, 19] },
  /** 0.811: all are duplicates of the first. */
  boil79: { shared, own: [17, 17] },
  mix: { shared, own: [10, 70] },
} as const;
export type BoilerplateCorpus = keyof typeof boilerplateCorpora;

/** The same of collections with boilerplate of their own kind: texts or sets. */
export function* kindDocuments(corpus: KindCorpus, count: number, seed = 1): Generator<Document> {
  const random = createRandom(seed);
  for (let at = 0; at < count; at++) {
    const content: string | readonly string[] = kindCorpora[corpus](random);
    const id = `k${seed}-${at}`;
    yield typeof content === 'string' ? { id, text: content } : { id, set: content };
  }
}

export function* boilerplateDocuments(
  corpus: BoilerplateCorpus,
  count: number,
  seed = 1,
): Generator<{ readonly id: string; readonly text: string }> {
  const random = createRandom(seed);
  const word = () => `u${random.below(1e9).toString(36)}${random.below(1e6).toString(36)}`;
  const {
    shared,
    own: [least, most],
  } = boilerplateCorpora[corpus];
  for (let at = 0; at < count; at++) {
    const own = Array.from({ length: least + random.below(most - least + 1) }, word).join(' ');
    yield { id: `b${seed}-${at}`, text: shared === '' ? own : `${shared} ${own}` };
  }
}

/** A file of JSON lines. `fieldsOf`: what a document has besides its id. */
export function writeBoilerplate(
  path: string,
  corpus: BoilerplateCorpus | KindCorpus,
  count: number,
  fieldsOf: (text: string) => object = text => ({ text }),
  seed = 1,
): void {
  if (corpus in kindCorpora) writeLines(path, kindDocuments(corpus as KindCorpus, count), document => document);
  else
    writeLines(path, boilerplateDocuments(corpus as BoilerplateCorpus, count, seed), ({ id, text }) => ({
      id,
      ...fieldsOf(text),
    }));
}
