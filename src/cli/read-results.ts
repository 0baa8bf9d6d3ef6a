/** JSON lines of a file or of standard input → objects, whatever they hold; a line that is none is told of with its place. */
import { readBytes, withoutMark } from '../formats/bytes.ts';
import { expandInputs } from '../formats/inputs.ts';
import type { Reject } from '../formats/item.ts';
import { LineSplitter } from '../formats/lines.ts';
import type { Piece } from '../formats/splitter.ts';

const LONGEST = 64 * 2 ** 20;

export async function* readResults(
  input: string,
  onReject: (reject: Reject) => void,
): AsyncGenerator<Record<string, unknown>> {
  for (const file of await expandInputs([input], 'jsonl')) {
    const resultsOf = function* (pieces: readonly Piece[]) {
      for (const { bytes, line } of pieces) {
        const { result, reason } = resultIn(bytes);
        if (reason !== undefined) onReject({ file: file.path, line, reason });
        else if (result) yield result;
      }
    };
    const splitter = new LineSplitter(LONGEST);
    for await (const chunk of withoutMark(readBytes(file))) yield* resultsOf(splitter.push(chunk));
    yield* resultsOf(splitter.end().pieces);
  }
}

/** Neither for a blank line. */
function resultIn(bytes: Uint8Array | undefined): { result?: Record<string, unknown>; reason?: string } {
  if (bytes === undefined) return { reason: `too large: over ${LONGEST} bytes` };
  const text = new TextDecoder().decode(bytes).trim();
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { result: value as Record<string, unknown> } : { reason: 'not an object' };
  } catch {
    return { reason: 'not JSON' };
  }
}
