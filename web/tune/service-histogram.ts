/** Documents of the index and what they were found to be → how alike the pairs of the collection are. */
import { signal } from '@preact/signals';
import { getHistogram, listDocuments, presence } from '../service/client.ts';
import { withCommas } from '../ui/shown.ts';
import type { NamedPair, PairHistogram } from './corpora.ts';

/** Near-duplicates read for their names: enough for some beside every threshold. */
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
  try {
    const [{ matches }, pairs] = await Promise.all([getHistogram(), namedPairs()]);
    const counts = matches.near.map((near, at) => near + matches.exact[at]! + matches.contained[at]!);
    const all = counts.reduce((sum, count) => sum + count, 0);
    if (all === 0) return;
    found.value = {
      name: 'This index',
      source: `Best matches of all ${withCommas(all)} duplicates in the index. Pairs below its threshold are not remembered, so nothing is known of what is compared in vain there.`,
      counts,
      pairs,
    };
  } catch {
    // The page does without.
  }
}

/** Copies are all at 1: near-duplicates and contained ones have the names that tell something. */
async function namedPairs(): Promise<NamedPair[]> {
  const pairs: NamedPair[] = [];
  for (const status of ['near', 'contained']) {
    let cursor: string | undefined;
    do {
      const page = await listDocuments({ limit: PAGE, cursor, status });
      for (const { id, of, resemblance } of page.documents)
        if (of !== undefined && resemblance !== undefined) pairs.push({ a: id, b: of, resemblance });
      cursor = page.next;
    } while (cursor !== undefined && pairs.length < MOST);
  }
  return pairs.sort((x, y) => x.resemblance - y.resemblance);
}
