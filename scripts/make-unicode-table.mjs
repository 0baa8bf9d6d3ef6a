/** Unicode 15.0 character data → src/kernel/unicode-table.ts. Run by hand; a test checks that the committed file is what this makes. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const wordCategories = ['Letter', 'Mark', 'Number'];
const soloScripts = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const SEPARATOR = 0;
const WORD = 1;
const SOLO = 2;

export async function makeUnicodeTable() {
  const kinds = new Uint8Array(0x110000);
  for (const category of wordCategories) {
    for (const { begin, end } of await load(`General_Category/${category}/ranges.mjs`)) kinds.fill(WORD, begin, end);
  }
  for (const script of soloScripts) {
    for (const { begin, end } of await load(`Script/${script}/ranges.mjs`)) {
      for (let codePoint = begin; codePoint < end; codePoint++) if (kinds[codePoint] === WORD) kinds[codePoint] = SOLO;
    }
  }
  kinds['_'.codePointAt(0)] = WORD;
  const lowercase = await load('Simple_Case_Mapping/Lowercase/code-points.mjs');
  return format(runs(kinds, lowercase));
}

async function load(path) {
  return (await import(`@unicode/unicode-15.0.0/${path}`)).default;
}

/** Maximal runs of equal (kind, distance to the lowercase letter), separators left out. */
function runs(kinds, lowercase) {
  const found = [];
  let open;
  for (let codePoint = 0; codePoint <= kinds.length; codePoint++) {
    const kind = kinds[codePoint] ?? SEPARATOR;
    const shift = kind === SEPARATOR ? 0 : (lowercase.get(codePoint) ?? codePoint) - codePoint;
    if (open && open.kind === kind && open.shift === shift) continue;
    if (open && open.kind !== SEPARATOR) found.push({ ...open, length: codePoint - open.start });
    open = { kind, shift, start: codePoint };
  }
  return found;
}

/** Each run is written as: gap to the run before, length, and `kind` or `kind/shift`. */
function format(found) {
  let position = 0;
  const words = found.map(({ kind, shift, start, length }) => {
    const word = `${(start - position).toString(36)} ${length.toString(36)} ${kind}${shift ? `/${shift.toString(36)}` : ''}`;
    position = start + length;
    return word;
  });
  const lines = ['']
    .concat(words)
    .reduce((rows, word) => {
      const row = rows.at(-1);
      if (row && row.length + word.length < 115) rows[rows.length - 1] = `${row},${word}`;
      else if (word) rows.push(word);
      return rows;
    }, [])
    .map(row => `  '${row},' +`);
  lines[lines.length - 1] = lines.at(-1).replace(/,' \+$/, "';");
  return `/** Word characters of Unicode 15.0 and their simple lowercase mapping. Made by scripts/make-unicode-table.mjs. */
// Runs in code point order: gap to the run before, length (base 36), kind (1 in a word, 2 a word by itself),
// and after a slash the distance to the lowercase letter (base 36).
export const UNICODE_RUNS =
${lines.join('\n')}
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../src/kernel/unicode-table.ts', import.meta.url), await makeUnicodeTable());
}
