/** The packages of this folder that come without types. */
declare module 'stopword';

declare module 'snowball-stemmers' {
  export function newStemmer(algorithm: string): { stem(word: string): string };
}
