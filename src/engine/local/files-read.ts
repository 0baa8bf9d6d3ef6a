/** Linked documents → what reading the files met: rejects, repeated ids, fields that no document has. */
import type { Reject } from '../../formats/item.ts';
import type { FilesRead, ReadReject } from '../files.ts';
import type { LinkedDocuments } from './link-documents.ts';
import type { Chunk } from './plan.ts';
import type { SpooledFile } from './spool-inputs.ts';
import { readColumn } from './stage-file.ts';

export function filesRead(
  linked: LinkedDocuments,
  files: readonly SpooledFile[],
  plan: readonly Chunk[],
  {
    fields,
    brokenLinks = [],
  }: { readonly fields: readonly string[]; readonly brokenLinks?: readonly Reject[] | undefined },
): FilesRead {
  const { documents, catalogue } = linked;
  const { protectedCount, repeated } = catalogue;
  let repeatedIds = 0;
  for (let item = protectedCount; item < documents.count; item++) repeatedIds += repeated[item]!;
  const ofChunks = documents.chunks.reduce((sum, { facts }) => sum + facts.rejects, 0);
  const ofFiles = files.reduce((sum, { rejects }) => sum + rejects.length, 0);
  const inputChunks = documents.chunks.filter((_, chunk) => documents.bases[chunk]! >= protectedCount);
  const seen = new Set(inputChunks.flatMap(({ facts }) => facts.fields));
  return {
    documents: documents.count - protectedCount,
    rejects: {
      length: brokenLinks.length + ofChunks + ofFiles,
      *[Symbol.iterator]() {
        yield* brokenLinks;
        for (const { reject } of merged(rejectsOfFiles(files), rejectsOfChunks(linked, files, plan))) yield reject;
      },
    },
    repeatedIds,
    unknownFields: new Set(fields.filter(field => !seen.has(field))),
  };
}

interface Placed {
  readonly file: number;
  /** In the file of lines, from 0. */
  readonly at: number;
  readonly reject: ReadReject;
}

function* rejectsOfFiles(files: readonly SpooledFile[]): Generator<Placed> {
  for (const [file, { rejects }] of files.entries()) for (const { at, reject } of rejects) yield { file, at, reject };
}

function* rejectsOfChunks(
  { documents }: LinkedDocuments,
  files: readonly SpooledFile[],
  plan: readonly Chunk[],
): Generator<Placed> {
  for (const [i, chunk] of documents.chunks.entries()) {
    const pieces = readColumn(chunk, 'rejectPieces', Uint32Array);
    const lines = readColumn(chunk, 'rejectLines', Uint32Array);
    const reasons = readColumn(chunk, 'rejectReasons', Uint32Array);
    for (let j = 0; j < lines.length; j++) {
      const { file } = plan[i]!.pieces[pieces[j]!]!;
      const at = documents.firstLineOf(i, pieces[j]!) + lines[j]!;
      yield { file, at, reject: { ...files[file]!.sourceOf(at), reason: chunk.facts.reasons[reasons[j]!]! } };
    }
  }
}

function inOrder(a: Placed, b: Placed): number {
  return a.file - b.file || a.at - b.at;
}

/** Two lists in order → one; of equals, those of the first list come first. */
function* merged(a: Iterator<Placed>, b: Iterator<Placed>): Generator<Placed> {
  let [x, y] = [a.next(), b.next()];
  while (!x.done || !y.done) {
    if (y.done || (!x.done && inOrder(x.value, y.value) <= 0)) {
      yield x.value;
      x = a.next();
    } else {
      yield y.value;
      y = b.next();
    }
  }
}
