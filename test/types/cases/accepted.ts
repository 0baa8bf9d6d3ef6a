/** What must compile, as a user of the package writes it. */
import {
  type Cluster,
  type ClustersSummary,
  type Collapsed,
  collapse,
  compare,
  createSketcher,
  type DedupResult,
  type DedupSummary,
  type Document,
  dedup,
  dedupFiles,
  type FilesRun,
  findClusters,
  findClustersInFiles,
  findPairs,
  findPairsInFiles,
  type GivenDedupOptions,
  type GivenDocument,
  type GivenRunOptions,
  type Measure,
  NeardupError,
  openIndex,
  type Pair,
  type PairsSummary,
  type Relation,
  type Removal,
  tune,
  tuneOnSample,
  type Verdict,
} from 'neardup';
import { dedup as dedupInBrowser } from 'neardup/browser';

/** Without an index signature, with a numeric id and fields of its own. */
interface Article {
  id: number;
  text: string;
  published: Date;
}
declare const articles: Article[];
declare const stream: AsyncIterable<Article>;

const { kept, removed, clusters, renamed } = await dedup(articles, { threshold: 0.8 });
const dates: Date[] = kept.map(article => article.published);
const reasons: readonly Removal[] = removed;
const relation: Relation | undefined = removed[0]?.relation;
const groups: readonly Cluster[] = clusters;
const names: string[] = renamed.map(({ name }) => name);
const same: DedupResult<Article> = await dedup(stream);
const published: Date | undefined = (await dedupInBrowser(new Set(articles))).kept[0]?.published;

const everyOption: GivenRunOptions = {
  threshold: 0.5,
  recall: 0.99,
  measure: 'containment',
  shingle: 'word:3',
  sketch: 'minhash:256',
  lsh: 'bands:20x5',
  verify: 'exact',
  cluster: 'connected',
  keep: 'prefer:source=wiki,news',
  by: 'meta.language',
  normalise: ['nfkc', 'stopwords:en', 'stem:de'],
  seed: 7,
};
await dedup(articles, { ...everyOption, protect: [{ id: 'reference', text: 'a' }] });
await dedup(articles, { normalize: 'nfc,strip-accents' });
await dedup(articles, { keep: 'max:published', sketch: 'mod:auto', lsh: 'auto', shingle: 'char:5' });
await dedup(articles, { threshold: undefined, protect: undefined });

await dedup([
  { id: 'a', set: new Set(['x', 'y']) },
  { id: 'b', set: ['x', 1] },
]);
await dedup([{ id: 'a', set: new Map([['x', 1]]).keys() }]);
await dedup([{ text: 'no id of its own' }]);
const untyped: Document[] = JSON.parse('[]');
await dedup(untyped);

const found: Pair[] = [];
for await (const pair of findPairs(articles, { exact: true, measure: 'resemblance' })) found.push(pair);
const members: readonly string[] | undefined = (await findClusters(articles))[0]?.members;

interface Hit {
  readonly url: string;
  readonly text?: string;
}
declare const hits: readonly Hit[];
const page: Collapsed<Hit>[] = await collapse(hits, { onUncompared: hit => hit.url, matches: 90, of: 100 });
const folded: Hit[] | undefined = page[0]?.similar;

const { signal } = new AbortController();
await collapse(hits, { signal, onProgress: ({ stage, done }) => void `${stage} ${done}` });
await tuneOnSample(articles, { threshold: 0.7, signal, onProgress: undefined });
const summary: DedupSummary = await dedupFiles('a.jsonl', {
  memory: '2GB',
  maxRemoved: '30%',
  output: 'b.jsonl',
  signal,
});
const pairsRun: FilesRun<Pair, PairsSummary> = findPairsInFiles(['a.jsonl'], { threshold: 0.5, exact: true });
for await (const { a, b } of pairsRun) void [a, b];
const groupsRun: FilesRun<Cluster, ClustersSummary> = findClustersInFiles('a.jsonl', {
  onWarning: line => line.length,
});
const clustered: number = (await groupsRun).clustered;

const index = await openIndex('memory:', { threshold: 0.9, store: 'all', seed: 'secret:NAME' });
const verdict: Verdict = await index.add({ id: 'a', set: new Set(['x']) });
await index.add({ id: 1, text: 'a', tags: ['b'] }, { onDecided: (_, document) => void document.tags.length });
for await (const outcome of index.addAll(articles)) if ('error' in outcome) throw outcome.error;
await index.search({ set: new Set(['x']) }, { limit: 3, measure: 'resemblance' });
await collapse(hits, { index });
const closed: Promise<void> = index[Symbol.asyncDispose]();

const measure: Measure = 'edit';
const similarity: number | null = (await compare('a', new Set(['b']), { shingle: 'word:1' })).editSimilarity;
const sketcher = await createSketcher({ sketch: 'oph:64', bits: 32 });
sketcher.sketch(new Set(['a', 1]));
const rows: number = tune({ threshold: 0.8, recall: 0.99 }).rows;
const matches: number = tune({ matches: 90, of: 100 }).matches;

/** A function of the user's own that passes options and documents on. */
async function ownDedup<Given extends GivenDocument>(documents: Given[], given: GivenDedupOptions): Promise<Given[]> {
  try {
    return [...(await dedup(documents, given)).kept];
  } catch (error) {
    if (error instanceof NeardupError && error.code === 'BAD_OPTION') return documents;
    throw error;
  }
}

export const used = [
  dates,
  reasons,
  relation,
  groups,
  names,
  same,
  published,
  found,
  members,
  summary,
  clustered,
  folded,
  verdict,
  closed,
  measure,
  similarity,
  rows,
  matches,
  ownDedup,
];
