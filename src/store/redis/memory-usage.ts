/** The keys of an index → about how many bytes of its servers' memory they take; of a small one, exactly what Redis says. */
import type { Connection } from './connection.ts';

/** Looked at: so many entries with what they are found by, and so many lists of duplicates. */
const SAMPLE = 100;

export interface IndexKeys {
  /** Of those there is one each. */
  readonly single: readonly string[];
  /** A sorted set of the numbers that have a list of duplicates. */
  readonly groups: string;
  /** The number of the next entry. */
  readonly next: number;
  entry(number: number): string;
  members(number: number): string;
  /** What an entry is found by. */
  postings(number: number, entry: Uint8Array): readonly string[];
}

export async function memoryUsage(redis: Connection, keys: IndexKeys): Promise<number> {
  const usage = async (key: string) => Number((await redis.memory('USAGE', key)) ?? 0);

  /** Many may share a list of numbers; each has its part of it. */
  const shareOf = async (key: string) => {
    const [bytes, length] = await Promise.all([usage(key), redis.strlen(key)]);
    return length === 0 ? 0 : bytes / (length / 4);
  };
  const ofEntry = async (number: number) => {
    const entry = await redis.getBuffer(keys.entry(number));
    if (!entry) return 0;
    return sum([usage(keys.entry(number)), ...keys.postings(number, entry).map(shareOf)]);
  };
  const ofMembers = async (place: number) => {
    const [number] = await redis.zrange(keys.groups, place, String(place));
    return number === undefined ? 0 : usage(keys.members(Number(number)));
  };

  const bytes = await sum([
    ...[...keys.single, keys.groups].map(usage),
    bySample(keys.next, ofEntry),
    redis.zcard(keys.groups).then(count => bySample(count, ofMembers)),
  ]);
  return Math.round(bytes);
}

/** Of so many, at equal distances. */
async function bySample(count: number, usageOf: (place: number) => Promise<number>): Promise<number> {
  const looked = Math.min(count, SAMPLE);
  if (looked === 0) return 0;
  const places = Array.from({ length: looked }, (_, at) => Math.floor(((at + 0.5) * count) / looked));
  return (await sum(places.map(usageOf))) * (count / looked);
}

async function sum(numbers: readonly Promise<number>[]): Promise<number> {
  return (await Promise.all(numbers)).reduce((total, number) => total + number, 0);
}
