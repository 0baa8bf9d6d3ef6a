/** Linked documents → what reading the files met: rejects, damage, repeated ids, fields that no document has. */
import type { FileDamage, ReadOptions, Reject } from '../../../formats/item.ts';
import { failOnNoDocument, RejectTally } from '../../../formats/no-document.ts';
import type { FilesRead } from '../../engine.ts';
import type { Chunk } from '../plan/plan.ts';
import type { SpooledFile } from '../plan/spool-inputs.ts';
import { readColumn } from '../storage/stage-file.ts';
import type { LinkedDocuments } from './link-documents.ts';

/** What is known before the files are read. */
interface Expected {
  /** Those that the options name. */
  readonly fields: readonly string[];
  /** The files that are none of the reference set. */
  readonly inputs: readonly SpooledFile[];
  readonly brokenLinks?: readonly Reject[] | undefined;
}

export function filesRead(
  linked: LinkedDocuments,
  files: readonly SpooledFile[],
  plan: readonly Chunk[],
  { fields, inputs, brokenLinks = [] }: Expected,
): FilesRead {
  const { documents, catalogue } = linked;
  const { protectedCount, repeated } = catalogue;
  let repeatedIds = 0;
  for (let item = protectedCount; item < documents.count; item++) repeatedIds += repeated[item]!;
  const ofChunks = documents.chunks.reduce((sum, { facts }) => sum + facts.rejects, 0);
  const inputChunks = documents.chunks.filter((_, chunk) => documents.bases[chunk]! >= protectedCount);
  const seen = new Set(inputChunks.flatMap(({ facts }) => facts.fields));
  return {
    documents: documents.count - protectedCount,
    rejects: {
      length: brokenLinks.length + ofChunks,
      *[Symbol.iterator]() {
        yield* brokenLinks;
        for (const reject of rejectsOfChunks(linked, files, plan)) yield reject;
      },
    },
    damages: damagesOf(linked, files, plan),
    repeatedIds,
    contentBytes: inputs.reduce((sum, { contentBytes }) => sum + contentBytes, 0),
    unknownFields: new Set(fields.filter(field => !seen.has(field))),
  };
}

/** Of the lines of one input, the documents before the damage are counted only now. */
function damagesOf(
  { documents }: LinkedDocuments,
  files: readonly SpooledFile[],
  plan: readonly Chunk[],
): FileDamage[] {
  const counts = countsOf(documents.chunks, files, plan);
  return files.flatMap(({ damages, input }, file) =>
    input === undefined ? damages : damages.map(damage => ({ ...damage, readable: counts[file]!.documents })),
  );
}

/** As `readBatches` does for the files that went through it: those of which every line was rejected end the run. */
export async function requireDocuments(
  linked: LinkedDocuments,
  files: readonly SpooledFile[],
  plan: readonly Chunk[],
  reading: ReadOptions,
): Promise<void> {
  for (const [file, { documents, rejects }] of countsOf(linked.documents.chunks, files, plan).entries()) {
    const { input } = files[file]!;
    if (input === undefined || documents > 0 || rejects === 0) continue;
    const tally = new RejectTally();
    for (const reject of rejectsOfChunks(linked, files, plan, file)) tally.add(reject);
    await failOnNoDocument(input, tally, reading);
  }
}

interface FileCounts {
  documents: number;
  rejects: number;
}

function countsOf(
  chunks: LinkedDocuments['documents']['chunks'],
  files: readonly SpooledFile[],
  plan: readonly Chunk[],
): FileCounts[] {
  const counts = files.map(() => ({ documents: 0, rejects: 0 }));
  for (const [i, { facts }] of chunks.entries())
    for (const [piece, { documents, rejects }] of facts.pieces.entries()) {
      const ofFile = counts[plan[i]!.pieces[piece]!.file]!;
      ofFile.documents += documents;
      ofFile.rejects += rejects;
    }
  return counts;
}

/** There may be millions: each is made when it is asked for. */
function* rejectsOfChunks(
  { documents }: LinkedDocuments,
  files: readonly SpooledFile[],
  plan: readonly Chunk[],
  onlyOf?: number,
): Generator<Reject> {
  for (const [i, chunk] of documents.chunks.entries()) {
    const lines = readColumn(chunk, 'rejectLines', Uint32Array);
    const reasons = readColumn(chunk, 'rejectReasons', Uint32Array);
    let start = 0;
    for (const [piece, { rejects }] of chunk.facts.pieces.entries()) {
      const { file: place } = plan[i]!.pieces[piece]!;
      const firstLine = documents.firstLineOf(i, piece);
      const [first, end] = [start, start + rejects];
      start = end;
      if (onlyOf !== undefined && place !== onlyOf) continue;
      for (let j = first; j < end; j++) {
        const { file, line } = files[place]!.sourceOf(firstLine + lines[j]!);
        yield { file, line, reason: chunk.facts.reasons[reasons[j]!]! };
      }
    }
  }
}
