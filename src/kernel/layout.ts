/** Numbers of the kernel → what its hosts call them: kinds of lines and values, sinks. The record of a line is in record.ts. */
import type { LineKind, LineSketch, ValueKind } from './contract.ts';
import { HEADER_WORDS } from './record.ts';

/** In the order of record.ts; a blank line has no record. */
export const lineKinds: readonly (LineKind | undefined)[] = [
  'document',
  undefined,
  'not JSON',
  'not an object',
  'nested too deeply',
];
export const valueKinds: readonly ValueKind[] = ['missing', 'string', 'number', 'literal', 'object', 'array'];

/** kernel/sinks.ts */
export const sinks = { none: 0, minhash: 1, oph: 2, keep: 3 } as const satisfies Record<LineSketch | 'keep', number>;

/** Bytes before the sketch. */
export const RECORD_HEADER = 4 * HEADER_WORDS;

/** kernel/json.ts: bytes kept for each name. */
export const NAME_ROOM = 256;

export const units = { word: 0, char: 1 } as const;

/** Vectors are loaded past the end of the input: that much must be there. */
export const SLACK = 128;
