/** The steps of `--normalise`, and the languages of those that have one. */

/**
 * Here, and not only with their word lists in text/: a misspelt language is found before anything is loaded, help names
 * them all, and the compiler checks them.
 */
export const normaliseLanguages = {
  stopwords: words(
    'af ar bg bn br ca cs da de el en eo es et eu fa fi fr ga gl gu ha he hi hr hu hy id it ja ko ku la lt lv mr ms my nb nl no pa pl pt ro ru sk sl so st sv sw th tl tr uk ur vi yo zh zu',
  ),
  stem: words('en ar ca cs da de es eu fi fr ga hu hy it nb nl no pt ro ru sl sv ta tr'),
} as const;

export const plainSteps = ['nfc', 'nfkc', 'keep-case', 'strip-digits', 'strip-accents'] as const;

/** One step that a text goes through before it is split into words. */
export type NormaliseStep =
  | (typeof plainSteps)[number]
  | `stopwords:${(typeof normaliseLanguages.stopwords)[number]}`
  | `stem:${(typeof normaliseLanguages.stem)[number]}`;

export const normaliseSteps: readonly NormaliseStep[] = [
  ...plainSteps,
  ...normaliseLanguages.stopwords.map(language => `stopwords:${language}` as const),
  ...normaliseLanguages.stem.map(language => `stem:${language}` as const),
];

/** Steps separated by commas. The compiler checks the first one; all are checked when they are read. */
export type NormaliseList = '' | NormaliseStep | `${NormaliseStep},${string}`;

/** `'a b'` → `'a' | 'b'`. What was found is carried along, so that the compiler goes through a list of any length. */
type WordIn<Text extends string, Found = never> = Text extends `${infer First} ${infer Rest}`
  ? WordIn<Rest, Found | First>
  : Found | Text;

function words<const Text extends string>(text: Text): readonly WordIn<Text>[] {
  return text.split(' ') as WordIn<Text>[];
}
