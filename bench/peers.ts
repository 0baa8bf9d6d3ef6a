/**
 * neardup and public peers on the same file in the same run → one table: time, memory, and how right each is.
 *
 *   npm run bench:peers [-- --documents 50000] [--corpus FILE.jsonl] [--only gaoya,rensa] [--limit 600] [--rounds 2]
 *                       [--check 50000] [--venv FOLDER] [--boilerplate 8000]
 *
 * --only names the peers to run; --limit is the time each may take, in seconds; --check says how many documents of the corpus
 * a second program compares, to confirm the truth. A second table is of as many documents as --boilerplate says, which share a passage and are no
 * duplicates; with --documents 0 it is the only one. Needs Python ≥ 3.11 with venv; the peers are installed once.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { boilerplateTable } from './peers/boilerplate.ts';
import { prepareCorpus } from './peers/corpus.ts';
import { prepareEnvironment } from './peers/environment.ts';
import { type Measurement, measure } from './peers/measure.ts';
import { type Result, readResult } from './peers/results.ts';
import { scorePairs, scoreRemovals } from './peers/score.ts';
import { formatConditions, formatTable, type Row } from './peers/table.ts';
import { choosePeers, ours, type Tool, truthTool, yardstick } from './peers/tools.ts';
import { checkTruth, readTruth } from './peers/truth.ts';

/** A tool that takes longer is measured once. */
const CHEAP_SECONDS = 60;
const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '50000' },
    corpus: { type: 'string' },
    only: { type: 'string' },
    limit: { type: 'string', default: '600' },
    rounds: { type: 'string', default: '2' },
    check: { type: 'string', default: '50000' },
    boilerplate: { type: 'string', default: '8000' },
    venv: { type: 'string', default: file('../node_modules/.cache/neardup-peers') },
  },
});
const limit = Number(values.limit);
const rounds = Number(values.rounds);
const { version } = JSON.parse(readFileSync(file('../package.json'), 'utf8')) as { version: string };

interface Outcome {
  best: Measurement;
  readonly result: Result;
}

const peers = choosePeers(values.only?.split(','));
const environment = prepareEnvironment(values.venv);
const folder = mkdtempSync(join(tmpdir(), 'neardup-peers-'));
const present = peers.filter(tool => !environment.missing.has(tool.package!));
try {
  if (values.documents !== '0') await compareOnCorpus();
  if (values.boilerplate !== '0') {
    const tools = [ours[0]!, ...present].map(tool => [nameOf(tool), tool] as const);
    console.log(boilerplateTable(tools, Number(values.boilerplate), { folder, python: environment.python, limit }));
  }
} finally {
  rmSync(folder, { recursive: true });
}

function nameOf(tool: Tool): string {
  const known = tool.package ? environment.versions.get(tool.package) : tool === yardstick ? undefined : version;
  return [tool.name, known].filter(Boolean).join(' ');
}

async function compareOnCorpus(): Promise<void> {
  const corpus = join(folder, 'corpus.jsonl');
  const ids = await prepareCorpus(corpus, Number(values.documents), values.corpus);
  const run = (tool: Tool, out: string, seconds: number) => {
    console.error(tool.name);
    return measure(tool.command({ corpus, out, python: environment.python }), seconds, join(folder, 'log.txt'));
  };

  const truthFolder = mkdtempSync(join(folder, 'truth-'));
  const truthRun = run(truthTool, truthFolder, Number.POSITIVE_INFINITY);
  if (truthRun.failure) throw new Error(`${truthTool.name}: ${truthRun.failure}`);
  const truth = readTruth(truthFolder);
  console.error('a second program, to confirm the truth');
  const agreement = checkTruth(truth, corpus, Math.min(Number(values.check), ids.length), environment.python, folder);

  const outcomes = new Map<Tool, Outcome>();
  // Interleaved, best of each: a busy moment of the machine then hits all alike.
  for (let round = 0; round < rounds; round++) {
    for (const tool of [yardstick, ...ours, ...present]) {
      const earlier = outcomes.get(tool);
      if (earlier && (earlier.best.failure || earlier.best.seconds > CHEAP_SECONDS)) continue;
      const out = mkdtempSync(join(folder, 'out-'));
      const measurement = run(tool, out, limit);
      if (!earlier) outcomes.set(tool, { best: measurement, result: readResult(out, ids) });
      else if (measurement.failure || measurement.seconds < earlier.best.seconds) earlier.best = measurement;
      rmSync(out, { recursive: true });
    }
  }

  const pairs = truth.map(({ a, b }) => [a, b] as const);
  const rowOf = (tool: Tool): Row => {
    const name = nameOf(tool);
    const outcome = outcomes.get(tool);
    if (!outcome) return { name, note: tool.note, failure: `not installed: ${environment.missing.get(tool.package!)}` };
    const { best, result } = outcome;
    if (best.failure) return { name, note: tool.note, failure: best.failure };
    return {
      name,
      note: tool.note,
      measurement: best,
      ...(result.pairs && { pairs: scorePairs(result.pairs, pairs) }),
      ...(result.removed && { removals: scoreRemovals(result.removed, pairs) }),
    };
  };
  const rows = [
    rowOf(yardstick),
    ...ours.map(rowOf),
    { name: nameOf(truthTool), note: truthTool.note, measurement: truthRun },
    ...peers.map(rowOf),
  ];
  const bytes = statSync(corpus).size;
  const source = values.corpus === undefined ? 'made by bench/make-corpus.ts, seed 1' : 'given by --corpus';
  console.log(formatConditions({ bytes, documents: ids.length, source, rounds, environment, agreement }));
  console.log(formatTable(rows, bytes));
}
