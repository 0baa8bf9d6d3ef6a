/** A store as a plain Map, and the changes an index could make to it: the slow twin of what contract.ts asks for. */
import {
  type Addition,
  type Change,
  emptyState,
  type Removal,
  type Rewrite,
  type State,
  type StoreSetup,
} from '../../src/store/contract.ts';
import { Entry, encodeDocument, encodeEntry } from '../../src/store/record.ts';

export interface Known {
  readonly keys: readonly bigint[];
  readonly text: string;
  readonly of?: number | undefined;
}

/** An entry to be removed or rewritten, if it is there. */
export interface Touched {
  readonly number: number;
  readonly isRemoved: boolean;
}

/** An entry carries its keys, so that a store can be told them again. */
export function bytesOf(number: number, { keys, text }: Known): Uint8Array {
  const id = `e${number}`;
  const document = { id, text, keys: keys.map(String) };
  return encodeEntry(number, { verdict: { id, status: 'new' }, content: 0n, document: encodeDocument(document) });
}

/** Stores compress entries, so that the bytes may differ where the content is the same. */
export function textOf(number: number, bytes: Uint8Array | undefined): string | undefined {
  return bytes && (Entry.checked(number, bytes).document!.text as string);
}

export const setup: StoreSetup = {
  keysOf: (number, bytes) =>
    BigUint64Array.from((Entry.checked(number, bytes).document!.keys as readonly string[]).map(BigInt)),
};

export class StoreModel {
  readonly entries = new Map<number, Known>();
  state: State = emptyState;

  /** One change of entries added, rewritten and removed; each is touched once. */
  change(added: readonly Known[], rewritten: ReadonlyMap<number, Known> = new Map(), removed: readonly number[] = []) {
    const removals = removed.map((number): Removal => ({ number, of: this.entries.get(number)!.of }));
    for (const number of removed) this.entries.delete(number);
    const rewrites = [...rewritten].map(([number, known]): Rewrite => {
      const before = this.entries.get(number)!.of;
      this.entries.set(number, known);
      return { number, bytes: bytesOf(number, known), noLongerOf: before === known.of ? undefined : before };
    });
    const additions = added.map((known, at): Addition => {
      const number = this.state.next + at;
      this.entries.set(number, known);
      return { number, keys: BigUint64Array.from(known.keys), bytes: bytesOf(number, known), of: known.of };
    });
    const count = this.entries.size;
    this.state = { ...emptyState, next: this.state.next + added.length, documents: count, new: count };
    return { additions, removals, rewrites, state: this.state } satisfies Change;
  }

  /** Of what was drawn at random, what an index could do: a duplicate of something removed stands for itself from then on. */
  someChange({ added, touched }: { added: readonly Known[]; touched: readonly Touched[] }): Change {
    const there = touched.filter(({ number }) => this.entries.has(number));
    const removed = new Set(there.flatMap(({ number, isRemoved }) => (isRemoved ? [number] : [])));
    const rewritten = new Map<number, Known>();
    for (const { number } of there) rewritten.set(number, { ...this.entries.get(number)!, text: 'rewritten' });
    for (const number of removed) {
      for (const member of this.membersOf(number))
        rewritten.set(member, { ...this.entries.get(member)!, of: undefined });
    }
    for (const number of removed) rewritten.delete(number);
    const canHave = (of: number | undefined) => of !== undefined && this.entries.has(of) && !removed.has(of);
    const additions = added.map(one => ({ ...one, of: canHave(one.of) ? one.of : undefined }));
    return this.change(additions, rewritten, [...removed]);
  }

  having(key: bigint): number[] {
    return [...this.entries].flatMap(([number, { keys }]) => (keys.includes(key) ? [number] : []));
  }

  membersOf(number: number): number[] {
    return [...this.entries].flatMap(([member, { of }]) => (of === number ? [member] : []));
  }

  groups(): { of: number; members: number[] }[] {
    const groups = [...this.entries.keys()].map(of => ({ of, members: this.membersOf(of) }));
    return groups.filter(({ members }) => members.length > 0);
  }
}
