/**
 * Puts and removals → transactions, each durable before it counts.
 *
 * What is asked for in one go is written together. While one transaction is on its way to the disk, the next one gathers,
 * so that many small changes share a flush.
 */
import type { Database } from 'lmdb';
import { Packer } from './packer.ts';
import { failedWrite, requireRoom, type WritePlace } from './room.ts';
import type { Tables } from './tables.ts';

// biome-ignore lint/suspicious/noExplicitAny: tables differ in their keys, and an instruction is for any of them
type Table = Database<Buffer, any>;
type Key = number | string | Buffer;

interface Instruction {
  readonly table: Table;
  readonly key: Key;
  /** Undefined: it is removed. */
  value: Uint8Array | undefined;
  readonly kind: 'plain' | 'entry' | 'new entry';
}

interface Group {
  readonly instructions: Instruction[];
  readonly committed: Deferred;
  readonly durable: Deferred;
}

export class CommitQueue {
  readonly #root: Tables['root'];
  readonly #place: WritePlace;
  readonly #packer = new Packer();
  #gathering = newGroup();
  #isScheduled = false;
  #isWriting = false;
  #broken: { readonly error: unknown } | undefined;
  #lastCommitted: Promise<void> = Promise.resolve();
  #lastDurable: Promise<void> = Promise.resolve();

  constructor(root: Tables['root'], place: WritePlace) {
    this.#root = root;
    this.#place = place;
  }

  /** Why nothing can be written any more: what follows a failed transaction must not be. */
  get broken(): { readonly error: unknown } | undefined {
    return this.#broken;
  }

  /** Of all that was asked for so far: seen by those who read. */
  get committed(): Promise<void> {
    return this.#lastCommitted;
  }

  /** Of all that was asked for so far: it survives whatever happens. */
  get durable(): Promise<void> {
    return this.#lastDurable;
  }

  /** Entries are compressed. The number of a new one is larger than all there are, which fills pages better. */
  put(table: Table, key: Key, value: Uint8Array, kind: Instruction['kind'] = 'plain'): void {
    this.#add({ table, key, value, kind });
  }

  remove(table: Table, key: Key): void {
    this.#add({ table, key, value: undefined, kind: 'plain' });
  }

  async close(): Promise<void> {
    await this.#lastDurable.catch(() => {});
    await this.#packer.close();
  }

  #add(instruction: Instruction): void {
    const group = this.#gathering;
    if (group.instructions.push(instruction) === 1) {
      this.#lastCommitted = group.committed.promise;
      this.#lastDurable = group.durable.promise;
    }
    if (this.#isScheduled || this.#isWriting) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      void this.#write();
    });
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#gathering.instructions.length > 0) {
      const group = this.#gathering;
      this.#gathering = newGroup();
      try {
        if (this.#broken) throw this.#broken.error;
        await this.#pack(group.instructions);
        const { flushed } = await this.#commit(group.instructions);
        group.committed.resolve();
        void flushed.then(group.durable.resolve, error => void this.#fail(group, error));
      } catch (error) {
        await this.#fail(group, error);
      }
    }
    this.#isWriting = false;
  }

  async #pack(instructions: readonly Instruction[]): Promise<void> {
    const entries = instructions.filter(({ kind }) => kind !== 'plain');
    if (entries.length === 0) return;
    const packed = await this.#packer.pack(entries.map(({ key, value }) => ({ number: key as number, bytes: value! })));
    for (let i = 0; i < entries.length; i++) entries[i]!.value = packed[i]!;
  }

  /** Resolves when the transaction is seen by readers, with what resolves when it is flushed. */
  async #commit(instructions: readonly Instruction[]): Promise<{ flushed: Promise<void> }> {
    requireRoom(
      this.#place,
      instructions.reduce((sum, { value }) => sum + (value?.length ?? 0), 0),
    );
    const appended: Promise<boolean>[] = [];
    const batch = this.#root.batch(() => {
      for (const { table, key, value, kind } of instructions) {
        // What fails fails with the batch.
        if (value === undefined) table.remove(key).catch(() => {});
        else if (kind !== 'new entry') table.put(key, value as Buffer).catch(() => {});
        // The typings know this option for putSync only.
        else appended.push(table.put(key, value as Buffer, { append: true } as never));
      }
    }) as Promise<boolean> & { readonly flushed?: Promise<boolean> };
    const done = await Promise.all([batch, ...appended]);
    if (done.includes(false)) throw new Error('an entry was to be written out of order');
    this.#root.resetReadTxn();
    const waitForDisk = async () => void (await (batch.flushed ?? this.#root.flushed));
    return { flushed: waitForDisk() };
  }

  async #fail(group: Group, error: unknown): Promise<void> {
    this.#broken ??= { error };
    const failed = await failedWrite(this.#place, error).catch(explained => explained);
    if (this.#broken.error === error) this.#broken = { error: failed };
    group.committed.reject(failed);
    group.durable.reject(failed);
  }
}

interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

function newGroup(): Group {
  return { instructions: [], committed: deferred(), durable: deferred() };
}

function deferred(): Deferred {
  let resolve!: () => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<void>((onDone, onFailed) => {
    resolve = onDone;
    reject = onFailed;
  });
  // Who does not wait for it learns of the failure by the next call.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
