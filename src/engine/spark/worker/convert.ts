/** The bytes of one-document files → the lines that stand for them: what the local engines read, as JSON. */
import { decompress } from '../../../formats/compression/decompress.ts';
import type { InputFile } from '../../../formats/find/inputs.ts';
import { isDamage, isReject, tooLarge } from '../../../formats/item.ts';
import { encodeJson } from '../../../formats/json/encode-json.ts';
import { oneDocument } from '../../../formats/one-document.ts';
import type { Reading } from '../../../formats/reading.ts';
import { type RowsOut, rowsIn } from './pipes.ts';
import { kinds } from './plan.ts';

/** What the driver tells of a file, as JSON: its name as the user knows it. Of one that is too large there are no bytes. */
export interface ConvertedFile extends Pick<InputFile, 'path' | 'format' | 'compression'> {
  readonly isTooLarge: boolean;
}

/** Reads `rid file tab base64`; writes `L rid bytes '' line`. A line that begins with REJECTED says why the file is no document. */
export async function convertFiles(reading: Reading, out: RowsOut): Promise<void> {
  for (const { numbers, rest } of rowsIn('convert')) {
    const rid = numbers[0]!;
    out.see(rid);
    const tab = rest.indexOf(9);
    const file: ConvertedFile = JSON.parse(Buffer.from(rest.subarray(0, tab)).toString());
    const bytes = Buffer.from(Buffer.from(rest.subarray(tab + 1)).toString('latin1'), 'base64');
    const { line, size } = await lineOf(file, bytes, reading);
    out.row(kinds.line, rid, size, '', line);
  }
  out.end();
}

async function lineOf(file: ConvertedFile, stored: Uint8Array, reading: Reading) {
  let size = 0;
  const content = async function* () {
    for await (const chunk of contentOf(file, stored)) {
      size += chunk.length;
      yield chunk;
    }
  };
  if (file.isTooLarge) return { line: `${REJECTED}${tooLarge(reading.maxDocument)}`, size };
  const item = await oneDocument(file, content(), reading);
  if (isDamage(item)) throw new Error(`${file.path}: ${item.damage.reason}`);
  return { line: isReject(item) ? `${REJECTED}${item.reject.reason}` : encodeJson(item.record), size };
}

function contentOf({ compression }: ConvertedFile, stored: Uint8Array): AsyncIterable<Uint8Array> {
  const open = async function* () {
    yield stored;
  };
  return compression === 'none' ? open() : decompress({ compression, open });
}

/** No JSON begins so. */
export const REJECTED = '!';
