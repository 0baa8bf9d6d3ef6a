/** Files → all near-duplicate pairs among their documents, written or handed on; and the summary. */
import { setImmediate } from 'node:timers/promises';
import { findPairsOfFiles } from '../engine/choose-engine.ts';
import type { RunOptions } from '../engine/run-options.ts';
import { writtenOptions } from '../engine/written-options.ts';
import { fail } from '../errors.ts';
import { STANDARD_OUTPUT } from '../formats/sink.ts';
import type { Pair } from '../model.ts';
import { noteDecisions } from './note-decisions.ts';
import { noteRejects } from './note-losses.ts';
import { listFormat, namedOutputs } from './outputs.ts';
import { thenRelease } from './release.ts';
import { createStaging } from './staging.ts';
import { type Around, type Asked, startRun } from './start-run.ts';
import type { PairsSummary } from './summary.ts';
import { writeList, writeRejects } from './write-list.ts';

export interface ListOutputs {
  readonly output?: string | undefined;
  readonly rejects?: string | undefined;
}

export interface PairsAsked extends Asked {
  readonly outputs: ListOutputs;
  readonly exact: boolean;
  readonly maxPairs: number;
}

/** Takes the pairs in place of a file. */
export type TakePairs = (pairs: AsyncIterable<Pair>, options: RunOptions) => Promise<void>;

export async function pairsBatch(asked: PairsAsked, around: Around, take?: TakePairs): Promise<PairsSummary> {
  const { outputs, exact, maxPairs } = asked;
  const { nameOf, messages, signal } = around;
  const { output, rejects } = outputs;
  const format = output === undefined ? undefined : listFormat(nameOf('output'), output);
  const rejectsFormat = rejects === undefined ? undefined : listFormat(nameOf('rejects'), rejects);
  const request = await startRun(asked, namedOutputs(outputs, nameOf), around);
  const found = await findPairsOfFiles(request, { exact, maxPairs });
  return thenRelease(found, async () => {
    await noteRejects(messages, found.read, request.files.inputs, rejects !== undefined);
    noteDecisions(messages, asked.decisions, found.decisions);
    let count = 0;
    const counted = async function* (): AsyncGenerator<Pair> {
      for (const pair of found.pairs) {
        if (count === maxPairs) {
          const isWritten = output === undefined || output === STANDARD_OUTPUT;
          fail('TOO_MANY_PAIRS', { count, isWritten, threshold: nameOf('threshold'), maxPairs: nameOf('maxPairs') });
        }
        count++;
        yield pair;
        // So that an interrupt is heard.
        if (count % 1000 === 0) await setImmediate();
        signal?.throwIfAborted();
      }
    };
    const staging = createStaging(request.files);
    await staging.run(async () => {
      if (rejects !== undefined) await writeRejects(await staging.pathFor(rejects), rejectsFormat!, found.read, asked);
      if (take) await take(counted(), found.options);
      else if (output !== undefined) await writeList(await staging.pathFor(output), format!, counted(), asked, signal);
      else for await (const _ of counted());
    });
    const { documents, rejects: rejected, repeatedIds } = found.read;
    return {
      documents,
      pairs: count,
      rejected: rejected.length,
      ...request.effort(found.read),
      options: { ...writtenOptions(found.options), exact },
      repeatedIds,
      comparisons: found.comparisons(),
      ...(found.decisions && { decisions: found.decisions }),
    };
  });
}
