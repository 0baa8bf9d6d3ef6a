/** JSON inputs in which a field was looked for in vain → the fields their first records do have. */
import { readBytes, withoutMark } from '../formats/bytes.ts';
import { type InputFile, STANDARD_INPUT } from '../formats/inputs.ts';
import { JsonArraySplitter } from '../formats/json-array.ts';
import { LineSplitter } from '../formats/lines.ts';

const RECORDS = 100;
const LONGEST_RECORD = 2 ** 20;

/** In order of appearance. Standard input is gone once it was read: it gives none. */
export async function fieldsSeen(files: readonly InputFile[]): Promise<string[]> {
  const seen = new Set<string>();
  for (const file of files.slice(0, 10)) {
    if (file.path === STANDARD_INPUT || (file.format !== 'jsonl' && file.format !== 'json')) continue;
    for (const record of await firstRecords(file)) for (const name of Object.keys(record)) seen.add(name);
  }
  return [...seen];
}

async function firstRecords(file: InputFile): Promise<object[]> {
  const splitter = file.format === 'json' ? new JsonArraySplitter(LONGEST_RECORD) : new LineSplitter(LONGEST_RECORD);
  const records: object[] = [];
  for await (const chunk of withoutMark(readBytes(file))) {
    for (const { bytes } of splitter.push(chunk)) records.push(...objectIn(bytes));
    if (records.length >= RECORDS) return records.slice(0, RECORDS);
  }
  for (const { bytes } of splitter.end().pieces) records.push(...objectIn(bytes));
  return records;
}

function objectIn(bytes: Uint8Array | undefined): object[] {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? [value] : [];
  } catch {
    return []; // it was rejected before
  }
}
