/** Numbers, sizes and foreign strings → as pages write them. */

const commas = new Intl.NumberFormat('en-US');

export function withCommas(count: number): string {
  return commas.format(count);
}

export function many(count: number, thing: string): string {
  return `${withCommas(count)} ${thing}${count === 1 ? '' : 's'}`;
}

/** Never 1 or 0 by rounding. */
export function rounded(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return Math.min(0.9999, Math.max(0.0001, value)).toFixed(4);
}

/** Never 100 % or 0 % by rounding: a reader takes those for all and nothing. */
export function percent(share: number): string {
  const text = (100 * share).toFixed(1);
  if (share < 1 && text === '100.0') return 'more than 99.9\u00a0%';
  if (share > 0 && text === '0.0') return 'less than 0.1\u00a0%';
  return `${text.replace(/\.0$/, '')}\u00a0%`;
}

/** 1234567 → 1.2M */
export function shortCount(count: number): string {
  const [unit, letter] = count < 1000 ? [1, ''] : count < 1e6 ? [1e3, 'k'] : count < 1e9 ? [1e6, 'M'] : [1e9, 'G'];
  const value = count / unit;
  return `${value < 10 && unit > 1 ? value.toFixed(1).replace(/\.0$/, '') : Math.floor(value)}${letter}`;
}

export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} KB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** A probability, with as many digits as tell something. */
export function probability(value: number): string {
  if (value === 0 || value === 1) return String(value);
  if (value < 0.001) return value.toExponential(1);
  if (value <= 0.999) return value.toFixed(3);
  return value < 0.999999 ? value.toFixed(6) : `1 − ${(1 - value).toExponential(1)}`;
}

/** An id is shown up to here: it may be as long as a book. */
const MOST_LETTERS = 200;

/** Cut in the middle: ids of a cluster often begin alike. */
export function inTheMiddle(text: string, most: number): string {
  if (text.length <= most) return onOneLine(text);
  const head = Math.floor((most - 1) / 3);
  return `${onOneLine(text.slice(0, head), head)}…${onOneLine(text.slice(text.length - (most - 1 - head)))}`;
}

/** On one line, without what would turn the order of letters around. */
export function onOneLine(text: string, most = MOST_LETTERS): string {
  const cut = text.length > most ? `${text.slice(0, most)}…` : text;
  return cut
    .replace(/[\t\n\r]/g, letter => JSON.stringify(letter).slice(1, -1))
    .replace(/[\p{Bidi_Control}\p{Cc}]/gu, '\ufffd');
}
