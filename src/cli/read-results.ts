/** JSON lines of a file or of standard input → objects, whatever they hold; a line that is none is an error with its place. */
import { fail } from '../errors.ts';
import { readBytes, withoutMark } from '../formats/bytes.ts';
import { expandInputs } from '../formats/inputs.ts';
import { LineSplitter } from '../formats/lines.ts';
import type { Piece } from '../formats/splitter.ts';

const LONGEST = 64 * 2 ** 20;

export async function* readResults(input: string): AsyncGenerator<Record<string, unknown>> {
  for (const file of await expandInputs([input], 'jsonl')) {
    const splitter = new LineSplitter(LONGEST);
    for await (const chunk of withoutMark(readBytes(file))) yield* resultsOf(file.path, splitter.push(chunk));
    yield* resultsOf(file.path, splitter.end().pieces);
  }
}

function* resultsOf(file: string, pieces: readonly Piece[]): Generator<Record<string, unknown>> {
  for (const { bytes, line } of pieces) {
    const text = new TextDecoder().decode(bytes).trim();
    if (text === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      fail('BAD_LINE', { file, line, reason: 'not JSON' }, error);
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      fail('BAD_LINE', { file, line, reason: 'not an object' });
    yield value as Record<string, unknown>;
  }
}
