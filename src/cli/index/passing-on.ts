/** Documents one by one → a file or standard output; those of a batch are there before anything else happens. */

import type { Written } from '../../batch/write-documents.ts';
import { fail } from '../../errors.ts';
import { commonFormat, type InputFile } from '../../formats/find/inputs.ts';
import type { DocumentItem, OtherRecord } from '../../formats/item.ts';
import { outputFormat, readName } from '../../formats/name.ts';
import { type Format, formats } from '../../formats/registry.ts';
import { openSinkInPlace, STANDARD_OUTPUT } from '../../formats/sink.ts';
import { writerInto } from '../../formats/write.ts';
import { createMutex } from '../../store/mutex.ts';
import { HeldRecords } from './held-records.ts';

interface PassingOn {
  /** Called with everything that is read, in input order. */
  onRead(item: DocumentItem): void;
  onOther(record: OtherRecord): Promise<void>;
  passOn(item: DocumentItem): Promise<void>;
  /**
   * Resolves when the operating system has all that was passed on: what waits in the memory of this process would be lost with it.
   * In a file it survives a power cut.
   */
  sync(): Promise<void>;
  leaveOut(item: DocumentItem): Promise<void>;
  close(): Promise<void>;
  /** What became of records that are no documents. */
  others(): Written;
  /** What was passed on stays; a file that has nothing of it goes. */
  abort(): Promise<void>;
}

/** As the documents came if all came alike, else as JSON lines: other formats cannot be written before all is known. */
export function passedOnAs(output: string, inputs: readonly InputFile[]): Format {
  const common = commonFormat(inputs);
  const format = outputFormat(output, formats[common].needsFile ? 'jsonl' : common);
  const isStream = formats[format].isLines || (format === common && !formats[format].needsFile);
  if (!isStream || output.endsWith('/') || readName(output).compression !== 'none')
    fail('BAD_COMBINATION', {
      what: `-o ${output}`,
      why: 'documents are passed on one by one, as they came or as JSON lines, and not compressed',
    });
  return format;
}

export async function openPassingOn(output: string, format: Format): Promise<PassingOn> {
  const sink = await openSinkInPlace(output);
  const path = output === STANDARD_OUTPUT ? 'standard output' : output;
  const writer = await writerInto({ path, format, sink, compression: 'none' });
  // Documents are decided on while the next records are read: both write.
  const inTurn = createMutex();
  const held = writer.writeOther && new HeldRecords(writer.writeOther);
  let leftOut = 0;
  let isSynced = true;
  return {
    onRead: item => held?.readDocument(item),
    onOther: async record => {
      if (held) await inTurn(() => held.readOther(record));
      else leftOut++;
    },
    passOn: item =>
      inTurn(async () => {
        await held?.decide(item, true);
        isSynced = false;
        await writer.write(item);
      }),
    sync: () =>
      inTurn(async () => {
        if (isSynced) return;
        await sink.flush();
        await sink.sync();
        isSynced = true;
      }),
    leaveOut: item =>
      inTurn(async () => {
        writer.leaveOut?.(item);
        await held?.decide(item, false);
      }),
    close: () =>
      inTurn(async () => {
        await held?.end();
        await writer.close();
      }),
    others: () =>
      held ? { otherRecords: { written: held.written, removed: held.removed } } : { otherRecordsLeftOut: leftOut },
    abort: () => sink.abort(),
  };
}
