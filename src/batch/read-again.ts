/** Decisions and the inputs, read a second time → their documents with what was decided, in input order. */
import { kept } from '../cluster/keeping.ts';
import type { DecidedFiles } from '../engine/engine.ts';
import { failOnChange } from '../files/unchanged.ts';
import type { InputFile } from '../formats/find/inputs.ts';
import { locationOf } from '../formats/ids.ts';
import { type DocumentItem, isDocument, type ReadOptions } from '../formats/item.ts';
import { readBatches } from '../formats/read.ts';

export interface AgainRequest {
  readonly inputs: readonly InputFile[];
  readonly reading: ReadOptions;
  readonly decided: DecidedFiles;
  readonly signal?: AbortSignal | undefined;
}

interface Again {
  readonly item: DocumentItem;
  readonly file: InputFile;
  /** Which of the inputs it is. */
  readonly at: number;
  readonly number: number;
  readonly stays: boolean;
}

/** The same documents under the same numbers, or an error: somebody may have written to a file in between. */
export async function* readAgain(request: AgainRequest): AsyncGenerator<Again> {
  const { inputs, decided } = request;
  let number = decided.protectedCount;
  for (const at of inputs.keys()) number = yield* readFileAgain(request, at, number);
  if (number !== decided.keptBy.length) failOnChange(inputs.at(-1)!.path);
}

/** The documents of the reference set, given as `inputs`: they have the first numbers. */
export async function* readReferenceAgain(request: AgainRequest): AsyncGenerator<Again> {
  let number = 0;
  for (const at of request.inputs.keys()) number = yield* readFileAgain(request, at, number);
}

/** Of one input, from this number on; returns the number after its last document. */
export async function* readFileAgain(
  { inputs, reading, decided: { keptBy, idOf }, signal }: AgainRequest,
  at: number,
  first: number,
): AsyncGenerator<Again, number> {
  const file = inputs[at]!;
  let number = first;
  for await (const batch of readBatches([file], { ...reading, strict: false })) {
    signal?.throwIfAborted();
    for (const item of batch) {
      if (!isDocument(item)) continue;
      if (number >= keptBy.length || !isNamed(item, idOf(number))) failOnChange(file.path);
      yield { item, file, at, number, stays: keptBy[number] === kept };
      number++;
    }
  }
  return number;
}

/** A document whose id came before has its location for a name. */
function isNamed({ document, source, format }: DocumentItem, name: string): boolean {
  return document.id === name || locationOf(source, format) === name;
}
