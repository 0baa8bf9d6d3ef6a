/** The worked examples of the lectures that the method is taught by, each with a second text to compare with. */

export interface Example {
  readonly name: string;
  readonly a: string;
  readonly b: string;
  /** Words in a shingle. */
  readonly k: number;
}

export const examples: Readonly<Record<string, Example>> = {
  fish: {
    name: 'Tropical fish',
    a: 'Tropical fish include fish found in tropical environments around the world, including both freshwater and salt water species.',
    b: 'Tropical fish include fish found in warm environments around the world, including both freshwater and salt water species.',
    k: 3,
  },
  rose: { name: 'A rose is a rose', a: 'a rose is a rose is a rose', b: 'a rose is a flower is a rose', k: 4 },
  speech: {
    name: 'Four score',
    a: 'Four score and seven years ago, our founding',
    b: 'Four score and seven years ago, our fathers',
    k: 4,
  },
};

/** Queries and the addresses that were clicked for them: sets that are no texts. */
export const clicks: readonly { readonly query: string; readonly urls: readonly string[] }[] = [
  { query: 'cheap flights', urls: ['fly.example', 'air.example/deals', 'low.example', 'trip.example'] },
  { query: 'low cost flights', urls: ['air.example/deals', 'low.example', 'trip.example', 'budget.example'] },
  { query: 'weekend trips', urls: ['trip.example', 'city.example', 'hotel.example'] },
  { query: 'chess openings', urls: ['chess.example', 'board.example/openings'] },
];

/** A document, a version of it, and a version of the version. */
export const chainWords =
  'the quick brown fox jumps over the lazy dog and runs far away into the deep dark green forest'.split(' ');
export const otherWords =
  'one small grey mouse sits under an old tree then looks back home across a wide cold blue river'.split(' ');
