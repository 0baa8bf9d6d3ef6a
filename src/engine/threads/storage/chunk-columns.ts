/** Documents of a chunk, one by one → the file of what the first pass learns of them. No object or string is kept for one. */
import type { KeepSpec } from '../../../model.ts';
import { numberIn } from '../../../similarity/numbering.ts';
import { bytesColumn, numbersColumn, wordsColumn } from '../../decide/columns.ts';
import { keepValue } from '../../decide/keep-order.ts';
import { createKeyedItems, families, keyedItemColumns, type StartsOf } from './keyed-items.ts';
import type { LineKernel } from './line-kernel.ts';
import { type StageFile, writeStage } from './stage-file.ts';

/**
 * Columns, one value for each document: `starts` and `lengths` of its line in its file, `lines` (from 0, in its piece),
 * `idStarts` (into `idBytes`: the id as JSON without its last quote, nothing if it is absent; one more at the end), `textLengths`,
 * `sizes` of sets (for containment only), `keepKinds`, `keepNumbers`, `keepStarts` (into `keepBytes`; only when a
 * field decides). For each reject: `rejectLines` (from 0, in its piece), `rejectReasons` (into the reasons of the facts).
 */
export interface ChunkFacts {
  readonly count: number;
  readonly pieces: readonly PieceFacts[];
  readonly reasons: readonly string[];
  readonly rejects: number;
  /** Where the parts of the keyed items start. */
  readonly starts: StartsOf;
  /** Which of the fields that the options name some document has. */
  readonly fields: readonly string[];
}

export interface PieceFacts {
  readonly firstItem: number;
  readonly documents: number;
  readonly rejects: number;
  /** Blank and rejected ones included. */
  readonly lines: number;
}

/** What `kernel/take.ts` writes. */
export interface TakenColumns {
  readonly starts: Float64Array;
  readonly lengths: Uint32Array;
  readonly lines: Uint32Array;
  readonly textLengths: Uint32Array;
  readonly idStarts: Uint32Array;
  readonly idBytes: Uint8Array;
  readonly ids: Uint32Array;
  readonly contents: Uint32Array;
  readonly keys: Uint32Array;
}

export type ChunkFile = StageFile<ChunkFacts>;

export class ChunkColumns {
  readonly keyedItems = createKeyedItems();
  readonly idBytes = bytesColumn();
  readonly sizes = wordsColumn();
  readonly fields = new Set<string>();
  readonly #starts = numbersColumn();
  readonly #lengths = wordsColumn();
  readonly #lines = wordsColumn();
  readonly #textLengths = wordsColumn();
  readonly #idStarts = wordsColumn();
  readonly #keep = { kinds: bytesColumn(), numbers: numbersColumn(), starts: wordsColumn(), bytes: bytesColumn() };
  readonly #rejects = { lines: wordsColumn(), reasons: wordsColumn() };
  /** Reason → its number. */
  readonly #reasons = new Map<string, number>();
  readonly #pieces: PieceFacts[] = [];
  #firstItem = 0;
  #firstReject = 0;

  /** For the next chunk; the room stays. */
  clear(): void {
    for (const family of families) this.keyedItems[family].clear();
    const { kinds, numbers, starts, bytes } = this.#keep;
    const { lines, reasons } = this.#rejects;
    const ofDocuments = [this.#starts, this.#lengths, this.#lines, this.#textLengths, this.#idStarts];
    const others = [this.idBytes, this.sizes, kinds, numbers, starts, bytes, lines, reasons];
    for (const column of [...ofDocuments, ...others]) column.length = 0;
    this.fields.clear();
    this.#reasons.clear();
    this.#pieces.length = 0;
    this.#firstItem = 0;
    this.#firstReject = 0;
  }

  /** The number of the document that is added next. */
  get count(): number {
    return this.#starts.length;
  }

  /** Its id, content and keys are to follow. */
  addDocument(start: number, length: number, line: number, textLength: number): void {
    this.#starts.push(start);
    this.#lengths.push(length);
    this.#lines.push(line);
    this.#textLengths.push(textLength);
    this.#idStarts.push(this.idBytes.length);
  }

  /** Documents that the kernel has taken. */
  addTaken(taken: TakenColumns): void {
    this.#starts.append(taken.starts);
    this.#lengths.append(taken.lengths);
    this.#lines.append(taken.lines);
    this.#textLengths.append(taken.textLengths);
    this.#idStarts.append(taken.idStarts);
    this.idBytes.append(taken.idBytes);
    this.keyedItems.ids.append(taken.ids);
    this.keyedItems.contents.append(taken.contents);
    this.keyedItems.keys.append(taken.keys);
  }

  addKeepValue(keep: KeepSpec, value: unknown): void {
    const { kind, number, text } = keepValue(keep, value);
    const { kinds, numbers, starts, bytes } = this.#keep;
    kinds.push(kind);
    numbers.push(number);
    starts.push(bytes.length);
    if (text !== '') bytes.append(Buffer.from(text));
  }

  addReject(line: number, reason: string): void {
    this.#rejects.lines.push(line);
    this.#rejects.reasons.push(numberIn(this.#reasons, reason));
  }

  endPiece(lines: number): void {
    const [firstItem, rejects] = [this.#firstItem, this.#rejects.lines.length];
    const documents = this.count - firstItem;
    this.#pieces.push({ firstItem, documents, rejects: rejects - this.#firstReject, lines });
    this.#firstItem = this.count;
    this.#firstReject = rejects;
  }

  /** By way of the kernel's memory. */
  write(path: string, lines: LineKernel): ChunkFile {
    const { columns, starts } = keyedItemColumns(this.keyedItems, lines);
    this.#idStarts.push(this.idBytes.length);
    this.#keep.starts.push(this.#keep.bytes.length);
    const facts = {
      count: this.#starts.length,
      pieces: [...this.#pieces],
      reasons: [...this.#reasons.keys()],
      rejects: this.#rejects.lines.length,
      starts,
      fields: [...this.fields],
    };
    const written = {
      ...columns,
      starts: this.#starts.used(),
      lengths: this.#lengths.used(),
      lines: this.#lines.used(),
      textLengths: this.#textLengths.used(),
      idStarts: this.#idStarts.used(),
      idBytes: this.idBytes.used(),
      sizes: this.sizes.used(),
      keepKinds: this.#keep.kinds.used(),
      keepNumbers: this.#keep.numbers.used(),
      keepStarts: this.#keep.starts.used(),
      keepBytes: this.#keep.bytes.used(),
      rejectLines: this.#rejects.lines.used(),
      rejectReasons: this.#rejects.reasons.used(),
    };
    return writeStage(path, written, facts);
  }
}
