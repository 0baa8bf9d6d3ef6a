/** A result that is a file of its own (a picture, a page) → the disk, whole, or an error that names the file. */
import { openSink } from '../../formats/sink.ts';

export async function writeResult(file: string, content: string): Promise<void> {
  const sink = await openSink(file);
  await sink.write(content);
  await sink.close();
}
