/** What the index on disk does on threads of its own, so that deciding goes on. */
import { movable } from '../threads/answer.ts';
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

const tasks: {
  readonly [Name in keyof ThreadTasks]: (input: ThreadTasks[Name]['input']) => ThreadTasks[Name]['output'];
} = {
  compress: compressPacket,
  makeFilterPart: ({ part, blocks }) => makeFilterPart(part, blocks),
  makePages,
};

export function perform<Name extends keyof ThreadTasks>(
  name: Name,
  input: ThreadTasks[Name]['input'],
): ThreadTasks[Name]['output'] {
  return tasks[name](input);
}

/** The memory of an answer, which moves to who asked and is not copied. */
export function memoryOf(output: ThreadTasks[keyof ThreadTasks]['output']): ArrayBuffer[] {
  if ('words' in output) return movable([output.words]);
  return movable('parts' in output ? output.parts.map(({ bytes }) => bytes) : [output.bytes]);
}
