/** Numbers and options → as pages write them. */
import { type Html, html } from './html.ts';

/** 1234567 → 1.2M: what stands at a bar is no wider than it. */
export function shortCount(count: number): string {
  const [unit, letter] = count < 1000 ? [1, ''] : count < 1e6 ? [1e3, 'k'] : count < 1e9 ? [1e6, 'M'] : [1e9, 'G'];
  const value = count / unit;
  return `${value < 10 && unit > 1 ? value.toFixed(1).replace(/\.0$/, '') : Math.floor(value)}${letter}`;
}

/** Never 100 % or 0 % by rounding: a reader takes those for all and nothing. */
export function percent(share: number): string {
  const rounded = (100 * share).toFixed(1);
  if (share < 1 && rounded === '100.0') return 'more than 99.9\u00a0%';
  if (share > 0 && rounded === '0.0') return 'less than 0.1\u00a0%';
  return `${rounded.replace(/\.0$/, '')}\u00a0%`;
}

/** Each as `name value`; those without a value are left out. */
export function optionsText(options: Readonly<Record<string, unknown>>): Html[] {
  const given = Object.entries(options).filter(([, value]) => plain(value) !== '');
  return given.map(([name, value], at) => html`${at > 0 && ' · '}<code>${name} ${plain(value)}</code>`);
}

/** Specifications as users write them: `word:5`, `minhash:128`. */
function plain(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return Object.values(value)
    .map(plain)
    .join(Array.isArray(value) ? ',' : ':');
}
