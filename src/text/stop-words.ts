/** Language → its stop words: the words so common that they say nothing about a text. */
import * as stopword from 'stopword';
import { fail } from '../errors.ts';

const lists: Readonly<Record<string, unknown>> = stopword;

/** The package names its lists by three-letter codes; people write two. */
export const languages: Readonly<Record<string, string>> = {
  af: 'afr',
  ar: 'ara',
  bg: 'bul',
  bn: 'ben',
  br: 'bre',
  ca: 'cat',
  cs: 'ces',
  da: 'dan',
  de: 'deu',
  el: 'ell',
  en: 'eng',
  eo: 'epo',
  es: 'spa',
  et: 'est',
  eu: 'eus',
  fa: 'fas',
  fi: 'fin',
  fr: 'fra',
  ga: 'gle',
  gl: 'glg',
  gu: 'guj',
  ha: 'hau',
  he: 'heb',
  hi: 'hin',
  hr: 'hrv',
  hu: 'hun',
  hy: 'hye',
  id: 'ind',
  it: 'ita',
  ja: 'jpn',
  ko: 'kor',
  ku: 'kur',
  la: 'lat',
  lt: 'lit',
  lv: 'lav',
  mr: 'mar',
  ms: 'msa',
  my: 'mya',
  nb: 'nob',
  nl: 'nld',
  no: 'nob',
  pa: 'panGu',
  pl: 'pol',
  pt: 'por',
  ro: 'ron',
  ru: 'rus',
  sk: 'slk',
  sl: 'slv',
  so: 'som',
  st: 'sot',
  sv: 'swe',
  sw: 'swa',
  th: 'tha',
  tl: 'tgl',
  tr: 'tur',
  uk: 'ukr',
  ur: 'urd',
  vi: 'vie',
  yo: 'yor',
  zh: 'zho',
  zu: 'zul',
};

export function stopWordsOf(language: string): readonly string[] {
  const list: unknown = Object.hasOwn(languages, language) ? lists[languages[language]!] : undefined;
  if (Array.isArray(list)) return list;
  const expected = `stopwords:LANGUAGE, LANGUAGE one of ${Object.keys(languages).join(', ')}`;
  return fail('BAD_OPTION', { option: 'normalise', expected, got: `stopwords:${language}` });
}
