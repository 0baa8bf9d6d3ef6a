/** Documents → the records that `sketch` writes: sketches, or minima under a permutation that is written out. */

import { Losses, type Messages } from '../../batch/losses.ts';
import type { Sketcher } from '../../engine/sketcher.ts';
import { fail, NeardupError } from '../../errors.ts';
import type { Fields } from '../../formats/item.ts';
import { hex64 } from '../../similarity/fingerprint.ts';
import { encodeSketch } from '../../sketch/binary.ts';
import { createPermutation, firstInOrdering, permuteByTable } from '../../sketch/permutation.ts';
import type { Sketch } from '../../sketch/sketch.ts';
import { metaSketch } from '../../sketch/super-shingles.ts';
import type { InputDocument } from '../input/read-inputs.ts';
import type { SketchFlags } from './sketch-flags.ts';

/** A set that cannot be permuted (of words, where numbers are wanted) is noted, and the next one is taken. */
export async function* sketchRecords(
  items: AsyncIterable<InputDocument>,
  sketcher: Sketcher,
  flags: SketchFlags,
  io: Messages,
): AsyncGenerator<Fields> {
  const recordsOf = recordMaker(sketcher, flags);
  const losses = new Losses(io);
  losses.show();
  for await (const document of items) {
    try {
      yield* recordsOf(document).map(record => ({ id: document.id, ...record }));
    } catch (error) {
      if (!(error instanceof NeardupError) || error.code !== 'BAD_DOCUMENT') throw error;
      losses.add({ ...document.source, reason: error.message });
    }
  }
  losses.end();
}

type RecordMaker = (document: InputDocument) => Fields[];

function recordMaker(sketcher: Sketcher, flags: SketchFlags): RecordMaker {
  const { ordering, permutation, blackBox } = flags;
  if (ordering) return document => [byOrderings(document, ordering)];
  if (permutation) return document => permutation.map(table => byTable(document, table));
  if (blackBox !== undefined) return document => [byBlackBox(document, blackBox, sketcher.options.seed)];
  return document => [ofSketch(sketcher.sketch(document), flags)];
}

/** 32-bit values as numbers; 64-bit ones, which JSON numbers cannot hold, as 16 hex digits. */
function ofSketch(sketch: Sketch, { binary, meta }: SketchFlags): Fields {
  const cut = meta !== undefined && sketch.kind === 'super' ? withMeta(sketch, meta) : sketch;
  if (binary) return { sketch: Buffer.from(encodeSketch(cut)).toString('base64') };
  const { kind, size, values, ...rest } = cut;
  const readable = values instanceof Uint32Array ? Array.from(values) : Array.from(values, hex64);
  return { kind, size, ...rest, values: readable };
}

function withMeta(sketch: Extract<Sketch, { kind: 'bottom' | 'mod' | 'super' }>, size: number): Sketch {
  return { ...sketch, values: metaSketch(sketch.values, size) };
}

/** A MinHash sketch by hand: one ordering is one permutation, and the first element is its minimum. */
function byOrderings({ set = [] }: InputDocument, orderings: readonly (readonly string[])[]): Fields {
  const elements = set.map(String);
  const values = orderings.map(ordering => firstInOrdering(elements, ordering) ?? null);
  return { kind: 'ordering', size: orderings.length, values };
}

function byTable({ set = [] }: InputDocument, table: readonly number[]): Fields {
  const permuted = permuteByTable(new Set(set.map(element => Number(wholeNumber(element)))), table);
  return { kind: 'permutation', size: table.length, permuted, minimum: permuted[0] ?? null };
}

function byBlackBox({ set = [] }: InputDocument, index: number, seed: number): Fields {
  const permutation = createPermutation(index, seed);
  const images = [...new Set(set.map(wholeNumber))].map(permutation.apply);
  const permuted = images.map(hex64).sort();
  return { kind: 'black-box', size: 1, index, seed, permuted, minimum: permuted[0] ?? null };
}

function wholeNumber(element: string | number): bigint {
  const isWhole = typeof element === 'number' ? Number.isSafeInteger(element) : /^\d{1,20}$/.test(element);
  const value = isWhole ? BigInt(element) : -1n;
  if (value >= 0n && value < 2n ** 64n) return value;
  return fail('BAD_DOCUMENT', { reason: `${JSON.stringify(element)} is not a whole number of at most 64 bits` });
}
