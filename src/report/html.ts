/** Values → HTML that is safe by construction: whatever is put into a template is text, unless it is HTML already. */

export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
}

/** What a template takes; lists are joined, undefined and false leave nothing. */
export type HtmlValue = Html | string | number | false | undefined | readonly HtmlValue[];

/** Text goes between tags or into attributes in double quotes, nowhere else: no scripts, no styles, no URLs from outside. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let markup = parts[0]!;
  values.forEach((value, at) => {
    markup += markupOf(value) + parts[at + 1]!;
  });
  return new Html(markup);
}

function markupOf(value: HtmlValue): string {
  if (value instanceof Html) return value.markup;
  if (typeof value === 'string') return escapeText(value);
  if (typeof value === 'number') return String(value);
  return Array.isArray(value) ? value.map(markupOf).join('') : '';
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control characters have no place in HTML: they are shown as their pictures (␀ …), half surrogate pairs as �. */
export function escapeText(text: string): string {
  return text.replace(special, letter => {
    const code = letter.charCodeAt(0);
    return entities[letter] ?? (code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\ufffd');
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const special = /[&<>"'\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\p{Surrogate}/gu;
