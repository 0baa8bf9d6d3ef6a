import { describe, expect, it } from 'vitest';
import { differences } from '../similarity/differences.ts';
import { measuresOf } from '../similarity/measures.ts';
import { sharedPassages } from '../similarity/passages.ts';
import { type ComparedPair, comparePage } from './compare-page.ts';

const shingle = { unit: 'word', size: 5 } as const;

function comparisonOf(a: string, b: string, more: Partial<ComparedPair> = {}): ComparedPair {
  return {
    a: { id: 'a.txt', text: a },
    b: { id: 'b.txt', text: b },
    measures: { ...measuresOf(8, 9, 5), editSimilarity: 0.75 },
    estimated: { resemblance: 0.4375, standardError: 0.0438 },
    passages: sharedPassages(a, b, { shingle }),
    options: { shingle, sketch: { kind: 'minhash', size: 128 }, seed: 1, normalise: [] },
    ...more,
  };
}

const speech = 'four score and seven years ago our fathers brought forth';

describe('comparePage', () => {
  it('marks each passage in both texts in one colour, each linked to the other', () => {
    const page = comparePage(comparisonOf(`Then: ${speech}.`, `${speech}!`));
    expect(page).toMatch(/<mark class="c0"><a class="chip c0" id="a1" href="#b1"[^>]*>1<\/a>four score/);
    expect(page).toMatch(/<mark class="c0"><a class="chip c0" id="b1" href="#a1"[^>]*>1<\/a>four score/);
  });

  it('switches between what is shared and what differs, without a script', () => {
    const [a, b] = [`${speech} on monday night`, `${speech} on tuesday night`];
    const passages = sharedPassages(a, b, { shingle });
    const page = comparePage(comparisonOf(a, b, { differences: differences(a, b, passages) }));
    expect(page).toContain(' on</mark> <b class="other">monday</b> night');
    expect(page).toContain(' on</mark> <b class="other">tuesday</b> night');
    expect(page).toContain('id="marks-shared" checked>');
    const versions = comparisonOf(a, b, { measures: measuresOf(10, 10, 9), differences: [] });
    expect(comparePage(versions)).toContain('id="marks-different" checked>');
    expect(comparePage(comparisonOf(a, b))).not.toContain('type="radio"');
  });

  it('heads the page with short names that tell the two apart', () => {
    const named = (a: string, b: string) =>
      /<title>(.*)<\/title>/.exec(
        comparePage(comparisonOf(speech, speech, { a: { id: a, text: speech }, b: { id: b, text: speech } })),
      )![1];
    expect(named('/srv/crawl/old/page.html', '/srv/crawl/new/page.html')).toBe(
      'old/page.html and new/page.html compared',
    );
    expect(named('/srv/draft.txt', '/home/final.txt')).toBe('draft.txt and final.txt compared');
    expect(named('x', 'x')).toBe('x and x compared');
    expect(named(`${'a'.repeat(200)}1`, `${'a'.repeat(200)}2`)!.length).toBeLessThan(200);
  });

  it('gives the exact values unrounded, and the estimate with its standard error', () => {
    const page = comparePage(comparisonOf(speech, speech));
    expect(page).toContain(String(5 / 12));
    expect(page).toContain('<b>0.4375</b> ± 0.0438');
    expect(page).toContain('0.5 standard errors off');
    expect(page).toContain('Edit similarity');
    const { measures, estimated, ...rest } = comparisonOf(speech, speech);
    const bare = comparePage({ ...rest, measures: measuresOf(8, 9, 5) });
    expect(bare).not.toContain('Edit similarity');
    expect(bare).not.toContain('estimated</th>');
  });

  it('never lets a text or an id become markup', () => {
    const attack = `</style><script>alert(1)</script><img src=x onerror="alert(2)"> ${speech} '"><svg onload=alert(3)>`;
    const page = comparePage(
      comparisonOf(attack, attack, { a: { id: attack, text: attack }, options: { seed: attack } }),
    );
    expect(page).not.toMatch(/<script|<img|<svg onload/i);
    expect(page.match(/<\/style>/g)).toHaveLength(1);
  });

  it('allows no script and nothing to be loaded', () => {
    const page = comparePage(comparisonOf(speech, speech));
    expect(page).toContain(`http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;;`);
    expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<style'));
    expect(page).not.toMatch(/<script|<link|<iframe|url\(|\ssrc=/);
    for (const [, address] of page.matchAll(/href="([^"]*)"/g)) expect(address).toMatch(/^#[ab]\d+$/);
  });

  it('has a target for every link, also where b says once what a says twice', () => {
    const page = comparePage(comparisonOf(`${speech} x ${speech} y ${speech} brought`, `z ${speech} z`));
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id!);
    expect(new Set(ids).size).toBe(ids.length);
    const links = [...page.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id!);
    expect(links.length).toBeGreaterThan(6);
    for (const link of links) expect(ids).toContain(link);
  });

  it('loses and doubles no character of a text, folded or overlapped', () => {
    const long = Array.from({ length: 900 }, (_, at) => `word${at}`).join(' ');
    const other = Array.from({ length: 400 }, (_, at) => `other${at}`).join(' ');
    const a = `${other}\n\n${long} <&> 🐟 ${speech}`;
    const b = `${speech} ${long} ${speech}`;
    const page = comparePage(comparisonOf(a, b));
    expect(page).toContain('characters without a match');
    expect(page).toContain('more shared characters');
    expect(textOfColumn(page, 'a')).toBe(a);
    expect(textOfColumn(page, 'b')).toBe(b);
  });

  it('stays small when the texts are huge', () => {
    const a = 'left '.repeat(120_000) + speech;
    const b = speech + ' right'.repeat(120_000);
    const page = comparePage(comparisonOf(a, b));
    expect(page.length).toBeLessThan(100_000);
    expect(page).toContain('characters without a match, left out of this page');
  });

  it('marks the longest of very many passages and says so', () => {
    const text = 'abcdefghi '.repeat(3000);
    const passages = Array.from({ length: 3000 }, (_, at) => {
      const range = [at * 10, at * 10 + (at % 3 === 0 ? 2 : 9)] as const;
      return { a: range, b: range };
    });
    const page = comparePage(comparisonOf(text, text, { passages }));
    expect(page).toContain('The 2,000 longest passages are marked; 1,000 shorter ones are not.');
    expect(page).toContain('id="b2000"');
    expect(page).not.toContain('>ab</mark>');
  });

  it('says so when there is no text, no passage, nothing shared', () => {
    const page = comparePage(comparisonOf('', 'something else', { measures: measuresOf(0, 1, 0) }));
    expect(page).toContain('There is no text.');
    expect(page).toContain('No run of words as long as a shingle is in both.');
    expect(page).toContain('no shingle in common');
  });

  it('shows options as users write them', () => {
    const page = comparePage(comparisonOf(speech, speech));
    expect(page).toContain(
      '<code>shingle word:5</code> · <code>sketch minhash:128</code> · <code>seed 1</code></footer>',
    );
  });

  it('does not round a share to all or nothing', () => {
    const page = comparePage(comparisonOf(speech, speech, { measures: measuresOf(100_000, 100_001, 100_000) }));
    expect(page).toContain('more than 99.9\u00a0%');
  });
});

/** What a browser would copy out of a column: chips cannot be selected, summaries are no text of the document. */
function textOfColumn(page: string, side: 'a' | 'b'): string {
  const column = page.split(`aria-label="Text of ${side.toUpperCase()}">`)[1]!.split('</div></section>')[0]!;
  return column
    .replace(/<a class="chip[^>]*>\d+<\/a>|<summary>[^<]*<\/summary>/g, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
