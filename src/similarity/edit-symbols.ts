/** Two texts → arrays of code points without the ends they share, and UTF-16 strings for libraries that know no code points. */
import type { Symbols } from '../kernel/edit-kernel.ts';

/** One symbol a code point; 16 bits each unless a text has characters outside the Basic Multilingual Plane. */
export function symbolsOf(text: string): Symbols {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) {
    units[at] = text.charCodeAt(at);
    if ((units[at]! & 0xf800) === 0xd800) return Uint32Array.from(text, letter => letter.codePointAt(0)!);
  }
  return units;
}

/** What a and b have in common at both ends has no part in their distance. */
export function withoutSharedEnds(a: Symbols, b: Symbols): [Symbols, Symbols] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [a.subarray(start, a.length - end), b.subarray(start, b.length - end)];
}

/**
 * Strings of one UTF-16 unit a symbol, equal where the symbols are equal; undefined when the two texts have more
 * different symbols than there are units.
 */
export function asUnitStrings(a: Symbols, b: Symbols): [string, string] | undefined {
  if (a instanceof Uint16Array && b instanceof Uint16Array) return [unitString(a), unitString(b)];
  const units = new Map<number, number>();
  for (const symbols of [a, b]) {
    for (const symbol of symbols) if (!units.has(symbol)) units.set(symbol, units.size);
  }
  if (units.size > 0x10000) return undefined;
  const remap = (symbols: Symbols) => unitString(Uint16Array.from(symbols, symbol => units.get(symbol)!));
  return [remap(a), remap(b)];
}

function unitString(units: Uint16Array): string {
  let text = '';
  // Spread arguments live on the stack: 8,192 at a time fits it anywhere.
  for (let at = 0; at < units.length; at += 8192) text += String.fromCharCode(...units.subarray(at, at + 8192));
  return text;
}
