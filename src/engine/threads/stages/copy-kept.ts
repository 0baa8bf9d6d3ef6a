/** Decisions → the lines that stay, byte for byte, in input order: workers put the blocks of a file together; a pipe gets one after another. */
import { constants } from 'node:fs';
import { open, stat, truncate } from 'node:fs/promises';
import { closeOrAbort } from '../../../files/close-or-abort.ts';
import { failWriting } from '../../../files/system-errors.ts';
import { openSink, STANDARD_OUTPUT } from '../../../formats/sink.ts';

import { untilAborted } from '../../until-aborted.ts';
import type { Chunk } from '../plan/plan.ts';
import { readColumn } from '../storage/stage-file.ts';
import { BLOCK, type Copying, createBlocks } from './copy-block.ts';
import type { Stages } from './link-documents.ts';
import type { Numbered } from './link-keyed-items.ts';

export interface CopyRequest extends Numbered, Pick<Stages, 'pool' | 'jobs' | 'stage'> {
  readonly plan: readonly Chunk[];
  /** 1 for each document that stays; threads share it. */
  readonly stays: Uint8Array;
  readonly signal: AbortSignal | undefined;
}

export async function copyKept(output: string, request: CopyRequest): Promise<void> {
  const { pool, jobs, plan, chunks, bases, stays, stage } = request;
  const copying = { plan, chunks, bases, stays, offsets: offsetsOf(request), jobs };
  const total = copying.offsets.at(-1)!;
  const blocks = Array.from({ length: Math.ceil(total / BLOCK) }, (_, i) => ({
    from: i * BLOCK,
    to: Math.min(total, (i + 1) * BLOCK),
  }));
  const onDone = (done: number) => stage('write', done, blocks.length);
  if (!(await isFileToBe(output))) return copyInTurn(output, copying, blocks, onDone);
  const isDirect = await openAnew(output);
  const taken = new Uint32Array(new SharedArrayBuffer(8));
  const stop = untilAborted(request.signal);
  try {
    await pool.tell({ copying: { ...copying, output, isDirect, taken } });
    await stop.race(pool.run('copy', blocks, onDone));
  } catch (error) {
    // When this fails, nothing is written any more.
    await pool.abort();
    throw error;
  } finally {
    stop.end();
  }
  // The last block was filled up.
  await truncate(output, total).catch(error => failWriting(output, error));
}

/** It is not there yet, or can be cut; pipes and devices take what comes. */
async function isFileToBe(path: string): Promise<boolean> {
  if (path === STANDARD_OUTPUT) return false;
  const found = await stat(path).catch(() => undefined);
  return found === undefined || found.isFile();
}

/** An empty file; returns whether it can be written past the system's cache: not every system, and not every file system, lets us. */
async function openAnew(path: string): Promise<boolean> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC;
  const direct = constants.O_DIRECT ? await open(path, flags | constants.O_DIRECT).catch(() => undefined) : undefined;
  const file = direct ?? (await open(path, flags).catch(error => failWriting(path, error)));
  await file.close();
  return direct !== undefined;
}

/** Where the lines of each chunk start in the output, and where they end. */
function offsetsOf({ chunks, bases, stays }: CopyRequest): Float64Array {
  const offsets = new Float64Array(chunks.length + 1);
  for (const [i, chunk] of chunks.entries()) {
    const lengths = readColumn(chunk, 'lengths', Uint32Array);
    const base = bases[i]!;
    let size = 0;
    for (let place = 0; place < lengths.length; place++) if (stays[base + place]) size += lengths[place]! + 1;
    offsets[i + 1] = offsets[i]! + size;
  }
  return offsets;
}

async function copyInTurn(
  output: string,
  copying: Copying,
  blocks: readonly { readonly from: number; readonly to: number }[],
  onDone: (done: number) => void,
): Promise<void> {
  const sink = await openSink(output);
  const blockOf = createBlocks();
  await closeOrAbort(sink, async () => {
    for (const [i, block] of blocks.entries()) {
      await sink.write(blockOf(copying, block));
      // The memory of the block is used again.
      await sink.flush();
      onDone(i + 1);
    }
  });
}
