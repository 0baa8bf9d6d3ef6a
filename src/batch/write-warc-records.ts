/** Decisions and WARC files → the records that stay, in input order: documents, and all others but those that go with a removed document. */

import { failOnChange } from '../files/unchanged.ts';
import type { OtherRecord } from '../formats/item.ts';
import { Captures, linksOf } from '../formats/warc/links.ts';
import type { DocumentWriter } from '../formats/writer.ts';
import { type AgainRequest, readFileAgain } from './read-again.ts';

/** Records of WARC files that are no documents. */
export interface OtherRecords {
  readonly written: number;
  /** Requests and metadata of documents that were removed. */
  readonly removed: number;
}

/** Each file is read twice: a request may stand before the response that it goes with. */
export async function writeWarcRecords(request: AgainRequest, writer: DocumentWriter): Promise<OtherRecords> {
  const { inputs, decided } = request;
  // Records are written as they are, so nothing is to be made of their HTML.
  const reading = { ...request.reading, html: 'never' } as const;
  let [written, removed] = [0, 0];
  let number = decided.protectedCount;
  for (const [at, { path }] of inputs.entries()) {
    const captures = new Captures();
    for await (const { item, stays } of readFileAgain({ ...request, reading }, at, number))
      captures.note(linksOf(item.raw!), stays);
    const brokenAt = decided.read.damages.find(({ file }) => file === path)?.line;
    const onOther = async (record: OtherRecord) => {
      // A large one is given before its end is seen.
      if (record.source.line === brokenAt) return;
      const goes = captures.fateOf(linksOf(record.head)) === 'goes';
      if (!goes) await writer.writeOther!(record);
      if (goes) removed++;
      else written++;
    };
    for await (const { item, stays } of readFileAgain({ ...request, reading: { ...reading, onOther } }, at, number)) {
      if (stays) await writer.write(item);
      number++;
    }
  }
  if (number !== decided.keptBy.length) failOnChange(inputs.at(-1)!.path);
  return { written, removed };
}
