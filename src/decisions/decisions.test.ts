import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/folder.ts';
import { checkedDecision, decisionLine, type GivenDecision } from './decision.ts';
import { DecisionBook } from './decision-book.ts';
import { fileLog, type LineLog, linesOf, memoryLog } from './line-log.ts';

const logs: Record<string, () => LineLog> = {
  'a file': () => fileLog(join(temporaryFolder(), 'decisions.jsonl')),
  memory: memoryLog,
};

async function bookOf(log: LineLog): Promise<DecisionBook> {
  const book = new DecisionBook(log);
  await book.catchUp();
  return book;
}

describe.each(Object.keys(logs))('a log in %s', place => {
  test('gives lines back in the order they were appended, and only the new ones to who has read', async () => {
    const log = logs[place]!();
    expect(await log.read(0)).toEqual({ lines: [], next: 0 });
    await Promise.all(['one', 'zwei ü', 'three'].map(line => log.append(line)));
    const { lines, next } = await log.read(0);
    expect(lines).toEqual(['one', 'zwei ü', 'three']);
    expect(await log.read(next)).toEqual({ lines: [], next });
    await log.append('four');
    expect((await log.read(next)).lines).toEqual(['four']);
  });

  test('holds more lines than are read at a time', async () => {
    const log = logs[place]!();
    const long = Array.from({ length: 3 }, (_, at) => `${at}`.repeat(300_000));
    for (const line of long) await log.append(line);
    expect(await allOf(linesOf(log))).toEqual(long);
  });

  test('lets the last line about a pair count, in either order of the two', async () => {
    const log = logs[place]!();
    const say = (decision: GivenDecision) => log.append(decisionLine(decision));
    await say({ a: 'x', b: 'y', verdict: 'same', keep: 'x' });
    const book = await bookOf(log);
    expect(book.decided('y', 'x')).toMatchObject({ verdict: 'same', keep: 'x' });
    await say({ a: 'y', b: 'x', verdict: 'different' });
    await book.catchUp();
    expect(book.decided('x', 'y')).toMatchObject({ verdict: 'different' });
    await say({ a: 'x', b: 'y', verdict: 'undecided' });
    await book.catchUp();
    expect(book.decided('x', 'y')).toBeUndefined();
  });

  test('ignores and counts lines whose texts are others now', async () => {
    const log = logs[place]!();
    await log.append(decisionLine({ a: 'x', b: 'y', verdict: 'different' }));
    await log.append(decisionLine({ a: 'x', b: 'y', verdict: 'same', contents: ['aa', null] }));
    const book = await bookOf(log);
    const now = (content: string | undefined) => (id: string) => (id === 'x' ? content : 'bb');
    expect(book.decided('x', 'y', now('aa'))?.verdict).toBe('same');
    expect(book.decided('x', 'y', now(undefined))?.verdict).toBe('same');
    expect(book.decided('x', 'y', now('cc'))?.verdict).toBe('different');
    expect(book.settle(now('cc'))).toMatchObject({ decisions: [{ verdict: 'different' }], stale: 1 });
  });
});

test('half a line, as a killed process leaves it, does not spoil the next', async () => {
  const path = join(temporaryFolder(), 'decisions.jsonl');
  const whole = decisionLine({ a: 'x', b: 'y', verdict: 'same' });
  await fileLog(path).append(whole);
  appendFileSync(path, whole.slice(0, 10));
  expect((await fileLog(path).read(0)).lines).toEqual([whole]);
  await fileLog(path).append(decisionLine({ a: 'x', b: 'z', verdict: 'same' }));
  const book = await bookOf(fileLog(path));
  expect(book.decided('x', 'z')?.verdict).toBe('same');
  expect(book.unreadable).toBe(1);
  expect(readFileSync(path, 'utf8').startsWith(whole)).toBe(true);
});

test.each([
  [{ a: 'x', b: 'x', verdict: 'same' }, 'b must be another document than a'],
  [{ a: '', b: 'x', verdict: 'same' }, 'a must be the id of a document'],
  [{ a: 'x', b: 'y', verdict: 'maybe' }, 'verdict must be same, different or undecided'],
  [{ a: 'x', b: 'y', verdict: 'same', keep: 'z' }, 'keep must be one of the two documents'],
  [{ a: 'x', b: 'y', verdict: 'different', keep: 'x' }, 'keep must be left out when the verdict is different'],
  [{ a: 'x', b: 'y', verdict: 'same', note: 1 }, 'note must be a string'],
  [{ a: 'x', b: 'y', verdict: 'same', kep: 'x' }, 'did you mean keep?'],
])('%j is refused', (given, message) => {
  expect(() => checkedDecision(given as GivenDecision)).toThrow(message);
});

async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
