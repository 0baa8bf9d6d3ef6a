/** Documents that share a passage but are no duplicates → what each tool takes for them, and how many it would remove: all of these are innocent. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BoilerplateCorpus, boilerplateDocuments } from '../boilerplate.ts';
import { writeLines } from '../write-lines.ts';
import { type Measurement, measure } from './measure.ts';
import { readResult } from './results.ts';
import { type Tool, truthTool } from './tools.ts';

/** Resemblance to one another: 0.51, 0.75 and 0.793, below the threshold. */
const corpora: readonly BoilerplateCorpus[] = ['boil50', 'boil75', 'boil793'];

interface Place {
  readonly folder: string;
  readonly python: string;
  /** Seconds that each tool may take. */
  readonly limit: number;
}

/** As Markdown. */
export function boilerplateTable(tools: readonly (readonly [string, Tool])[], documents: number, place: Place): string {
  const ids = Array.from({ length: documents }, (_, number) => `d${number}`);
  const cells = new Map(tools.map(([name]) => [name, [name]]));
  for (const name of corpora) {
    const corpus = join(place.folder, `${name}.jsonl`);
    let number = 0;
    writeLines(corpus, boilerplateDocuments(name, documents), ({ text }) => ({ id: `d${number++}`, text }));
    requireInnocent(corpus, place);
    for (const [label, tool] of tools) {
      console.error(`${label}, ${name}`);
      const out = mkdtempSync(join(place.folder, 'out-'));
      const measurement = run(tool, corpus, out, place);
      const { removed, pairs } = readResult(out, ids);
      // Of two that are a pair, the later one would be removed.
      const innocent = removed?.size ?? new Set(pairs?.map(([, later]) => later)).size;
      const { failure, seconds, cpuSeconds } = measurement;
      const cell = failure ?? `${seconds.toFixed(2)} s, ${cpuSeconds.toFixed(2)} s, **${innocent}**`;
      cells.get(label)!.push(cell);
      console.error(cell);
      rmSync(out, { recursive: true });
    }
    rmSync(corpus);
  }
  const head = ['tool', ...corpora.map(name => `${name}: time, CPU, innocent removed`)];
  return [head, head.map(() => '---'), ...cells.values()].map(row => `| ${row.join(' | ')} |`).join('\n');
}

function run(tool: Tool, corpus: string, out: string, { folder, python, limit }: Place): Measurement {
  return measure(tool.command({ corpus, out, python }), limit, join(folder, 'log.txt'));
}

function requireInnocent(corpus: string, place: Place): void {
  const out = mkdtempSync(join(place.folder, 'out-'));
  const { failure } = run(truthTool, corpus, out, place);
  if (failure) throw new Error(`${truthTool.name}: ${failure}`);
  if (readFileSync(join(out, 'pairs.jsonl'), 'utf8') !== '') throw new Error('documents of the corpus are duplicates');
  rmSync(out, { recursive: true });
}
