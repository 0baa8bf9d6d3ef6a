/** JSON lines of a file or of standard input → results, each with its line; a line that is no object is a reject. */
import { readBytes, withoutMark } from '../../formats/bytes.ts';
import { BrokenInput } from '../../formats/compression/codec.ts';
import { elementsOf } from '../../formats/fields.ts';
import type { InputFile } from '../../formats/find/inputs.ts';
import type { FileDamage, Reject } from '../../formats/item.ts';
import { LineSplitter } from '../../formats/json/lines.ts';
import { elementTexts, fieldTexts } from '../../formats/json/raw-json.ts';
import { isObject } from '../../formats/json/read.ts';
import type { RawRecord } from '../../formats/splitter.ts';

const UTF_8 = new TextDecoder();
const LONGEST = 64 * 2 ** 20;

/** What a result is compared by. All else of it is in its line, which is written as it came. */
export type ResultLine = {
  /** A character for each byte. */
  readonly line: string;
  readonly id?: unknown;
  readonly text?: unknown;
  readonly set?: unknown;
  /** What was folded before. */
  readonly similar?: unknown;
};

export async function* readResults(
  files: readonly InputFile[],
  onReject: (reject: Reject) => void,
  onDamage: (damage: FileDamage) => void,
): AsyncGenerator<ResultLine> {
  for (const file of files) {
    let [lines, readable] = [0, 0];
    const resultsOf = function* (records: readonly RawRecord[]) {
      for (const { bytes, line } of records) {
        lines = line;
        const result = resultIn(bytes);
        if (typeof result === 'string') onReject({ file: file.path, line, reason: result });
        else if (result) {
          readable++;
          yield result;
        }
      }
    };
    const splitter = new LineSplitter(LONGEST);
    try {
      for await (const chunk of withoutMark(readBytes(file))) yield* resultsOf(splitter.push(chunk));
      yield* resultsOf(splitter.end().records);
    } catch (error) {
      if (!(error instanceof BrokenInput)) throw error;
      onDamage({ file: file.path, line: lines + 1, reason: error.message, readable });
    }
  }
}

/** A result, or why there is none; undefined for a blank line. */
function resultIn(bytes: Uint8Array | undefined): ResultLine | string | undefined {
  if (bytes === undefined) return `too large: over ${LONGEST} bytes`;
  const json = UTF_8.decode(bytes);
  if (json.trim() === '') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return 'not JSON';
  }
  if (!isObject(value)) return 'not an object';
  const { id, text, set, similar } = value;
  const written = fieldTexts(json);
  const folded = () =>
    elementTexts(written.get('similar')!).map(text => ({ line: Buffer.from(text).toString('latin1') }));
  return {
    line: objectIn(bytes),
    // A number counts as the digits it is written with.
    id: typeof id === 'number' ? written.get('id') : id,
    text,
    set: Array.isArray(set) ? elementsOf(set, () => written.get('set')) : set,
    similar: Array.isArray(similar) ? folded() : similar,
  };
}

/** From the first brace to the last. */
function objectIn(bytes: Uint8Array): string {
  const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return line.slice(line.indexOf('{'), line.lastIndexOf('}') + 1);
}
