/**
 * What shared boilerplate costs: CPU time beside as many documents that share nothing, growth from a quarter of them, comparisons
 * and peak memory, for each way to run.
 *
 *   npm run bench:growth [-- --documents 100000] [--only 'dedup,dedup by']
 *
 * With `--only`, rows of these names alone. What is aimed at: three times `none174`, six times for `mix`, and 4.4 times a quarter. Under `--memory 512MB`; a run that takes longer than 10 minutes is given up.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BoilerplateCorpus, writeBoilerplate } from './boilerplate.ts';
import type { KindCorpus } from './boilerplate-kinds.ts';
import { usedBy } from './used-by.ts';

const { values } = parseArgs({
  options: { documents: { type: 'string', default: '100000' }, only: { type: 'string', default: '' } },
});
const documents = Number(values.documents);

type Corpus = BoilerplateCorpus | KindCorpus;

interface Way {
  readonly args: readonly string[];
  readonly corpora: readonly Corpus[];
  /** Elements of sets instead of texts. */
  readonly sets?: boolean;
  /** A tenth as many more documents are a reference set. */
  readonly protect?: boolean;
  /** Where a run of all takes too long. */
  readonly share?: number;
}

const near: readonly BoilerplateCorpus[] = ['boil50', 'boil75', 'boil793', 'boil79', 'mix'];
const few: readonly BoilerplateCorpus[] = ['boil75', 'mix'];
const contained = ['--measure', 'containment'];
const containing: readonly Corpus[] = ['passage', 'parts', 'mosaic', 'mix'];
const passages: readonly Corpus[] = ['boil75', 'mosaic', 'mix'];
const ways: Readonly<Record<string, Way>> = {
  dedup: { args: ['dedup'], corpora: near },
  'dedup connected': { args: ['dedup', '--cluster', 'connected'], corpora: near },
  'dedup protect': { args: ['dedup'], corpora: few, protect: true },
  'dedup by': { args: ['dedup', '--by', 'site'], corpora: few },
  clusters: { args: ['clusters'], corpora: few },
  'clusters connected': { args: ['clusters', '--cluster', 'connected'], corpora: few },
  pairs: { args: ['pairs'], corpora: ['boil50', 'boil75', 'boil793'] },
  'pairs exact': { args: ['pairs', '--exact'], corpora: ['boil50', 'boil75', 'boil793'], share: 0.25 },
  'dedup containment': { args: ['dedup', ...contained], corpora: containing },
  'connected containment': {
    args: ['dedup', ...contained, '--cluster', 'connected'],
    corpora: containing,
    share: 0.25,
  },
  'pairs containment': { args: ['pairs', ...contained], corpora: ['passage', 'mosaic'], share: 0.25 },
  'dedup bottom': { args: ['dedup', '--sketch', 'bottom:100'], corpora: passages },
  'connected bottom': {
    args: ['dedup', '--sketch', 'bottom:100', '--cluster', 'connected'],
    corpora: passages,
    share: 0.25,
  },
  'dedup mod': { args: ['dedup', '--sketch', 'mod:8'], corpora: passages },
  'dedup super': { args: ['dedup', '--sketch', 'super'], corpora: passages },
  'dedup simhash': { args: ['dedup', '--sketch', 'simhash'], corpora: ['weighty', 'mosaic'] },
  'dedup edit': { args: ['dedup', '--measure', 'edit'], corpora: ['form'], share: 0.04 },
  'dedup of sets': { args: ['dedup', '--set-field', 'set'], corpora: ['products', 'sites'], sets: true },
  'connected of sets': {
    args: ['dedup', '--set-field', 'set', '--cluster', 'connected'],
    corpora: ['products', 'sites'],
    sets: true,
  },
  'dedup estimated': { args: ['dedup', '--verify', 'sketch'], corpora: ['boil75'], share: 0.1 },
};

const folder = mkdtempSync(join(tmpdir(), 'neardup-bench-'));
try {
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; CPU of all threads, one run each`);
  console.log('way                   corpus    documents    CPU s  × none174  from a quarter  comparisons  peak MB');
  for (const [name, way] of Object.entries(ways)) {
    if (values.only !== '' && !values.only.split(',').includes(name)) continue;
    const count = Math.round(documents * (way.share ?? 1));
    const plain = measure(way, 'none174', count);
    for (const corpus of way.corpora) {
      const [whole, quarter] = [measure(way, corpus, count), measure(way, corpus, count / 4)];
      const cells = [
        name.padEnd(21),
        corpus.padEnd(8),
        count.toLocaleString('en').padStart(10),
        whole.seconds.toFixed(2).padStart(8),
        (whole.seconds / plain.seconds).toFixed(2).padStart(10),
        (whole.seconds / quarter.seconds).toFixed(2).padStart(15),
        whole.comparisons.toLocaleString('en').padStart(12),
        whole.megabytes.toFixed(0).padStart(8),
      ];
      console.log(cells.join(' '));
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}

function measure({ args: [command, ...options], sets, protect }: Way, corpus: Corpus, count: number) {
  const path = join(folder, 'corpus.jsonl');
  // Ten sites, for `--by`.
  const fieldsOf = (text: string) => ({
    ...(sets ? { set: text.split(' ') } : { text }),
    site: text.length % 10,
  });
  writeBoilerplate(path, corpus, count, fieldsOf);
  const reference = join(folder, 'reference.jsonl');
  if (protect) writeBoilerplate(reference, corpus, Math.round(count / 10), fieldsOf, 2);
  const brakes =
    command === 'dedup' ? ['--max-removed', '100%'] : command === 'pairs' ? ['--max-pairs', '100000000'] : [];
  const output = ['-o', join(folder, 'out.jsonl'), '--json', '--quiet', '--memory', '512MB'];
  const summary = join(folder, 'summary.json');
  const used = usedBy(
    [command!, path, ...options, ...(protect ? ['--protect', reference] : []), ...brakes, ...output],
    folder,
    summary,
  );
  return { ...used, comparisons: JSON.parse(readFileSync(summary, 'utf8')).comparisons as number };
}
