/** A kind of collection → its own kind of boilerplate: passages that contain parts, forms to fill in, features and terms that most sets have. */
import type { Random } from './random.ts';

/** A text, or the elements of a set. */
type Content = string | readonly string[];

const [PASSAGE, BLOCK] = [150, 50];
const passage = wordsOf('boiler', PASSAGE);
const long = wordsOf('weighty', 300);
const blocks = Array.from({ length: 12 }, (_, block) => wordsOf(`block${block}x`, BLOCK));
const labels = ['surname', 'given names', 'street and number', 'postal code and town', 'date of birth', 'telephone'];
const remark = 'please fill in this field in block letters and leave the box at the side free for the office';

export const kindCorpora = {
  /** All have the same 150 words, which are at most two thirds of each. */
  passage: aroundPassage,
  /** Half of them; the others are cuttings from the passage, contained in all of these. */
  parts(random): string {
    if (random.below(2) === 0) return aroundPassage(random);
    const start = random.below(50);
    return passage.slice(start, start + 75 + random.below(25)).join(' ');
  },
  /** Four of twelve passages of 50 words, and 30 words of their own. */
  mosaic(random) {
    const chosen = Array.from({ length: 4 }, () => random.pick(blocks)).flat();
    return [...chosen, ...own(random, 30)].join(' ');
  },
  /** 300 words that all have decide most bits of a SimHash; 50 to 90 of their own. */
  weighty: random => [...long, ...own(random, 50 + random.below(40))].join(' '),
  /** About 1 KB, of which the values are a third: edit similarity to one another some 0.75. */
  form: random => labels.map(label => `${label} ${remark} ${own(random, 5).join(' ')}`).join('\n'),
  /** Eighteen features of which most products have most, and eight of thousands. */
  products(random): readonly string[] {
    const common = Array.from({ length: 18 }, (_, at) => `feature${at}`).filter(() => random.below(10) > 0);
    return [...common, ...Array.from({ length: 8 }, () => `f${skewed(random, 5000)}`)];
  },
  /** Forty terms of every site of a kind, and 25 of a vocabulary in which some are frequent. */
  sites: (random): readonly string[] => [
    ...passage.slice(0, 40),
    ...Array.from({ length: 25 }, () => `t${skewed(random, 20_000)}`),
  ],
} satisfies Record<string, (random: Random) => Content>;

export type KindCorpus = keyof typeof kindCorpora;

function aroundPassage(random: Random): string {
  return [...own(random, 70 + random.below(130)), ...passage, ...own(random, 10)].join(' ');
}

function wordsOf(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${name}${at}`);
}

function own(random: Random, count: number): string[] {
  return Array.from({ length: count }, () => `u${random.below(1e9).toString(36)}${random.below(1e6).toString(36)}`);
}

/** Low numbers come often. */
function skewed(random: Random, bound: number): number {
  return Math.floor(bound ** (random.below(1e6) / 1e6));
}
