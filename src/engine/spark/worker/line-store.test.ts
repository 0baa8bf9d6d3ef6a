import { expect, test } from 'vitest';
import { LineStore } from './line-store.ts';

test('gives back lines that went to the file, those in memory, and one longer than a page', () => {
  const store = new LineStore();
  for (let round = 0; round < 2; round++) {
    const lines = Array.from({ length: 100 }, (_, i) =>
      Buffer.alloc(i === 50 ? 5 << 20 : 900_000, `${round} line ${i} `),
    );
    for (const line of lines) store.add(line);
    expect(lines.every((line, i) => line.equals(store.get(i)))).toBe(true);
    store.clear();
  }
  store.close();
});
