import { expect, test } from 'vitest';
import { loadLicences } from '../../src/cli/demo/find.ts';
import { createSketcher } from '../../src/index.ts';
import { licences, nextTo } from './corpora.ts';

test('every pair has the resemblance that its texts have, and none is missing next to a threshold', async () => {
  const sketcher = await createSketcher();
  const sets = new Map((await loadLicences()).map(({ id, text }) => [id, sketcher.set(text)]));
  const pairs = licences.pairs!;
  for (const { a, b, resemblance } of pairs)
    expect(sketcher.compare(sets.get(a)!, sets.get(b)!).resemblance).toBe(resemblance);
  const all: number[] = [];
  const list = [...sets.values()];
  for (const [at, a] of list.entries())
    for (const b of list.slice(0, at)) {
      const { resemblance } = sketcher.compare(a, b);
      if (resemblance >= 0.01) all.push(resemblance);
    }
  all.sort((x, y) => x - y);
  for (let hundredth = 5; hundredth <= 100; hundredth++) {
    const threshold = hundredth / 100;
    const { above, below } = nextTo(pairs, threshold, 3);
    const values = (some: typeof above) => some.map(({ resemblance }) => resemblance);
    expect(values(above)).toEqual(all.filter(value => value >= threshold).slice(0, 3));
    expect(values(below)).toEqual(
      all
        .filter(value => value < threshold)
        .slice(-3)
        .reverse(),
    );
  }
}, 60_000);
