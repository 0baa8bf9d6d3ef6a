/**
 * Files that are read once, while results are printed or remembered → the same files, with what each is now. An error
 * that reading would end in comes here, before anything is written.
 */
import { asItIsNow, stored } from '../../batch/inputs.ts';
import type { InputOptions } from '../../batch/options.ts';
import type { InputFile } from '../../formats/find/inputs.ts';
import { isDocument } from '../../formats/item.ts';
import { readBatches } from '../../formats/read.ts';
import { formats } from '../../formats/registry.ts';

/** How pipes are treated: read as they come, or copied to a file first if what they hold may be damaged. */
type Pipes = 'stream' | 'copy';

export async function openOnce(files: readonly InputFile[], options: InputOptions, pipes: Pipes): Promise<InputFile[]> {
  const opened: InputFile[] = [];
  for (const file of files) {
    const isChecked = options.strict || (canBreak(file) && options.damaged !== 'skip');
    opened.push((await asItIsNow(file)) ?? (pipes === 'copy' && isChecked ? await stored(file) : file));
  }
  for (const file of opened)
    if (file.identity !== undefined || file.stored !== undefined) await requireReadable(file, options);
  return opened;
}

/** Of plain lines, the first document tells that the file is what it is called; of all else, the end. */
async function requireReadable(file: InputFile, options: InputOptions): Promise<void> {
  const { damaged, strict } = options;
  if (!strict && (damaged === 'skip' || formats[file.format].isOneDocument)) return;
  const isReadToItsEnd = strict || canBreak(file);
  // What HTML says does not matter, and to find out takes time.
  for await (const batch of readBatches([file], { ...options, html: 'never' }))
    if (!isReadToItsEnd && batch.some(isDocument)) return;
}

/** A plain line or text that is cut off looks like any other. */
function canBreak({ format, compression }: InputFile): boolean {
  const { isLines, isOneDocument } = formats[format];
  return compression !== 'none' || !(isLines || isOneDocument);
}
