/** A worker thread: takes tasks one at a time, answers each. */
import { channel } from 'node:diagnostics_channel';
import { parentPort, workerData } from 'node:worker_threads';
import { copyBlock, createBlocks } from './stages/copy-block.ts';
import { elementsOfRange, tallyPart } from './stages/count-elements.ts';
import { dealRows } from './stages/deal-rows.ts';
import { decideShare } from './stages/decide-share.ts';
import { linkKeyedItems } from './stages/link-keyed-items.ts';
import { linkPrefixes } from './stages/link-prefixes.ts';
import { lookUp } from './stages/look-up.ts';
import { pairShare } from './stages/pair-share.ts';
import { prefixRange } from './stages/prefix-range.ts';
import { sampleGiants } from './stages/sample-giants.ts';
import { sketchChunk } from './stages/sketch-chunk.ts';
import { ChunkColumns } from './storage/chunk-columns.ts';
import { openStage } from './storage/stage-file.ts';
import { type Answer, type Common, LAST, type Message, type TaskName, type Tasks } from './tasks.ts';
import { createContext } from './worker-context.ts';

const port = parentPort!;
const context = await createContext(workerData, news => port.postMessage({ news }));
let common: Common = {};
let blockOf: ReturnType<typeof createBlocks> | undefined;

const run: { readonly [Name in TaskName]: (input: Tasks[Name]['input']) => Tasks[Name]['output'] } = {
  sketch: ({ chunk, path }) => sketchChunk(context, chunk, path),
  link: task => linkKeyedItems(context.lines, task, common.numbered!, common.active),
  lookUp: task => lookUp(context, common.planned!, task),
  sample: task => sampleGiants(context, common.giants!, task),
  elements: task => elementsOfRange(context, common.giants!, task),
  tally: task => void tallyPart(task, common.giants!),
  prefix: task => prefixRange(task, common.giants!, context.options.threshold),
  linkPrefixes: task => linkPrefixes(task, common.giants!.members.length, context.options.threshold),
  deal: task => dealRows(task, common.dealt!),
  decide: task => decideShare(context, common.linked!, task),
  pair: task => pairShare(context, common.linked!, task),
  copy: task => {
    blockOf ??= createBlocks();
    copyBlock(blockOf, common.copying!, task);
    return undefined;
  },
};

port.on('message', (message: Message) => {
  if (message !== LAST) port.postMessage(answer(message));
  // Node 20 may crash when a thread ends while its code is still being optimised in the background.
  else setTimeout(() => port.close(), SETTLED);
});

const SETTLED = 20; // ms

function answer(message: Exclude<Message, typeof LAST>): Answer {
  try {
    if ('common' in message) {
      common = message.common;
      // The first pass is over: what it has taken can go.
      context.columns = new ChunkColumns();
      return { output: undefined };
    }
    const { name, input } = message;
    // An earlier run may have left it; counts in memory and parts of the output are gone.
    const { path } = input as { readonly path?: string };
    const found = context.plan.resumes && path !== undefined ? openStage(path) : undefined;
    return { output: found ?? traced(name, () => run[name](input as never)) };
  } catch (error) {
    return { error };
  }
}

const tasks = channel('neardup:task');

/** Tells who listens how long a task took; `bench/trace-tasks.mjs` does. */
function traced<Output>(name: TaskName, work: () => Output): Output {
  const from = performance.now();
  const output = work();
  if (tasks.hasSubscribers) tasks.publish({ name, from, to: performance.now() });
  return output;
}
