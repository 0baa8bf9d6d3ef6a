/** A folder → runs over its files, here and on Spark, and what they wrote. */
import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { neardup, type Ran } from './command.ts';

/** Milliseconds. A machine of two cores with thirty other programs at work took 400,000 for what takes 80,000 alone. */
export const LONG = 1_200_000;

export const onSpark = (master = 'local[2]') => ['--engine', 'spark', '--master', master];

export interface SparkRun {
  readonly options?: readonly string[];
  readonly spark?: readonly string[];
  /** corpus.jsonl of the folder, unless told. */
  readonly input?: string;
  readonly ending?: string;
  readonly env?: Record<string, string>;
}

/** Pages differ in how long the run took, and when it was. */
const withoutTime = (file: string) =>
  file.replace(/(<dt>(?:seconds|MB\/s)<\/dt>)<dd>[\d.]+<\/dd>|<time .*?<\/time>/g, '$1');

/** To say where two large files differ would take minutes. */
const shown = (file: string) => (file.length < 1e5 ? file : createHash('sha256').update(file).digest('hex'));

export function sparkRuns(folder: string) {
  const at = (name: string) => join(folder, name);

  /** Every file that a run wrote, or none if it failed. */
  async function results(name: string, run: SparkRun): Promise<Ran & { readonly files: readonly string[] }> {
    const { options = [], spark = [], input = at('corpus.jsonl'), ending = 'jsonl', env } = run;
    const documents = at(`${name}-documents.${ending}`);
    const lists = ['removed', 'clusters', 'rejects', 'report'].map(list => [
      `--${list}`,
      at(`${name}-${list}${list === 'report' ? '.html' : ''}`),
    ]);
    const ran = await neardup(['dedup', input, '-o', documents, ...lists.flat(), ...options, ...spark], '', env);
    const written = ran.code === 0 ? [documents, ...lists.map(([, path]) => path!)] : [];
    return { ...ran, files: written.map(file => withoutTime(readFileSync(file, 'latin1'))) };
  }

  /** What the run on Spark said. */
  async function expectSame(name: string, { spark = onSpark(), env = {}, ...run }: SparkRun): Promise<Ran> {
    const here = await results(`${name}-local`, run);
    const there = await results(`${name}-spark`, { ...run, spark, env });
    expect(there.stderr).not.toMatch(/^neardup:/m);
    expect([there.code, there.files.map(shown)]).toEqual([0, here.files.map(shown)]);
    return there;
  }

  /** A program that stands in for node on the executors. */
  function standIn(name: string, script: string): string[] {
    writeFileSync(at(name), `#!/bin/bash\n${script}\n`);
    chmodSync(at(name), 0o755);
    return ['--spark-node', at(name)];
  }

  return { at, results, expectSame, standIn };
}
