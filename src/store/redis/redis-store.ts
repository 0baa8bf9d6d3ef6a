/**
 * The contract on Redis, one server or a cluster: many processes write and read one index.
 *
 * A change touches keys on several servers, which no transaction of Redis spans. So it is first written whole under one
 * key, the journal: that is when it happened. Then its parts are written, and last the state. Who gets the right to write
 * and finds a journal writes its parts once more, which changes nothing where they are there already.
 *
 *   neardup:{NAME}:made|state|journal|lock   in one slot        neardup:NAME:e:NUMBER   an entry
 *   neardup:NAME:k:KEY   the numbers of a key, 4 bytes each     neardup:NAME:m:NUMBER   its duplicates
 *   neardup:{NAME}:groups   numbers that have duplicates        neardup:{NAME}:decisions   a list of lines
 *
 * What is durable is what the servers were told to keep (`appendonly yes`, `appendfsync always`); `replicas=N` waits for copies.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import type { Cluster, Redis } from 'ioredis';
import type { LineLog } from '../../decisions/line-log.ts';
import { fail } from '../../errors.ts';
import {
  type Change,
  emptyState,
  type Group,
  type Numbers,
  type State,
  type Store,
  type StoreSetup,
} from '../contract.ts';
import { limitOf } from '../keys.ts';
import { createMutex } from '../mutex.ts';
import { compress, compressiblePart, DamagedEntry, withCompressed } from '../record.ts';
import { versionFor } from '../versions.ts';
import { type Connection, disconnect } from './connection.ts';
import { asVersion2 } from './made.ts';
import { memoryUsage } from './memory-usage.ts';

/** In milliseconds. */
export interface RedisLimits {
  /** A process that holds the right to write and is not heard of for so long has lost it. */
  readonly lease: number;
  readonly renewal: number;
  /** Replicas of each server that must have a change before it is acknowledged; 0, if not said. */
  readonly replicas?: number;
}

export const defaultLimits: RedisLimits = { lease: 5_000, renewal: 1_000 };

const LONGEST_WAIT = 60_000;
/** Milliseconds till replicas have a change: below half a lease, so that who waits is still the one who writes. */
const REPLICATION = 2_000;
const PORTION = 256;

/** Only who holds the lock writes a journal; late ones are told. */
const WRITE_JOURNAL = `
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('set', KEYS[2], ARGV[2])
return 1`;
const FINISH = `
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('set', KEYS[3], ARGV[2])
redis.call('del', KEYS[2])
return 1`;
const RENEW = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0`;
const RELEASE = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`;

export class RedisStore implements Store {
  readonly #redis: Connection;
  readonly #location: string;
  readonly #setup: StoreSetup;
  readonly #limits: RedisLimits;
  readonly #name: string;
  readonly #inOrder = createMutex();
  /** Ours while we may write. */
  #token = '';
  #since = 0;
  #isVersion2 = false;
  #hadState = false;

  constructor(redis: Connection, name: string, location: string, setup: StoreSetup, limits: RedisLimits) {
    this.#redis = redis;
    this.#name = name;
    this.#location = location;
    this.#setup = setup;
    this.#limits = limits;
  }

  exclusively<Result>(work: (state: State) => Promise<Result>): Promise<Result> {
    return this.#inOrder(async () => {
      await this.#lock();
      const renewal = setInterval(() => void this.#renew().catch(() => {}), this.#limits.renewal);
      try {
        await this.#redo();
        const result = await work(await this.state());
        await this.#release();
        return result;
      } catch (error) {
        // Not waited for: the server may be gone.
        void this.#release();
        throw error;
      } finally {
        clearInterval(renewal);
      }
    });
  }

  /** A state that was there and is not: to begin anew would put other documents in the place of those that other servers still have. */
  async state(): Promise<State> {
    const state = await this.#redis.get(this.#shared('state'));
    if (state === null && this.#hadState)
      fail('INDEX_DAMAGED', { index: this.#location, what: 'its state is gone; a server of Redis has lost its data' });
    this.#hadState ||= state !== null;
    return state === null ? emptyState : { ...emptyState, ...(JSON.parse(state) as State) };
  }

  async find(keys: BigUint64Array): Promise<readonly Numbers[]> {
    const found = await this.#getAll(Array.from(keys, key => this.#posting(key)));
    return found.map((bytes, at) => {
      const numbers = numbersIn(bytes);
      const limit = limitOf(Number(keys[at]! & 3n));
      return numbers.length > limit ? numbers.slice(0, limit) : numbers;
    });
  }

  async read(numbers: Numbers): Promise<readonly (Uint8Array | undefined)[]> {
    const found = await this.#getAll(numbers.map(number => this.#key('e', number)));
    return found.map(bytes => bytes ?? undefined);
  }

  /** In a cluster a command is of one slot; otherwise one asks for many, and there is one answer to parse. */
  async #getAll(keys: readonly string[]): Promise<(Buffer | null)[]> {
    if (this.#redis.isCluster) return Promise.all(keys.map(key => this.#redis.getBuffer(key)));
    const asked: Promise<(Buffer | null)[]>[] = [];
    for (let from = 0; from < keys.length; from += PORTION)
      asked.push(this.#redis.mgetBuffer(keys.slice(from, from + PORTION)));
    return (await Promise.all(asked)).flat();
  }

  /** The postings of an entry that is removed go before it does. */
  async lost(numbers: Numbers, keys: BigUint64Array): Promise<Numbers> {
    const listed = new Set((await this.find(keys)).flat());
    return numbers.filter(number => listed.has(number));
  }

  async apply(change: Change): Promise<{ durable: Promise<void> }> {
    const packed: Change = {
      ...change,
      additions: change.additions.map(one => ({ ...one, bytes: pack(one.number, one.bytes) })),
      rewrites: change.rewrites.map(one => ({ ...one, bytes: pack(one.number, one.bytes) })),
    };
    if (versionFor(change.state) === 2) await this.#becomeVersion2();
    const journal = serialize(packed);
    const written = await this.#redis.eval(
      WRITE_JOURNAL,
      2,
      this.#shared('lock'),
      this.#shared('journal'),
      this.#token,
      journal,
    );
    if (written !== 1) this.#tooLate();
    await this.#write(packed);
    await this.#replicated();
    return { durable: Promise.resolve() };
  }

  /** WAIT counts the replicas that have what came through the same connection: of a cluster, that to each master. */
  async #replicated(): Promise<void> {
    const { replicas = 0 } = this.#limits;
    if (replicas === 0) return;
    const servers = this.#redis.isCluster ? (this.#redis as Cluster).nodes('master') : [this.#redis as Redis];
    const found = await Promise.all(servers.map(server => server.wait(replicas, REPLICATION)));
    const fewest = Math.min(...found);
    if (fewest < replicas)
      fail('CANNOT_WRITE', {
        file: this.#location,
        reason: `${fewest} of ${replicas} replicas have the change; it may be lost with its server`,
      });
  }

  /** Before there is anything that older code would not find. */
  async #becomeVersion2(): Promise<void> {
    if (this.#isVersion2) return;
    const made = await this.#redis.get(this.#shared('made'));
    if (made !== null) await this.#redis.set(this.#shared('made'), asVersion2(made));
    this.#isVersion2 = true;
  }

  async membersOf(number: number): Promise<Numbers> {
    const members = await this.#redis.smembers(this.#key('m', number));
    return members.map(Number).sort((a, b) => a - b);
  }

  async groups(from: number, limit: number): Promise<readonly Group[]> {
    const groups = await this.#redis.zrangebyscore(this.#shared('groups'), from, '+inf', 'LIMIT', 0, limit);
    return Promise.all(groups.map(async of => ({ of: Number(of), members: await this.membersOf(Number(of)) })));
  }

  async *entries(first = 0): AsyncGenerator<{ number: number; bytes: Uint8Array }> {
    const { next } = await this.state();
    for (let from = first; from < next; from += PORTION) {
      const numbers = Array.from({ length: Math.min(PORTION, next - from) }, (_, at) => from + at);
      const found = await this.read(numbers);
      for (const [at, number] of numbers.entries()) if (found[at]) yield { number, bytes: found[at] };
    }
  }

  /** In one list, which only grows. */
  get decisions(): LineLog {
    const key = this.#shared('decisions');
    return {
      append: async line => void (await this.#redis.rpush(key, line)),
      read: async from => {
        const lines = await this.#redis.lrange(key, from, from + PORTION - 1);
        return { lines, next: from + lines.length };
      },
    };
  }

  /** What a process that was killed had begun is finished first: it is no damage. */
  async *check() {
    if (await this.#redis.exists(this.#shared('journal'))) await this.exclusively(async () => {});
  }

  /** In the memory of the servers, without what they keep for all their keys together. */
  async size(): Promise<number> {
    const { next } = await this.state();
    return memoryUsage(this.#redis, {
      next,
      single: ['made', 'state', 'journal', 'lock', 'decisions'].map(what => this.#shared(what)),
      groups: this.#shared('groups'),
      entry: number => this.#key('e', number),
      members: number => this.#key('m', number),
      postings: (number, entry) => Array.from(this.#keysOf(number, entry), key => this.#posting(key)),
    });
  }

  async backup(path: string): Promise<void> {
    fail('CANNOT_WRITE', { file: path, reason: 'an index on Redis is copied by the means of Redis' });
  }

  /** Removed entries leave nothing behind. */
  async compact(): Promise<void> {}

  async close(): Promise<void> {
    await disconnect(this.#redis);
  }

  async #lock(): Promise<void> {
    this.#token = randomBytes(16).toString('hex');
    const asked = performance.now();
    while ((await this.#redis.set(this.#shared('lock'), this.#token, 'PX', this.#limits.lease, 'NX')) !== 'OK') {
      if (performance.now() - asked > LONGEST_WAIT)
        fail('INDEX_BUSY', { index: this.#location, holder: 'another process, for longer than a minute' });
      await setTimeout(2 + Math.random() * 8);
    }
    this.#since = performance.now();
  }

  /** If it cannot be given back, it ends by itself. */
  async #release(): Promise<void> {
    await this.#redis.eval(RELEASE, 1, this.#shared('lock'), this.#token).catch(() => {});
  }

  async #renew(): Promise<void> {
    const now = performance.now();
    if ((await this.#redis.eval(RENEW, 1, this.#shared('lock'), this.#token, this.#limits.lease)) === 1)
      this.#since = now;
  }

  /** What somebody had begun to write, and did not finish. */
  async #redo(): Promise<void> {
    const journal = await this.#redis.getBuffer(this.#shared('journal'));
    if (journal) await this.#write(deserialize(journal) as Change);
  }

  /** Entries first and state last: who reads meanwhile finds no posting without its entry. */
  async #write({ additions, removals, rewrites, state }: Change): Promise<void> {
    await this.#remove(removals);
    this.#requireTime();
    await Promise.all([
      ...additions.map(({ number, bytes }) => this.#redis.set(this.#key('e', number), Buffer.from(bytes))),
      ...rewrites.map(({ number, bytes }) => this.#redis.set(this.#key('e', number), Buffer.from(bytes))),
    ]);
    this.#requireTime();
    for (const { number, noLongerOf } of rewrites) await this.#leave(noLongerOf, number);
    await Promise.all(
      additions.flatMap(({ number, keys, of }) => [
        ...Array.from(keys, key => this.#redis.append(this.#posting(key), numberBytes(number))),
        ...(of === undefined ? [] : [this.#join(of, number)]),
      ]),
    );
    const keys = [this.#shared('lock'), this.#shared('journal'), this.#shared('state')];
    if ((await this.#redis.eval(FINISH, 3, ...keys, this.#token, JSON.stringify(state))) !== 1) this.#tooLate();
  }

  /** Postings first: whoever has to do it again must still be told the keys by the entry. */
  async #remove(removals: Change['removals']): Promise<void> {
    const numbers = removals.map(({ number }) => number);
    const entries = await this.read(numbers);
    const gone = new Map<bigint, Set<number>>();
    for (const [at, bytes] of entries.entries()) {
      if (!bytes) continue;
      for (const key of this.#setup.keysOf(numbers[at]!, bytes))
        gone.set(key, (gone.get(key) ?? new Set()).add(numbers[at]!));
    }
    await Promise.all([
      ...removals.map(({ number, of }) => this.#leave(of, number)),
      ...Array.from(gone, ([key, numbers]) => this.#removePostings(key, numbers)),
    ]);
    await Promise.all(numbers.map(number => this.#redis.del(this.#key('e', number))));
  }

  /** All of a key at once: of two that read the list and write it back, one would be lost. */
  async #removePostings(key: bigint, gone: ReadonlySet<number>): Promise<void> {
    const left = numbersIn(await this.#redis.getBuffer(this.#posting(key))).filter(number => !gone.has(number));
    if (left.length === 0) await this.#redis.del(this.#posting(key));
    else await this.#redis.set(this.#posting(key), Buffer.concat(left.map(numberBytes)));
  }

  async #join(of: number, number: number): Promise<void> {
    await this.#redis.sadd(this.#key('m', of), number);
    await this.#redis.zadd(this.#shared('groups'), of, of);
  }

  async #leave(of: number | undefined, number: number): Promise<void> {
    if (of === undefined) return;
    await this.#redis.srem(this.#key('m', of), number);
    if ((await this.#redis.scard(this.#key('m', of))) === 0) await this.#redis.zrem(this.#shared('groups'), of);
  }

  /** A damaged entry cannot be told what it is found by; checking the index names it. */
  #keysOf(number: number, entry: Uint8Array): BigUint64Array {
    try {
      return this.#setup.keysOf(number, entry);
    } catch (error) {
      if (error instanceof DamagedEntry) return new BigUint64Array(0);
      throw error;
    }
  }

  /** What we would write now might undo what another has written since. */
  #requireTime(): void {
    if (performance.now() - this.#since > this.#limits.lease / 2) this.#tooLate();
  }

  #tooLate(): never {
    return fail('CANNOT_WRITE', {
      file: this.#location,
      reason: 'it took too long, and another process may write now',
    });
  }

  /** Keys that one script may touch have the part in braces in common. */
  #shared(what: string): string {
    return `neardup:{${this.#name}}:${what}`;
  }

  #key(kind: 'e' | 'm', number: number): string {
    return `neardup:${this.#name}:${kind}:${number}`;
  }

  #posting(key: bigint): string {
    return `neardup:${this.#name}:k:${key.toString(36)}`;
  }
}

function pack(number: number, bytes: Uint8Array): Uint8Array {
  const part = compressiblePart(bytes);
  return part.length === 0 ? bytes : withCompressed(number, bytes, compress(part));
}

/** Ascending, each once: a change that was written twice put its numbers in twice. */
function numbersIn(bytes: Buffer | null): number[] {
  const numbers: number[] = [];
  if (!bytes) return numbers;
  let isAscending = true;
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const number = bytes.readUInt32LE(at);
    if (at > 0 && number <= numbers.at(-1)!) isAscending = false;
    numbers.push(number);
  }
  return isAscending ? numbers : [...new Set(numbers)].sort((a, b) => a - b);
}

function numberBytes(number: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32LE(number);
  return bytes;
}
