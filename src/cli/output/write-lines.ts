/** Lines and records that come one by one → standard output, no faster than they are taken there, or a file. */
import { once } from 'node:events';
import { listFormat } from '../../batch/outputs.ts';
import { writeItems, writeList } from '../../batch/write-list.ts';
import type { WriterSettings } from '../../formats/loaders.ts';
import { STANDARD_OUTPUT } from '../../formats/sink.ts';
import type { Io } from '../app/io.ts';

/** A million documents piped into something slow must not wait in memory. */
export async function writeLines(
  { stdout }: Pick<Io, 'stdout'>,
  lines: () => AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  for await (const line of lines()) if (!stdout.write(`${line}\n`)) await once(stdout, 'drain');
}

/**
 * Records, in groups that come together → JSON lines on standard output, a group to a write as soon as it is there; or a file (`-o`),
 * which may be of another format, and appears whole.
 */
export async function writeRecords(
  io: Pick<Io, 'stdout'>,
  output: string,
  groups: () => AsyncIterable<readonly object[]>,
  settings: WriterSettings,
): Promise<void> {
  if (output !== STANDARD_OUTPUT) return writeList(output, listFormat('-o', output), each(groups()), settings);
  for await (const group of groups()) {
    const lines = group.map(record => `${JSON.stringify(record)}\n`).join('');
    if (!io.stdout.write(lines)) await once(io.stdout, 'drain');
  }
}

async function* each(groups: AsyncIterable<readonly object[]>): AsyncGenerator<object> {
  for await (const group of groups) for (const record of group) yield record;
}

/** The same of objects that are JSON text already, which are written as they are. */
export async function writeJsonTexts(
  io: Pick<Io, 'stdout'>,
  output: string,
  texts: () => Iterable<Uint8Array>,
  settings: WriterSettings,
): Promise<void> {
  const asWritable = (raw: Uint8Array) => ({ record: {}, raw, format: 'jsonl' }) as const;
  if (output !== STANDARD_OUTPUT) return writeItems(output, listFormat('-o', output), texts(), asWritable, settings);
  for (const text of texts()) {
    io.stdout.write(text);
    if (!io.stdout.write('\n')) await once(io.stdout, 'drain');
  }
}
