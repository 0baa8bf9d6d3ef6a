/** JSON lines of a file or of standard input → objects, whatever they hold; a line that is none is told of with its place. */
import { readBytes, withoutMark } from '../formats/bytes.ts';
import { BrokenInput } from '../formats/decompress.ts';
import type { InputFile } from '../formats/inputs.ts';
import type { Damage, Reject } from '../formats/item.ts';
import { LineSplitter } from '../formats/lines.ts';
import type { Piece } from '../formats/splitter.ts';

const LONGEST = 64 * 2 ** 20;

/** `hasIndex`: an id is enough, too. */
export async function* readResults(
  files: readonly InputFile[],
  hasIndex: boolean,
  onReject: (reject: Reject) => void,
  onDamage: (damage: Damage) => void,
): AsyncGenerator<Record<string, unknown>> {
  for (const file of files) {
    let [lines, readable] = [0, 0];
    const resultsOf = function* (pieces: readonly Piece[]) {
      for (const { bytes, line } of pieces) {
        lines = line;
        const { result, reason } = resultIn(bytes, hasIndex);
        if (reason !== undefined) onReject({ file: file.path, line, reason });
        else if (result) {
          readable++;
          yield result;
        }
      }
    };
    const splitter = new LineSplitter(LONGEST);
    try {
      for await (const chunk of withoutMark(readBytes(file))) yield* resultsOf(splitter.push(chunk));
      yield* resultsOf(splitter.end().pieces);
    } catch (error) {
      if (!(error instanceof BrokenInput)) throw error;
      onDamage({ file: file.path, line: lines + 1, reason: error.message, readable });
    }
  }
}

/** Neither for a blank line. */
function resultIn(
  bytes: Uint8Array | undefined,
  hasIndex: boolean,
): { result?: Record<string, unknown>; reason?: string } {
  if (bytes === undefined) return { reason: `too large: over ${LONGEST} bytes` };
  const text = new TextDecoder().decode(bytes).trim();
  if (text === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { reason: 'not JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { reason: 'not an object' };
  const result = value as Record<string, unknown>;
  const reason = whyNot(result, hasIndex);
  return reason === undefined ? { result } : { reason };
}

function whyNot({ id, text, set, similar = [] }: Record<string, unknown>, hasIndex: boolean): string | undefined {
  if (!Array.isArray(similar)) return 'its field similar is not a list, and folded results go there';
  const hasId = hasIndex && (typeof id === 'string' || typeof id === 'number');
  if (typeof text === 'string' || Array.isArray(set) || hasId) return undefined;
  return hasIndex ? 'it has neither a text, a set nor an id' : 'it has neither a text nor a set';
}
