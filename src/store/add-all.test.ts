import { expect, test } from 'vitest';
import { fail } from '../errors.ts';
import type { Document } from '../model.ts';
import { addAll, inGroups } from './add-all.ts';
import type { AddOutcome } from './index-settings.ts';

const documents = (count: number): Document[] =>
  Array.from({ length: count }, (_, at) => ({ id: `d${at}`, text: 'a' }));
const isNew = ({ id }: Document) => ({ outcome: Promise.resolve({ id, status: 'new' as const }) });

async function idsOf(groups: AsyncIterable<readonly AddOutcome[]>): Promise<(string | undefined)[]> {
  const ids: (string | undefined)[] = [];
  for await (const group of groups) for (const { id } of group) ids.push(id);
  return ids;
}

test('tells all verdicts in order, however the documents come', async () => {
  const all = documents(3000);
  const singly = async function* () {
    yield* all;
  };
  for (const given of [all, singly()])
    expect(await idsOf(addAll(inGroups(given), isNew, undefined))).toEqual(all.map(({ id }) => id));
});

test('groups of nothing among others hold nobody up', async () => {
  const groups = [[], documents(2), [], []];
  expect(await idsOf(addAll(groups, isNew, undefined))).toEqual(['d0', 'd1']);
});

test('adds and tells the documents before one that cannot be had', async () => {
  const list = function* () {
    yield* documents(100);
    throw new Error('the source is gone');
  };
  const stream = async function* () {
    yield* list();
  };
  for (const given of [list(), stream()]) {
    const told = await untilFailure(addAll(inGroups(given), isNew, undefined), 'the source is gone');
    expect(told).toEqual(documents(100).map(({ id }) => id));
  }
});

test('tells the verdicts before one that fails', async () => {
  const add = (document: Document) => (document.id === 'd5' ? { outcome: failed() } : isNew(document));
  const told = await untilFailure(addAll([documents(9)], add, undefined), 'disk full');
  expect(told).toEqual(['d0', 'd1', 'd2', 'd3', 'd4']);
});

async function untilFailure(groups: AsyncIterable<readonly AddOutcome[]>, reason: string): Promise<unknown[]> {
  const told: unknown[] = [];
  const adding = async () => {
    for await (const group of groups) told.push(...group.map(({ id }) => id));
  };
  await expect(adding()).rejects.toThrow(reason);
  return told;
}

async function failed(): Promise<never> {
  return fail('CANNOT_WRITE', { file: 'index', reason: 'disk full' });
}
