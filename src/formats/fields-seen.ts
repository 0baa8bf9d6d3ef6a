/** A JSON file in which a field was looked for in vain → the fields its first records do have. */
import { readBytes, withoutMark } from './bytes.ts';
import { type InputFile, STANDARD_INPUT } from './find/inputs.ts';
import { JsonArraySplitter } from './json/json-array.ts';
import { LineSplitter } from './json/lines.ts';
import { isObject } from './json/read.ts';
import { formats } from './registry.ts';

const RECORDS = 100;
const LONGEST_RECORD = 2 ** 20;

/** In order of appearance. Standard input is gone once it was read: it gives none. */
export async function fieldsSeen(file: InputFile): Promise<string[]> {
  const { path, stored = path, format } = file;
  if (stored === STANDARD_INPUT || !formats[format].isJson) return [];
  return [...new Set((await firstRecords(file)).flatMap(Object.keys))];
}

async function firstRecords(file: InputFile): Promise<object[]> {
  const splitter = formats[file.format].isLines
    ? new LineSplitter(LONGEST_RECORD)
    : new JsonArraySplitter(LONGEST_RECORD);
  const records: object[] = [];
  for await (const chunk of withoutMark(readBytes(file))) {
    for (const { bytes } of splitter.push(chunk)) records.push(...objectIn(bytes));
    if (records.length >= RECORDS) return records.slice(0, RECORDS);
  }
  for (const { bytes } of splitter.end().records) records.push(...objectIn(bytes));
  return records;
}

function objectIn(bytes: Uint8Array | undefined): object[] {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isObject(value) ? [value] : [];
  } catch {
    return []; // it was rejected before
  }
}
