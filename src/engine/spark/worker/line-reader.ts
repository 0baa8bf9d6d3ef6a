/** A numbered line → the document it holds, or why it holds none: as it is in the input, or as a one-document file was written. */
import type { FieldRules } from '../../../formats/fields.ts';
import { type DocumentItem, isReject, type RejectItem, rejectItem } from '../../../formats/item.ts';
import { readJsonLine } from '../../../formats/json/read.ts';
import type { Document } from '../../../model.ts';
import { withoutText } from '../../analyse/content.ts';
import { REJECTED } from './convert.ts';
import type { WorkerPlan } from './plan.ts';

/** Where a document is from is known to the driver: it counts lines. */
const NOWHERE = { file: '', line: 0 };
const MARK = REJECTED.charCodeAt(0);

export interface LineReader {
  isConverted(rid: number): boolean;
  /** Undefined where the line is blank. */
  item(rid: number, line: Uint8Array): DocumentItem | RejectItem | undefined;
  /** Of a line that was found to be one. */
  document(rid: number, line: Uint8Array): Document;
}

export function lineReader({ reading, converted }: WorkerPlan, fields: FieldRules): LineReader {
  const isConverted = (rid: number) => converted.some(([from, to]) => rid >= from && rid < to);
  const item = (rid: number, line: Uint8Array) => {
    if (!isConverted(rid)) return readJsonLine(line, NOWHERE, fields) as DocumentItem | RejectItem | undefined;
    if (line[0] === MARK) return rejectItem(NOWHERE, Buffer.from(line.subarray(1)).toString());
    return readJsonLine(line, NOWHERE, ofFiles) as DocumentItem | RejectItem | undefined;
  };
  return {
    isConverted,
    item,
    document(rid, line) {
      const found = item(rid, line);
      if (found === undefined || isReject(found)) throw new Error(`line ${rid} was a document before`);
      return reading.setField === undefined ? found.document : withoutText(found.document);
    },
  };
}

/** As `oneDocument` writes them; HTML is text there. */
const ofFiles: FieldRules = { textField: 'text', idField: 'id', html: 'never' };
