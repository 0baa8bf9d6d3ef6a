/** The examples: each runs with the one command it names, and what it prints is what its data says, counted the plain way. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, 'examples', path), 'utf8');

function run(name: string, ...args: string[]): string {
  const { status, stdout, stderr } = node(name, ...args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThan(160);
  return stdout;
}

function node(name: string, ...args: string[]) {
  return spawnSync(process.execPath, [`examples/${name}.mjs`, ...args], { cwd: root, encoding: 'utf8' });
}

/** The groups of all matches, without the whole. */
function rows(output: string, pattern: RegExp): string[][] {
  return Array.from(output.matchAll(pattern), ([, ...groups]) => groups as string[]);
}

/** Field of ids, field of sets → id → set. */
function setsOf(file: string, idField: string, setField: string): Map<string, Set<string>> {
  const lines = read(file).trim().split('\n');
  return new Map(
    lines.map(line => {
      const record = JSON.parse(line) as Record<string, never>;
      return [record[idField]!, new Set<string>(record[setField])];
    }),
  );
}

function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter(element => b.has(element)).length;
}

function resemblance(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return shared(a, b) / new Set([...a, ...b]).size;
}

/** Id → the others at or above the threshold. */
function neighbours(sets: ReadonlyMap<string, ReadonlySet<string>>, threshold: number): Map<string, string[]> {
  const ids = [...sets.keys()];
  const isNear = (a: string, b: string) => a !== b && resemblance(sets.get(a)!, sets.get(b)!) >= threshold;
  return new Map(ids.map(id => [id, ids.filter(other => isNear(id, other))]));
}

/** Components of two or more, members and components in the order of the data. */
function components(near: ReadonlyMap<string, readonly string[]>): string[][] {
  const reach = (id: string) => {
    const found = new Set([id]);
    for (const one of found) for (const other of near.get(one)!) found.add(other);
    return [...near.keys()].filter(one => found.has(one));
  };
  const all = [...near.keys()].map(reach).filter(({ length }) => length > 1);
  return all.filter((members, at) => all.findIndex(([first]) => first === members[0]) === at);
}

test('every example is in the table, and says at its top how it is run', () => {
  const names = readdirSync(join(root, 'examples')).filter(name => name.endsWith('.mjs'));
  expect(names).toHaveLength(6);
  expect(
    rows(read('README.md'), /^\|.*\| `node examples\/(\S+)` *\|/gm)
      .flat()
      .sort(),
  ).toEqual(names.sort());
  for (const name of names) expect(read(name)).toContain(`\n * Run: node examples/${name}\n`);
});

describe('similar queries', () => {
  const queries = setsOf('similar-queries.jsonl', 'query', 'urls');
  const [suggested, contrasts] = run('similar-queries').split('\nA word in common');

  test('suggests for each query all with the same clicks, best first', () => {
    const expected = [...neighbours(queries, 0.5)].filter(([, others]) => others.length > 0);
    const lines = expected.flatMap(([query, others]) => {
      const value = (other: string) => resemblance(queries.get(query)!, queries.get(other)!);
      const ranked = others.toSorted((one, other) => value(other) - value(one));
      return [query, ...ranked.map(other => `  ${value(other).toFixed(2)}  ${other}`)];
    });
    expect(suggested!.split('\n\n')[1]).toBe(lines.join('\n'));
    expect(lines.slice(0, 3)).toEqual([
      'cheap flights',
      '  0.71  budget airline tickets',
      '  0.57  low cost air travel',
    ]);
    expect(lines.join('\n')).toContain('ball python feeding\n  0.80  what do pet snakes eat\n');
    expect(suggested).toContain(
      'Nothing similar for: weekend city breaks, jaguar xf price, used cars near me, plumber emergency number\n',
    );
  });

  test('tells clicks from words', () => {
    expect(rows(contrasts!, /^ {2}(\d\.\d\d) {2}(.*) \| (.*)$/gm)).toEqual([
      ['0.00', 'jaguar top speed', 'jaguar xf price'],
      ['0.00', 'learn python', 'ball python feeding'],
      ['0.80', 'fix a dripping tap', 'leaking faucet repair'],
    ]);
  });
});

describe('ad coalitions', () => {
  const sites = setsOf('ad-coalitions.jsonl', 'site', 'ips');
  const ring = ['coupon-hunter.example', 'ringtones-4u.example', 'quiz-winner.example', 'star-gossip.example'];
  const fronts = ['win-a-phone.example', 'lucky-spin.example'];
  const output = run('ad-coalitions');

  test('finds the sites that share a pool of machines', () => {
    expect(components(neighbours(sites, 0.5))).toEqual([ring]);
    expect(rows(output, /^ {2}(\S+) +(\d+) addresses$/gm)).toEqual(
      ring.map(site => [site, `${sites.get(site)!.size}`]),
    );
    const all = new Set(ring.flatMap(site => [...sites.get(site)!]));
    const onEach = [...all].filter(ip => ring.every(site => sites.get(site)!.has(ip)));
    expect(output).toContain(`\n  ${onEach.length} of ${all.size} addresses clicked on all 4\n`);
  });

  test('finds the small sites behind it, which hardly resemble it', () => {
    expect(rows(output, /^ {2}(\S+) +(\d\.\d\d) in (\S+), resemblance (\d\.\d\d)$/gm)).toEqual([
      ['win-a-phone.example', '0.92', 'coupon-hunter.example', '0.41'],
      ['lucky-spin.example', '0.90', 'ringtones-4u.example', '0.33'],
    ]);
    const [phone, coupon] = [sites.get('win-a-phone.example')!, sites.get('coupon-hunter.example')!];
    expect(shared(phone, coupon) / phone.size).toBeCloseTo(0.92, 2);
  });

  test('leaves the others alone, and says how near they come', () => {
    const honest = new Map([...sites].filter(([site]) => ![...ring, ...fronts].includes(site)));
    expect(honest.size).toBe(8);
    const values = [...honest].flatMap(([a, ofA]) =>
      [...honest].filter(([b]) => b > a).map(([, ofB]) => resemblance(ofA, ofB)),
    );
    expect(output).toContain(`The other 8 sites share little: at most ${Math.max(...values).toFixed(2)}\n`);
    expect(Math.max(...values)).toBeLessThan(0.1);
  });
});

describe('similar products', () => {
  const products = setsOf('similar-products.jsonl', 'id', 'features');
  const wishes = new Set(['camera', 'waterproof', 'shockproof', 'video:4k']);
  const ranks = (output: string) => rows(output, /^ {2}(\d\.\d\d) +(.+?) {2,}(?=\S)/gm);

  test.each(['Lumen R5', 'Strapcam 4'])('ranks what is like %s', name => {
    const expected = [...products]
      .filter(([id]) => id !== name)
      .map(([id, features]) => ({ id, value: resemblance(products.get(name)!, features) }))
      .sort((one, other) => other.value - one.value)
      .slice(0, 3);
    expect(ranks(run('similar-products', name)).slice(0, 3)).toEqual(
      expected.map(({ id, value }) => [value.toFixed(2), id]),
    );
  });

  test('says what is different, and which products fulfil most wishes', () => {
    const output = run('similar-products');
    expect(output).toContain('  0.71         Halden X2      −resolution:24mp −mount:L +resolution:26mp +mount:H\n');
    const fulfilled = ranks(output).slice(3);
    expect(fulfilled.slice(0, 2)).toEqual([
      ['1.00', 'Strapcam 4'],
      ['0.75', 'Splash'],
    ]);
    for (const [value, id] of fulfilled) expect(shared(wishes, products.get(id!)!) / wishes.size).toBe(Number(value));
    const most = [...products.values()].map(features => shared(wishes, features) / wishes.size).sort();
    expect(fulfilled.map(([value]) => Number(value))).toEqual(most.slice(-3).reverse());
  });

  test('refuses a product that is not in the catalogue', () => {
    const { status, stdout, stderr } = node('similar-products', 'Lumen R6');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^There is no Lumen R6\. There are: Lumen R5, /);
  });
});

describe('site clusters', () => {
  const sites = setsOf('site-clusters.jsonl', 'site', 'terms');
  const [direct, connected] = run('site-clusters')
    .split(/^Each site .*$/m)
    .slice(1);
  const groups = (output: string) => rows(output, /^ {2}(\S.*, .*)$/gm).map(([line]) => line!.split(', '));

  test('makes groups in which each site resembles the first', () => {
    expect(groups(direct!)).toEqual([
      ['sports.example', 'football.example', 'hockey.example', 'golf.example'],
      ['music.example', 'sing.example'],
      ['opera.example', 'drama.example'],
      ['bread.example', 'pizza.example', 'cakes.example'],
    ]);
    const toFirst = groups(direct!).map(([first, ...others]) =>
      Math.min(...others.map(site => resemblance(sites.get(first!)!, sites.get(site)!))),
    );
    expect(rows(direct!, /to the first (\d\.\d\d)/g).flat()).toEqual(toFirst.map(value => value.toFixed(2)));
    expect(Math.min(...toFirst)).toBeGreaterThanOrEqual(0.3);
  });

  test('shows that connected groups may be chains', () => {
    expect(groups(connected!)).toEqual(components(neighbours(sites, 0.3)));
    expect(connected).toContain(
      '  music.example, sing.example, opera.example, drama.example\n    terms of all: none\n' +
        '    least resemblance to the first 0.04, of any two 0.04\n',
    );
  });

  test('leaves the site about something else alone', () => {
    for (const output of [direct!, connected!]) expect(output).toContain('\n  tax.example\n    alone\n');
  });
});

describe('mirrors', () => {
  /** The runs of five words of a page, by plain replacements that will do for these pages. */
  const shinglesOf = (page: string) => {
    const text = read(`mirrors/${page}`)
      .replace(/<!--.*?-->|<(script|style|noscript)\b.*?<\/\1>/gs, '')
      .replace(/<\/?(a|b|i|em|strong|span|font)\b[^>]*>/gi, '')
      .replace(/<[^>]*>|&nbsp;/g, ' ')
      .replace(/&shy;/g, '')
      .replace(/&#97;/g, 'a');
    const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu)!;
    return new Set(words.slice(4).map((_, at) => words.slice(at, at + 5).join(' ')));
  };
  const output = run('mirrors');
  const mirrors = ['harbour.example/tides.html', 'reader.example/tide-tables.html', 'uni.example/tides.html'];

  test('finds the mirrors of a page, and nothing else', () => {
    expect(output.split('(text resembles by 0.7 or more)\n\n')[1]).toBe(mirrors.map(page => `  ${page}\n`).join(''));
  });

  test('text makes mirrors alike, markup makes the pages of a site alike', () => {
    const pairs = rows(output, /^ {2}(\d\.\d{3}) +(\d\.\d{3}) +(\S+) \| (\S+)$/gm);
    expect(pairs).toHaveLength(6);
    const isMirrored = ([, , a, b]: string[]) => mirrors.includes(a!) && mirrors.includes(b!);
    const ofMirrors = pairs.filter(isMirrored);
    const ofSite = pairs.filter(pair => !isMirrored(pair));
    for (const [, text, a, b] of pairs) expect(text).toBe(resemblance(shinglesOf(a!), shinglesOf(b!)).toFixed(3));
    for (const [, text] of ofMirrors) expect(Number(text)).toBeGreaterThan(0.85);
    for (const [html] of ofMirrors) expect(Number(html)).toBeLessThan(0.2);
    for (const [html, text] of ofSite) {
      expect(Number(html)).toBeGreaterThan(0.25);
      expect(Number(text)).toBeLessThan(0.02);
    }
  });
});

describe('versions', () => {
  const oneLine = (text: string) => text.replace(/\s+/g, ' ');

  test('finds the versions of a text', () => {
    const [line] = rows(run('versions'), /^ {2}(lamp-.*)$/gm);
    expect(line).toEqual(['lamp-draft.txt, lamp-final.txt, lamp-revised.txt: 0.78 or more to the first']);
  });

  test('finds who took passages, and shows them as they stand in both', () => {
    const [blurb, paper, ...rest] = run('versions')
      .split(/^ {2}(?=\d)/m)
      .slice(1);
    expect(rest).toEqual([]);
    expect(blurb).toMatch(/^0\.92 of blurb\.txt is in lamp-final\.txt; their resemblance is only 0\.23\n/);
    expect(paper).toMatch(/^0\.24 of term-paper\.txt is in lamp-final\.txt; their resemblance is only 0\.13\n/);
    const passages = paper!.split(/^ {4}line /m).slice(1);
    expect(passages.map(passage => passage.split('\n')[0])).toEqual(['7, there in line 8:', '14, there in line 15:']);
    for (const passage of passages) {
      const text = rows(passage, /\| (.*)$/gm)
        .flat()
        .join(' ');
      expect(text.length).toBeGreaterThan(50);
      expect(oneLine(read('versions/term-paper.txt'))).toContain(text);
      expect(oneLine(read('versions/lamp-final.txt'))).toContain(text);
    }
  });

  test('reads a folder of one’s own', () => {
    const folder = mkdtempSync(join(tmpdir(), 'neardup-examples-'));
    const words = Array.from({ length: 40 }, (_, at) => `word${at}`);
    writeFileSync(join(folder, 'a b.txt'), words.join(' '));
    writeFileSync(join(folder, 'c.txt'), [...words.slice(10, 24), 'and', 'something', 'else'].join(' '));
    const output = run('versions', folder);
    rmSync(folder, { recursive: true });
    // 17 words make 13 shingles; 14 of the words in a row make 10 of them.
    expect(output).toContain(`\n  ${(10 / 13).toFixed(2)} of c.txt is in a b.txt;`);
    expect(
      rows(output, /\| (.*)$/gm)
        .flat()
        .join(' '),
    ).toBe(words.slice(10, 24).join(' '));
  });
});
