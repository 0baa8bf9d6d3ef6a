/** `file`, `file#id` → the one document that is meant. */
import { existsSync } from 'node:fs';
import type { Messages } from '../../batch/losses.ts';
import type { InputOptions } from '../../batch/options.ts';
import type { NamedOutputs } from '../../batch/outputs.ts';
import { fail } from '../../errors.ts';
import { STANDARD_INPUT } from '../../formats/find/inputs.ts';
import { printable } from '../../report/printable.ts';
import { type InputDocument, readInputs } from './read-inputs.ts';

/** `paragraphs`: texts of HTML are for people to read. */
type PickOptions = InputOptions & { readonly paragraphs?: boolean };

interface Reference {
  readonly input: string;
  /** Undefined: the input holds one document only. */
  readonly id?: string;
}

/** A file may have a # in its name: the longest name that there is wins. Of a name that is not there, the part before the first #. */
export function parseReference(written: string): Reference {
  if (existsSync(written)) return { input: written };
  const marks = [...written.matchAll(/#/g)].map(({ index }) => index);
  const mark = marks.findLast(at => isThere(written.slice(0, at))) ?? marks[0];
  return mark === undefined ? { input: written } : { input: written.slice(0, mark), id: written.slice(mark + 1) };
}

function isThere(input: string): boolean {
  return input === STANDARD_INPUT || existsSync(input);
}

/** Two documents of one input are found in one reading: standard input can be read but once. */
export async function pickTwo(
  references: readonly [Reference, Reference],
  options: PickOptions,
  io: Messages,
  outputs: NamedOutputs,
): Promise<[InputDocument, InputDocument]> {
  const [a, b] = references;
  if (a.input === b.input) {
    const found = await pick(a.input, [a.id, b.id], options, io, outputs);
    return [found[0]!, found[1]!];
  }
  const first = await pick(a.input, [a.id], options, io, outputs);
  return [first[0]!, (await pick(b.input, [b.id], options, io, outputs))[0]!];
}

/** Stops as soon as all are found; without an id it has to see that there is no second document. */
async function pick(
  input: string,
  ids: readonly (string | undefined)[],
  options: PickOptions,
  io: Messages,
  outputs: NamedOutputs,
): Promise<InputDocument[]> {
  const found = new Map<string | undefined, InputDocument>();
  const seen: string[] = [];
  for await (const document of readInputs([input], options, io, { outputs })) {
    if (seen.length < SHOWN) seen.push(document.id);
    for (const wanted of ids) if (wanted === undefined || wanted === document.id) found.set(wanted, document);
    if (ids.includes(undefined) && seen.length > 1) failOnSeveral(input, seen);
    if (!ids.includes(undefined) && ids.every(wanted => found.has(wanted))) break;
  }
  return ids.map(id => found.get(id) ?? failOnUnknown(input, id!, seen));
}

/** Ids that an error offers. */
const SHOWN = 5;

function failOnSeveral(input: string, seen: readonly string[]): never {
  const example = printable(`${input}#${seen[0]}`);
  return fail('BAD_INPUT', { file: input, reason: `more than one document in it; say which, as in ${example}` });
}

function failOnUnknown(input: string, id: string, seen: readonly string[]): never {
  const list = seen.map(one => printable(one)).join(', ');
  const reason = `no document has the id ${JSON.stringify(id)}; the first ids: ${list}`;
  return fail('BAD_INPUT', { file: input, reason });
}
