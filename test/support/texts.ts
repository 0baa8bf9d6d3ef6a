/** Random documents for property tests: many scripts, all planes, awkward lengths, and real text. */
import fc from 'fast-check';
import licences from 'spdx-license-list/full.js';

/** Ranges with letters of many scripts, with and without case, marks, digits, and scripts written without spaces. */
const scripts: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0xa0, 0x24f],
  [0x370, 0x3ff],
  [0x400, 0x52f],
  [0x531, 0x58f],
  [0x5d0, 0x5ea],
  [0x600, 0x6ff],
  [0x900, 0x97f],
  [0xe00, 0xe5b],
  [0xe80, 0xedf],
  [0x1000, 0x109f],
  [0x10a0, 0x10ff],
  [0x13a0, 0x13ff],
  [0x1780, 0x17ff],
  [0x1e00, 0x1fff],
  [0x2000, 0x206f],
  [0x2100, 0x218f],
  [0x2c00, 0x2c7f],
  [0x3000, 0x30ff],
  [0x4e00, 0x4e80],
  [0xa640, 0xa69f],
  [0xab70, 0xabbf],
  [0xac00, 0xac80],
  [0xff00, 0xffef],
  [0x10400, 0x1044f],
  [0x1e900, 0x1e95f],
  [0x1f600, 0x1f64f],
  [0x20000, 0x20080],
];

const inScript = fc.oneof(
  ...scripts.map(([low, high]) => fc.array(fc.integer({ min: low, max: high }), { maxLength: 12 })),
);
const anywhere = fc.array(
  fc.integer({ min: 0, max: 0x10ffff }).filter(codePoint => codePoint < 0xd800 || codePoint > 0xdfff),
  { maxLength: 8 },
);
const separators = fc.constantFrom(' ', '  ', '\n', '\t', ', ', '. ', '_', '-', '\u3000', '\0', '\ud800', '');

/** A text of runs in different scripts, with separators of many kinds between them. */
export const randomText = fc
  .array(fc.tuple(fc.oneof({ weight: 4, arbitrary: inScript }, anywhere), separators), { maxLength: 40 })
  .map(runs => runs.map(([codePoints, separator]) => String.fromCodePoint(...codePoints) + separator).join(''));

/** Bytes that are nearly UTF-8: a valid text with some bytes replaced, dropped or put in. */
export const damagedBytes = fc
  .tuple(randomText, fc.array(fc.tuple(fc.nat(), fc.nat(255), fc.nat(2)), { maxLength: 8 }), fc.nat(7))
  .map(([text, edits, cut]) => {
    const bytes = [...new TextEncoder().encode(text)];
    for (const [place, byte, kind] of edits)
      bytes.splice(place % (bytes.length + 1), kind === 0 ? 0 : 1, ...(kind === 1 ? [] : [byte]));
    return Uint8Array.from(bytes.slice(0, Math.max(0, bytes.length - cut)));
  });

/** Real text: licences of SPDX, spread over the list, in many styles and some languages. */
export function licenceTexts(count: number): string[] {
  const texts = Object.values(licences).map(({ licenseText }) => licenseText);
  const step = Math.max(1, Math.floor(texts.length / count));
  return texts.filter((_, i) => i % step === 0).slice(0, count);
}
