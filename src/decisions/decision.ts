/** A line of `decisions.jsonl` ↔ what somebody decided about two documents. */
import { fail } from '../errors.ts';
import { requireNames } from '../options.ts';

export const verdicts = ['same', 'different', 'undecided'] as const;

/** `undecided` takes back what was said before. */
export type DecisionVerdict = (typeof verdicts)[number];

export interface GivenDecision {
  readonly a: string;
  readonly b: string;
  readonly verdict: DecisionVerdict;
  /** Which of the two stays. */
  readonly keep?: string;
  readonly note?: string;
  /** Who decided. */
  readonly by?: string;
}

export interface Decision extends GivenDecision {
  /** When, as ISO 8601 in UTC. */
  readonly at?: string;
  /** The content hashes of both texts at that time (32 hex digits, seed 1), null where one is not known. */
  readonly contents?: readonly [a: string | null, b: string | null];
}

const givenNames = ['a', 'b', 'verdict', 'keep', 'note', 'by'] as const satisfies readonly (keyof Decision)[];

/** What a caller gives; anything wrong is an error that names the field. */
export function checkedDecision(given: GivenDecision): GivenDecision {
  requireNames(Object(given), givenNames, 'field');
  const { a, b, verdict, keep, note, by } = given;
  for (const [name, id] of Object.entries({ a, b }))
    if (typeof id !== 'string' || id === '') refuse(name, 'the id of a document', id);
  if (a === b) refuse('b', 'another document than a', b);
  if (!verdicts.includes(verdict)) refuse('verdict', 'same, different or undecided', verdict);
  if (keep !== undefined && keep !== a && keep !== b) refuse('keep', 'one of the two documents', keep);
  if (keep !== undefined && verdict !== 'same') refuse('keep', `left out when the verdict is ${verdict}`, keep);
  for (const [name, text] of Object.entries({ note, by }))
    if (text !== undefined && typeof text !== 'string') refuse(name, 'a string', text);
  return given;
}

/** A line of a log, as it was parsed; anything wrong is an error that names the field. */
export function checkedLine(line: Decision): Decision {
  if (typeof line !== 'object' || line === null) refuse('decision', 'an object { a, b, verdict }', line);
  const { at, contents, ...given } = line;
  if (contents !== undefined && !isContents(contents)) refuse('contents', 'the content hashes of both texts', contents);
  checkedDecision(given);
  return { ...given, ...(at !== undefined && { at }), ...(contents && { contents }) };
}

/** Undefined for a line that is not a decision, such as half a line after a crash. */
export function parseDecision(line: string): Decision | undefined {
  try {
    return checkedLine(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** The fields are always written in the same order. */
export function decisionLine({ a, b, verdict, keep, note, by, at, contents }: Decision): string {
  return JSON.stringify({ a, b, verdict, keep, note, by, at, contents });
}

export function contentText(content: bigint): string {
  return content.toString(16).padStart(32, '0');
}

function isContents(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every(one => one === null || typeof one === 'string');
}

function refuse(option: string, expected: string, got: unknown): never {
  return fail('BAD_OPTION', { option, expected, got });
}
