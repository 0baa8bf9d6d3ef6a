/**
 * The record of a line, as the kernel writes it (kernel/lines.ts) and its hosts read it: places of 32-bit words. AssemblyScript
 * compiles this file, too, so both sides have the same numbers.
 *
 *    0 start   1 length   2 kind (LINE_…)   3 words        4 … 7 content hash, low word first
 *    8 kind of the text   9 shingles, repeats included    10 kind of the id   11 its start   12 its end
 *   13 number of the line      14 15 hash of the id       16 17 bytes of the text
 *   18 number of keys          20 … sketch (32 bits each), or keys (64 bits each)
 */
export const START = 0;
export const LENGTH = 1;
export const KIND = 2;
export const WORDS = 3;
export const CONTENT = 4;
export const TEXT_KIND = 8;
export const SHINGLES = 9;
export const ID_KIND = 10;
export const ID_START = 11;
export const ID_END = 12;
export const LINE = 13;
export const ID_HASH = 14;
export const TEXT_BYTES = 16;
export const KEYS = 18;
/** Words before the sketch. */
export const HEADER_WORDS = 20;

/** What a line is. A blank one has no record. */
export const LINE_OK = 0;
export const LINE_BLANK = 1;
export const LINE_NOT_JSON = 2;
export const LINE_NOT_OBJECT = 3;
export const LINE_TOO_DEEP = 4;

/** What a value is. */
export const MISSING = 0;
export const STRING = 1;
export const NUMBER = 2;
export const LITERAL = 3;
export const OBJECT = 4;
export const ARRAY = 5;
