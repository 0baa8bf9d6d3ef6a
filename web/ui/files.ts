/** What was dropped, or is to be saved. */

/** All files of a drop, those of dropped folders too, by their paths. */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  // Entries must be taken before the first await: the list is emptied after the event.
  const entries = [...transfer.items].map(item => item.webkitGetAsEntry?.() ?? undefined);
  const plain = [...transfer.files];
  if (!entries.some(entry => entry?.isDirectory)) return plain;
  const found = await Promise.all(entries.map((entry, at) => (entry ? filesOf(entry) : plain.slice(at, at + 1))));
  return found.flat();
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [new File([file], entry.fullPath.replace(/^\//, ''), { type: file.type })];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: File[] = [];
  for (;;) {
    // A reader gives at most a hundred entries at a time, and none at the end.
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) return found;
    for (const inner of batch) found.push(...(await filesOf(inner)));
  }
}

export function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
