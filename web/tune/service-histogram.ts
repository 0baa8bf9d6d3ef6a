/** Documents of the index and what they were found to be → how alike the pairs of the collection are. */
import { signal } from '@preact/signals';
import { listDocuments, presence } from '../service/client.ts';
import { histogramOf, type NamedPair, type PairHistogram } from './corpora.ts';

/** Documents read for it: enough for the shape of a histogram. */
const MOST = 5000;
const PAGE = 1000;

const found = signal<PairHistogram | undefined>(undefined);
let isAsked = false;

/** Undefined until it is known; the page is shown again then. */
export function serviceHistogram(): PairHistogram | undefined {
  if (presence.value === 'there' && !isAsked) {
    isAsked = true;
    void read();
  }
  return found.value;
}

async function read(): Promise<void> {
  const pairs: NamedPair[] = [];
  let cursor: string | undefined;
  let documents = 0;
  try {
    do {
      const page = await listDocuments({ limit: PAGE, cursor });
      documents += page.documents.length;
      for (const { id, of, resemblance } of page.documents)
        if (of !== undefined && resemblance !== undefined) pairs.push({ a: id, b: of, resemblance });
      cursor = page.next;
    } while (cursor !== undefined && documents < MOST);
  } catch {
    // The page does without.
    return;
  }
  if (pairs.length === 0) return;
  found.value = histogramOf(
    'This index',
    `Best matches of the first ${documents} documents of the index. Pairs below its threshold are not remembered, so nothing is known of what is compared in vain.`,
    pairs,
  );
}
