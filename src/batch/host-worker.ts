/** The thread that hosts a run over files: what it is asked → progress, warnings, items, and at the end its summary. */
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { failureOf } from '../errors.ts';
import type { Cluster, Pair } from '../model.ts';
import { plainName } from '../options.ts';
import { dedupBatch } from './dedup-batch.ts';
import type { FromHost, HostData, ToHost } from './hosted-runs.ts';
import { clustersBatch, pairsBatch } from './list-batch.ts';
import { manyComparisonsLine } from './many-comparisons.ts';
import type { Around } from './start-run.ts';

/** Items that travel together. */
const TOGETHER = 1000;

const port = parentPort!;
const run = workerData as HostData;
const aborting = new AbortController();
let onMore = () => {};
port.on('message', (message: ToHost) => {
  if (message === 'more') onMore();
  else if (message === 'end') port.close();
  else {
    aborting.abort();
    onMore();
  }
});

const tell = (message: FromHost) => port.postMessage(message);
const around: Around = {
  // Notes are for people at a terminal; what was lost is a warning.
  messages: { quiet: true, note: () => {}, warn: warning => tell({ warning }) },
  nameOf: plainName,
  signal: aborting.signal,
  watch: {
    estimate: () => {},
    stage: (stage, done, of) => tell({ progress: { stage, done, of } }),
    many: group => tell({ warning: manyComparisonsLine(group, run.asked.options) }),
  },
};

async function give(items: AsyncIterable<Pair | Cluster> | Iterable<Pair | Cluster>): Promise<void> {
  let some: (Pair | Cluster)[] = [];
  const send = async () => {
    const taken = new Promise<void>(resolve => {
      onMore = resolve;
    });
    tell({ items: some });
    some = [];
    await taken;
    aborting.signal.throwIfAborted();
  };
  for await (const item of items) if (some.push(item) === TOGETHER) await send();
  if (some.length > 0) await send();
}

async function perform() {
  if (run.name === 'dedup') return (await dedupBatch(run.asked, around)).summary;
  if (run.name === 'pairs') return pairsBatch(run.asked, around, run.givesItems ? pairs => give(pairs) : undefined);
  return clustersBatch(run.asked, around, run.givesItems ? ({ clusters }) => give(clusters) : undefined);
}

try {
  const summary = await perform();
  // Progress that was told before comes before.
  await setImmediate();
  tell({ summary });
} catch (error) {
  tell({ failure: failureOf(error) });
}
