/** What the index does on threads, so that deciding goes on. */

import { compressPacket, type Packet } from './packet.ts';
import { type FilterPart, type MadePart, makeFilterPart } from './postings/key-filter.ts';
import { type MadePages, makePages, type PagesToMake } from './postings/make-pages.ts';
import type { StoredBlock } from './postings/run.ts';

export interface ThreadTasks {
  readonly compress: { readonly input: Packet; readonly output: Packet };
  readonly makeFilterPart: {
    readonly input: { readonly part: FilterPart; readonly blocks: readonly StoredBlock[] };
    readonly output: MadePart;
  };
  readonly makePages: { readonly input: PagesToMake; readonly output: MadePages };
}

export type TaskName = keyof ThreadTasks;

export interface Request<Name extends TaskName = TaskName> {
  readonly name: Name;
  readonly input: ThreadTasks[Name]['input'];
}

const tasks: { readonly [Name in TaskName]: (input: ThreadTasks[Name]['input']) => ThreadTasks[Name]['output'] } = {
  compress: compressPacket,
  makeFilterPart: ({ part, blocks }) => makeFilterPart(part, blocks),
  makePages,
};

export function perform<Name extends TaskName>({ name, input }: Request<Name>): ThreadTasks[Name]['output'] {
  return tasks[name](input);
}

/** The memory of an answer, which moves to who asked and is not copied. */
export function memoryOf(output: ThreadTasks[TaskName]['output']): ArrayBuffer[] {
  if ('words' in output) return movable([output.words]);
  return movable('parts' in output ? output.parts.map(({ bytes }) => bytes) : [output.bytes]);
}

/** The memory of those arrays that share theirs with nobody. */
export function movable(arrays: readonly (Uint8Array | Uint32Array)[]): ArrayBuffer[] {
  return arrays
    .filter(({ byteLength, buffer }) => byteLength === buffer.byteLength)
    .map(({ buffer }) => buffer as ArrayBuffer);
}
