/** Inputs, and what a test wants of a run over them → the request that the engines take. */
import type { RunRequest } from '../../src/engine/engine.ts';
import { type GivenRunOptions, readRunOptions } from '../../src/engine/run-options.ts';
import { expandInputs } from '../../src/formats/find/inputs.ts';

export interface RunSetting extends Partial<Omit<RunRequest, 'files' | 'reading' | 'options'>> {
  readonly given?: GivenRunOptions;
  readonly reading?: Partial<RunRequest['reading']>;
  readonly reference?: readonly string[];
  readonly brokenLinks?: RunRequest['files']['brokenLinks'];
}

/** `threadsFrom` in the setting chooses the engine: 0 for threads, infinity for memory. */
export async function runRequest(inputs: readonly string[], setting: RunSetting = {}): Promise<RunRequest> {
  const { given = {}, reading = {}, reference = [], brokenLinks = [], ...rest } = setting;
  return {
    files: { inputs: await expandInputs(inputs), reference: await expandInputs(reference), brokenLinks },
    reading: { textField: 'text', idField: 'id', html: 'auto', maxDocument: 2 ** 26, ...reading },
    options: readRunOptions(given),
    jobs: 2,
    memory: 2 ** 30,
    ...rest,
  };
}
