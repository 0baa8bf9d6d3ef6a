/** A pattern with alternatives, `{a,b}` or `{1..9}` → the patterns it stands for. */

/** One after the other, as `{a,b}{a,b}…` stands for very many. What is no list and no range stays as it is. */
export function* expandBraces(pattern: string): Generator<string> {
  for (let start = pattern.indexOf('{'); start >= 0; start = pattern.indexOf('{', start + 1)) {
    if (isEscaped(pattern, start)) continue;
    const found = alternativesAt(pattern, start);
    if (!found) continue;
    const head = pattern.slice(0, start);
    for (const alternative of found.alternatives)
      for (const one of expandBraces(alternative))
        for (const rest of expandBraces(pattern.slice(found.end))) yield head + one + rest;
    return;
  }
  yield pattern;
}

function isEscaped(pattern: string, at: number): boolean {
  let slashes = 0;
  while (pattern[at - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

/** `end` is behind the closing brace. */
function alternativesAt(pattern: string, start: number): { alternatives: Iterable<string>; end: number } | undefined {
  const commas: number[] = [];
  let depth = 0;
  for (let at = start; at < pattern.length; at++) {
    const letter = pattern[at];
    if (letter === '\\') at++;
    else if (letter === '{') depth++;
    else if (letter === ',' && depth === 1) commas.push(at);
    else if (letter === '}' && --depth === 0) {
      const end = at + 1;
      if (commas.length === 0) {
        const alternatives = rangeOf(pattern.slice(start + 1, at));
        return alternatives && { alternatives, end };
      }
      const ends = [...commas, at];
      const alternatives = ends.map((to, i) => pattern.slice((ends[i - 1] ?? start) + 1, to));
      return { alternatives, end };
    }
  }
  return undefined;
}

/** `1..9`, `01..10` (with the zeros) or `a..f`. */
function rangeOf(text: string): Iterable<string> | undefined {
  const numbers = /^(\d{1,9})\.\.(\d{1,9})$/.exec(text);
  if (numbers) {
    const [, from, to] = numbers as unknown as [string, string, string];
    const width = /^0\d|\.\.0\d/.test(text) ? Math.max(from.length, to.length) : 0;
    return counted(Number(from), Number(to), number => String(number).padStart(width, '0'));
  }
  const [, from, to] = /^([a-zA-Z])\.\.([a-zA-Z])$/.exec(text) ?? [];
  if (from === undefined) return undefined;
  return counted(from.charCodeAt(0), to!.charCodeAt(0), code => String.fromCharCode(code));
}

function* counted(from: number, to: number, write: (number: number) => string): Generator<string> {
  const step = from <= to ? 1 : -1;
  for (let number = from; number !== to + step; number += step) yield write(number);
}
