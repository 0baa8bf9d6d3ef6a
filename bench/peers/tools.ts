/** The tools of the comparison: how each is called, and what a reader must know of its settings. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Tool {
  readonly name: string;
  /** Of a peer: the package it comes in, in lower case. */
  readonly package?: string;
  readonly note: string;
  command(places: Places): readonly string[];
}

export interface Places {
  readonly corpus: string;
  /** A folder for what the tool finds. */
  readonly out: string;
  /** The Python of the peers. */
  readonly python: string;
}

export const THRESHOLD = 0.8;
export const runners = fileURLToPath(new URL('./runners/', import.meta.url));
const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export const yardstick: Tool = {
  name: 'wc -w',
  note: 'the yardstick',
  command: ({ corpus }) => ['wc', '-w', corpus],
};

export const ours: readonly Tool[] = [
  neardup(['dedup'], 'kept.jsonl', 'verified; writes the kept documents and the evidence of each removal'),
  neardup(['pairs'], 'pairs.jsonl', 'candidates by LSH, each verified on the whole sets'),
];

export const truthTool = neardup(['pairs', '--exact'], 'pairs.jsonl', 'the truth, without LSH; measured once');

const allPeers: readonly Tool[] = [
  peer('gaoya', 'gaoya', 'words of its own, split at ASCII punctuation; 16 bands of 8, checked by sketches'),
  peer('rensa', 'rensa', 'R-MinHash; 16 bands of 8, checked by sketches'),
  peer('rensa rho', 'rensa', 'sketches of sampled shingles, as in its own benchmark; 8 bands of 16; no pairs'),
  peer('FastSketchLSH', 'fastsketchlsh', '16 bands of 8, checked by sketches'),
  peer('datasketch', 'datasketch', 'a process for each core; 9 bands of 13, which it chooses, checked by sketches'),
  peer('text-dedup', 'text-dedup', 'words of its own, split at each \\W; 9 bands of 13, which it chooses; no pairs'),
  peer('datatrove', 'datatrove', 'the words of the other runners instead of its slower own; 9 bands of 13; no pairs'),
];

/** Those named, or all. */
export function choosePeers(names: readonly string[] | undefined): readonly Tool[] {
  const known = allPeers.map(({ name }) => name);
  const unknown = names?.find(name => !known.includes(name));
  if (unknown !== undefined) throw new Error(`--only must name some of ${known.join(', ')}, got ${unknown}`);
  return allPeers.filter(({ name }) => names?.includes(name) ?? true);
}

function neardup(call: readonly string[], result: string, note: string): Tool {
  return {
    name: ['neardup', ...call].join(' '),
    note,
    command: ({ corpus, out }) => [
      ...[process.execPath, main, ...call, corpus, '--threshold', String(THRESHOLD), '-o', join(out, result)],
      ...(call[0] === 'dedup' ? ['--removed', join(out, 'removed.jsonl')] : []),
      '--quiet',
    ],
  };
}

function peer(name: string, packageName: string, note: string): Tool {
  const runner = join(runners, `run_${name.toLowerCase().replaceAll(/[ -]/g, '_')}.py`);
  return { name, package: packageName, note, command: ({ corpus, out, python }) => [python, runner, corpus, out] };
}
