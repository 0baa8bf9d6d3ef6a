/**
 * What shared boilerplate costs: CPU time beside as many documents that share nothing, growth from a quarter of them, comparisons
 * and peak memory, for each way to run.
 *
 *   npm run bench:growth [-- --documents 100000] [--only dedup]
 *
 * With `--only`, rows whose name has it. Under `--memory 512MB`; a run that takes longer than 10 minutes is given up.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type BoilerplateCorpus, writeBoilerplate } from './boilerplate.ts';
import { usedBy } from './used-by.ts';

const { values } = parseArgs({
  options: { documents: { type: 'string', default: '100000' }, only: { type: 'string', default: '' } },
});
const documents = Number(values.documents);

interface Way {
  readonly args: readonly string[];
  readonly corpora: readonly BoilerplateCorpus[];
  /** Elements of sets instead of texts. */
  readonly sets?: boolean;
  /** Where a run of all takes too long. */
  readonly share?: number;
}

const near: readonly BoilerplateCorpus[] = ['boil50', 'boil75', 'boil793', 'boil79', 'mix'];
const few: readonly BoilerplateCorpus[] = ['boil75', 'mix'];
const ways: Readonly<Record<string, Way>> = {
  dedup: { args: ['dedup'], corpora: near },
  'dedup connected': { args: ['dedup', '--cluster', 'connected'], corpora: near },
  clusters: { args: ['clusters'], corpora: few },
  pairs: { args: ['pairs'], corpora: ['boil50', 'boil75', 'boil793'] },
  'pairs exact': { args: ['pairs', '--exact'], corpora: ['boil50', 'boil75', 'boil793'], share: 0.25 },
  'dedup containment': { args: ['dedup', '--measure', 'containment'], corpora: few, share: 0.1 },
  'dedup bottom': { args: ['dedup', '--sketch', 'bottom:100'], corpora: few, share: 0.1 },
  'dedup mod': { args: ['dedup', '--sketch', 'mod:8'], corpora: few, share: 0.1 },
  'dedup super': { args: ['dedup', '--sketch', 'super'], corpora: few },
  'dedup simhash': { args: ['dedup', '--sketch', 'simhash'], corpora: few },
  'dedup edit': { args: ['dedup', '--measure', 'edit'], corpora: few, share: 0.02 },
  'dedup of sets': { args: ['dedup', '--set-field', 'set'], corpora: few, sets: true },
};

const folder = mkdtempSync(join(tmpdir(), 'neardup-bench-'));
try {
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}; CPU of all threads, one run each`);
  console.log('way                  corpus    documents    CPU s  × none174  from a quarter  comparisons  peak MB');
  for (const [name, way] of Object.entries(ways)) {
    if (!name.includes(values.only)) continue;
    const count = Math.round(documents * (way.share ?? 1));
    const plain = measure(way, 'none174', count);
    for (const corpus of way.corpora) {
      const [whole, quarter] = [measure(way, corpus, count), measure(way, corpus, count / 4)];
      const cells = [
        name.padEnd(20),
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

function measure({ args: [command, ...options], sets }: Way, corpus: BoilerplateCorpus, count: number) {
  const path = join(folder, 'corpus.jsonl');
  writeBoilerplate(path, corpus, count, sets ? text => ({ set: text.split(' ') }) : undefined);
  const brakes =
    command === 'dedup' ? ['--max-removed', '100%'] : command === 'pairs' ? ['--max-pairs', '100000000'] : [];
  const output = ['-o', join(folder, 'out.jsonl'), '--json', '--quiet', '--memory', '512MB'];
  const summary = join(folder, 'summary.json');
  const used = usedBy([command!, path, ...options, ...brakes, ...output], folder, summary);
  return { ...used, comparisons: JSON.parse(readFileSync(summary, 'utf8')).comparisons as number };
}
