import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bandCurve } from '../lsh/curve.ts';
import type { Cluster, Removal } from '../model.ts';
import type { PairView } from './pair-view.ts';
import { type RunReport, runPage } from './run-page.ts';
import { runScript } from './run-script.ts';
import { selectOfRun } from './run-selection.ts';

const near = (id: string, keptId: string, resemblance: number): Removal => ({
  id,
  keptId,
  relation: 'near',
  resemblance,
  containment: 0.95,
  cluster: keptId,
});
const copy = (id: string, keptId: string): Removal => ({
  ...near(id, keptId, 1),
  relation: 'exact',
  containment: 1,
});
const clusterOf = (representative: string, removed: readonly Removal[]): Cluster => ({
  cluster: representative,
  representative,
  size: removed.length + 1,
  members: [representative, ...removed.map(({ id }) => id)],
  minResemblance: Math.min(...removed.map(({ resemblance }) => resemblance!)),
});

function reportOf(removed: readonly Removal[], clusters: readonly Cluster[], more: Partial<RunReport> = {}): RunReport {
  const exact = removed.filter(({ relation }) => relation === 'exact').length;
  return {
    figures: {
      documents: 1000,
      kept: 1000 - removed.length,
      removed: removed.length,
      exact,
      near: removed.length - exact,
      contained: 0,
      clusters: clusters.length,
      rejected: more.rejects?.length ?? 0,
      seconds: 2,
      bytes: 12_345_678,
    },
    threshold: 0.8,
    isEstimated: false,
    isMarked: false,
    options: { threshold: 0.8, shingle: 'word:5' },
    inputs: ['data/corpus.jsonl'],
    reference: [],
    version: '1.2.3',
    date: new Date(Date.UTC(2026, 0, 2, 3, 4, 5)),
    selection: selectOfRun(removed, clusters, removed.length),
    curve: {
      title: '25 bands of 5 rows',
      description: 'rises',
      curves: [{ label: 'bands', curve: bandCurve(25, 5) }],
      mark: { similarity: 0.8, label: 'threshold 0.8' },
      probability: 'probability',
    },
    recall: ['A pair at the threshold is found.'],
    rejects: [],
    damages: [],
    repeatedIds: 0,
    ...more,
  };
}

const few = [near('b', 'a', 0.8125), copy('c', 'a')];
const page = runPage(reportOf(few, [clusterOf('a', few)]));

describe('runPage', () => {
  it('says what was run, when, by which version, and what came out', () => {
    expect(page).toContain('<title>Near-duplicates in corpus.jsonl</title>');
    expect(page).toContain('<strong>2</strong> of 1,000 documents (0.2\u00a0%) were removed; 998 stay.');
    for (const [name, value] of [
      ['documents', '1,000'],
      ['kept', '998'],
      ['removed', '2'],
      ['exact', '1'],
      ['near', '1'],
      ['contained', '0'],
      ['clusters', '1'],
      ['rejected', '0'],
      ['seconds', '2.0'],
      ['MB', '12.3'],
      ['MB/s', '6.2'],
    ])
      expect(page).toContain(`<dt>${name}</dt><dd>${value}</dd>`);
    expect(page).toContain('neardup 1.2.3 on <time datetime="2026-01-02T03:04:05.000Z">2026-01-02 03:04 UTC</time>');
    expect(page).toContain('<bdi>data/corpus.jsonl</bdi>');
    expect(page).toContain('<code>threshold 0.8</code> · <code>shingle word:5</code>');
    expect(page).toContain('A pair at the threshold is found.');
    expect(page).toContain('>0.999951</text>');
  });

  it('shows each member of a cluster with its relation and values, unrounded where one points', () => {
    expect(page).toContain(
      '<summary><span class="size">3</span><span class="least">least 0.8125</span><bdi>a</bdi></summary>',
    );
    expect(page).toMatch(
      /<span class="relation near">near<\/span><span class="number" title="0.8125">0.8125<\/span><span class="ids"><bdi>b<\/bdi>/,
    );
    expect(page).toMatch(
      /<span class="relation exact">exact<\/span><span class="number" title="1">1<\/span><span class="ids"><bdi>c<\/bdi>/,
    );
    expect(page).toContain('containment <b title="0.95">0.9500</b>');
  });

  it('counts the removals of each resemblance and the clusters of each size', () => {
    expect(page).toContain('<title>0.81 – 0.82: 0 exact, 1 near, 0 contained</title>');
    expect(page).toContain('<title>1: 1 exact, 0 near, 0 contained</title>');
    expect(page).toContain('<title>3–4: 1 clusters</title>');
  });

  it('never lets an id, a file, a reason or an option become markup', () => {
    const attack = `</style></title><script>alert(1)</script><img src=x onerror="alert(2)"> '"><svg onload=alert(3)>`;
    const removed = [near(attack, `${attack}2`, 0.9)];
    const hostile = runPage(
      reportOf(removed, [clusterOf(`${attack}2`, removed)], {
        inputs: [attack],
        reference: [attack],
        options: { by: attack },
        version: attack,
        recall: [attack],
        rejects: [{ file: attack, line: 1, reason: attack }],
      }),
    );
    expect(hostile.replace(`<script>${runScript}</script>`, '')).not.toMatch(/<\/?script|<img|<svg onload/i);
    expect(hostile.match(/<\/style>/g)).toHaveLength(1);
    // One in the head, the others are of bars and curves.
    expect(hostile.indexOf('</title>')).toBeLessThan(hostile.indexOf('<style'));
  });

  it('allows no script but its own and nothing to be loaded, and has no link', () => {
    const digest = createHash('sha256').update(runScript).digest('base64');
    expect(page).toContain(
      `http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; script-src &#39;sha256-${digest}&#39;; style-src`,
    );
    const { length } = page;
    const withoutScript = page.replace(`<script>${runScript}</script>`, '');
    expect(withoutScript.length).toBeLessThan(length);
    expect(withoutScript).not.toMatch(/<script|<link|<iframe|url\(|\ssrc=|href=/);
    expect(page.match(/https?:[^"]*/g)).toEqual(['http://www.w3.org/2000/svg']);
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('closes every element it opens', () => {
    const open = ['html', 'head'];
    const markup = page
      .split('</style>')[1]!
      .replace(/<script>[\s\S]*<\/script>/, '')
      .replace(/<input[^>]*>/g, '');
    for (const [, end, name, rest] of markup.matchAll(/<(\/?)([a-z0-9]+)((?:[^>"]|"[^"]*")*)>/g)) {
      if (end) expect(open.pop()).toBe(name);
      else if (!rest!.endsWith('/')) open.push(name!);
    }
    expect(open).toEqual([]);
  });

  it('shows ids on one line, cut when they are long, and obeys no mark that turns letters around', () => {
    const removed = [near('a\n\tb\u202etxt', 'kept', 0.9), near('x'.repeat(5000), 'kept', 0.9), near('', 'kept', 0.9)];
    const odd = runPage(reportOf(removed, [clusterOf('kept', removed)]));
    expect(odd).toContain('<bdi>a\\n\\tb\ufffdtxt</bdi>');
    expect(odd).toContain(`<bdi>${'x'.repeat(160)}</bdi>… <i class="empty">5,000 characters</i>`);
    expect(odd).toContain('<i class="empty">empty</i>');
  });

  it('stays as small for a million removals as for some hundreds', () => {
    const removals = function* (): Generator<Removal> {
      for (let item = 0; item < 1_000_000; item++) yield near(`d${item}`, `k${item % 1000}`, 0.8 + (item % 200) / 1000);
    };
    const clusters = function* (): Generator<Cluster> {
      for (let kept = 0; kept < 1000; kept++) {
        const members = Array.from({ length: 1001 }, (_, at) => (at === 0 ? `k${kept}` : `d${kept + 1000 * (at - 1)}`));
        yield { cluster: `k${kept}`, representative: `k${kept}`, size: 1001, members, minResemblance: 0.8 };
      }
    };
    const { figures, ...rest } = reportOf([], []);
    const rejects = Array.from({ length: 100_000 }, (_, at) => ({ file: 'f', line: at + 1, reason: 'not JSON' }));
    const huge = runPage({
      ...rest,
      figures: {
        ...figures,
        documents: 2_000_000,
        removed: 1_000_000,
        near: 1_000_000,
        clusters: 1000,
        rejected: 100_000,
      },
      inputs: Array.from({ length: 5000 }, (_, at) => `file-${at}`),
      selection: selectOfRun(removals(), clusters(), 1_000_000),
      rejects,
    });
    expect(huge.length).toBeLessThan(400_000);
    expect(huge).toContain('50 of 1,000, largest first.');
    expect(huge).toContain('… and 980 more, not on this page');
    expect(huge).toContain('25 of 1,000,000, at equal distances in input order.');
    expect(huge).toContain('… and 99,950 more, not on this page');
    expect(huge).toContain('… and 4,980 more');
  });

  it('shows where two texts differ, both texts of the closest, and what two sets have', () => {
    const removed = [near('b', 'a', 0.8125), copy('c', 'a'), near('s', 'a', 0.9)];
    const column = { text: 'one two', passages: [{ number: 1, start: 0, end: 3 }], more: 5 };
    const views: Readonly<Record<string, (whole: boolean) => PairView>> = {
      b: whole =>
        whole
          ? { kind: 'columns', a: { ...column, differences: [[4, 7]] }, b: { ...column, differences: [] } }
          : {
              kind: 'hunks',
              hunks: [{ before: 'we met ', removed: 'monday', kept: 'friday', after: '!' }],
              more: true,
            },
      c: () => ({ kind: 'equal', text: 'begins', length: 100 }),
      s: () => ({
        kind: 'sets',
        shared: { shown: ['x'], count: 7 },
        a: { shown: [], count: 0 },
        b: { shown: ['<y>'], count: 1 },
      }),
    };
    const shown = runPage(
      reportOf(removed, [clusterOf('a', removed)], {
        readPair: ({ id }, whole) => ({ view: views[id]!(whole), contents: [`${id}1`, 'a1'] }),
      }),
    );
    expect(shown).toContain('we met <del>monday</del><ins>friday</ins>!');
    expect(shown).toMatch(
      /<mark class="c0"><a class="chip c0" id="p\d+a1"[^>]*>1<\/a>one<\/mark> <b class="other">two<\/b>/,
    );
    expect(shown).toContain('begins<i class="empty"> … 94 more characters</i>');
    expect(shown).toContain('<dt>only kept: 1</dt><dd><code dir="auto">&lt;y&gt;</code> </dd>');
    expect(shown).toContain('… and 6 more');
    expect(shown).toContain(`data-pair="[&quot;b&quot;,&quot;a&quot;,[&quot;b1&quot;,&quot;a1&quot;]]"`);
    const ids = [...shown.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('explains near with resemblance 1', () => {
    const removed = [near('b', 'a', 1)];
    const alike = runPage(reportOf(removed, [clusterOf('a', removed)]));
    expect(alike).toContain('1 <i>near</i> with resemblance 1: same shingles');
    expect(alike).toContain('Same shingles, another text');
    expect(page).not.toMatch(/[Ss]ame shingles/);
  });

  it('draws heights by their logarithm where one bar would hide the others, and only there', () => {
    const removed = [near('b', 'a', 0.85), ...Array.from({ length: 500 }, (_, at) => copy(`c${at}`, 'a'))];
    const steep = runPage(reportOf(removed, [clusterOf('a', removed)]));
    expect(steep).toContain('aria-label="Removed documents by resemblance, logarithmic"');
    expect(steep).toContain('aria-label="Removed documents by resemblance"');
    expect(page).not.toContain('logarithmic');
  });

  it('keeps under 5 MB when every id and every text is as hostile and as long as it may be', () => {
    const id = (at: number) => `${at}${'"'.repeat(990)}`;
    const removed = Array.from({ length: 1000 }, (_, at) => near(id(at), id(2000 + (at % 50)), 0.9));
    const clusters = Array.from({ length: 50 }, (_, at) =>
      clusterOf(
        id(2000 + at),
        removed.filter((_, place) => place % 50 === at),
      ),
    );
    const text = '<'.repeat(3000);
    const column = { text, passages: [], differences: [[0, 3000] as const], more: 0 };
    const hostile = runPage(
      reportOf(removed, clusters, {
        readPair: (_, whole) => ({
          view: whole ? { kind: 'columns', a: column, b: column } : { kind: 'equal', text, length: text.length },
          contents: ['0'.repeat(32), '0'.repeat(32)],
        }),
      }),
    );
    expect(Buffer.byteLength(hostile)).toBeLessThan(5_000_000);
    expect(hostile).toContain('The texts are left out');
  });

  it('says so when nothing was removed, when there was no document, when all were only marked', () => {
    const none = runPage(reportOf([], []));
    expect(none).toContain('<strong>None</strong> of 1,000 documents is a near-duplicate of another.');
    expect(none).not.toContain('class="histogram"');
    expect(none).toContain('Everything could be read.');
    const empty = reportOf([], []);
    expect(runPage({ ...empty, figures: { ...empty.figures, documents: 0, kept: 0 } })).toContain(
      '<strong>no document</strong>',
    );
    const marked = runPage(reportOf(few, [clusterOf('a', few)], { isMarked: true }));
    expect(marked).toContain('All were written, each marked with its cluster.');
  });

  it('calls estimates estimates', () => {
    const { resemblance: _, containment: __, ...plain } = near('b', 'a', 0.9);
    const removed = [{ ...plain, estimatedResemblance: 0.875 }];
    const estimated = runPage(
      reportOf(removed, [{ ...clusterOf('a', [near('b', 'a', 0.9)]), minEstimatedResemblance: 0.875 }], {
        isEstimated: true,
      }),
    );
    expect(estimated).toContain('estimated resemblance to the kept document');
    expect(estimated).toContain('estimated resemblance <b title="0.875">0.8750</b>');
    expect(estimated).not.toContain('containment <b');
    expect(estimated).toContain('Values are estimates');
  });
});

describe('selectOfRun', () => {
  it('takes the largest clusters, of equal ones the first, and the removals that are least alike', () => {
    const removed = Array.from({ length: 300 }, (_, at) => near(`d${at}`, `k${at % 100}`, 0.99 - at / 2000));
    const clusters = Array.from({ length: 100 }, (_, at) =>
      clusterOf(`k${at}`, [...removed.filter(({ keptId }) => keptId === `k${at}`)]),
    );
    const grown = clusters.with(70, { ...clusters[70]!, size: 9 });
    const { largest, lowest, spread, sizes } = selectOfRun(removed, grown, 300);
    expect(largest.map(({ id }) => id)).toEqual(['k70', ...Array.from({ length: 49 }, (_, at) => `k${at}`)]);
    expect(largest[1]!.members.map(({ id }) => id)).toEqual(['d0', 'd100', 'd200']);
    expect(lowest.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, at) => `d${299 - at}`));
    expect(spread.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, at) => `d${at * 12}`));
    expect(sizes).toEqual([0, 99, 0, 1]);
  });

  it('tells a document of the reference set from one of the inputs that has its id', () => {
    const removed = [near('a', 'a', 0.9), near('b', 'c', 0.85)];
    // The representative `a` is of the reference set; the removed `a` is another document.
    const reference: Cluster = { ...clusterOf('a', [removed[0]!]) };
    const { largest } = selectOfRun(removed, [reference, clusterOf('c', [removed[1]!])], 2);
    expect(largest.map(({ id, members }) => [id, members.map(member => member.id)])).toEqual([
      ['a', ['a']],
      ['c', ['b']],
    ]);
  });

  it('counts 0.29 with those of 0.29, and nothing below 1 as 1', () => {
    const { hundredths } = selectOfRun([near('a', 'k', 0.29), near('b', 'k', 1 - 2 ** -53), copy('c', 'k')], [], 3);
    expect(hundredths[29]!.near).toBe(1);
    expect(hundredths[99]!.near).toBe(1);
    expect(hundredths[100]).toEqual({ exact: 1, near: 0, contained: 0, decided: 0 });
  });
});
