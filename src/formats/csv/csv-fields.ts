/** One record of CSV or TSV ↔ its fields (RFC 4180; a quote inside a plain field is a quote). */

export const delimiters = { csv: ',', tsv: '\t' } as const;

export function parseRecord(record: string, delimiter: string): string[] {
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    const field = record[at] === '"' ? quotedField(record, at, delimiter) : plainField(record, at, delimiter);
    fields.push(field.value);
    if (field.end >= record.length) return fields;
    at = field.end + 1;
  }
}

export function formatRecord(cells: readonly string[], delimiter: string): string {
  // A single empty cell would read as a blank line.
  if (cells.length === 1 && cells[0] === '') return '""';
  return cells.map(cell => quoteIfNeeded(cell, delimiter)).join(delimiter);
}

function plainField(record: string, start: number, delimiter: string): { value: string; end: number } {
  const found = record.indexOf(delimiter, start);
  const end = found === -1 ? record.length : found;
  return { value: record.slice(start, end), end };
}

function quotedField(record: string, start: number, delimiter: string): { value: string; end: number } {
  let value = '';
  for (let at = start + 1; ; ) {
    const quote = record.indexOf('"', at);
    if (quote === -1) return { value: value + record.slice(at), end: record.length };
    value += record.slice(at, quote);
    if (record[quote + 1] !== '"') {
      // What follows the closing quote before the delimiter is a mistake; it is kept rather than lost.
      const rest = plainField(record, quote + 1, delimiter);
      return { value: value + rest.value, end: rest.end };
    }
    value += '"';
    at = quote + 2;
  }
}

function quoteIfNeeded(cell: string, delimiter: string): string {
  const isPlain = !cell.includes(delimiter) && !/["\r\n]/.test(cell);
  return isPlain ? cell : `"${cell.replaceAll('"', '""')}"`;
}
