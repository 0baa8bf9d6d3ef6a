/** An index → everything in it that is not as it was written, document by document. */
import { type Damage, entriesIn, type Store } from './contract.ts';
import { limitOf } from './keys.ts';
import type { Preparer } from './prepare.ts';
import { DamagedEntry, Entry } from './record.ts';

/** Groups looked at at a time. */
const CHUNK = 64;
/** Entries looked up at a time: lists that most of them stand in, as those of boilerplate, are read once for all. */
const LOOKED_UP = 512;

/** In one line, with the document by its id where that could be read. */
export function tellDamage({ id, number, what }: Damage): string {
  if (id !== undefined) return `document ${JSON.stringify(id)}: ${what}`;
  return number === undefined ? what : `document number ${number}: ${what}`;
}

export async function* damagesOf({ store, preparer }: { store: Store; preparer: Preparer }): AsyncGenerator<Damage> {
  let arePostingsSound = true;
  const told = new Set<number>();
  for await (const damage of store.check()) {
    arePostingsSound = false;
    if (damage.number !== undefined) told.add(damage.number);
    yield damage;
  }
  const before = await store.state();
  const counted = { entries: 0, documents: 0, duplicates: 0, members: 0 };
  let sound: Entry[] = [];
  for await (const { number, bytes } of store.entries()) {
    counted.entries++;
    try {
      const entry = Entry.checked(number, bytes);
      if (entry.isStored) counted.documents++;
      if (entry.ofNumber !== undefined) counted.duplicates++;
      sound.push(entry);
    } catch (error) {
      if (!(error instanceof DamagedEntry)) throw error;
      if (!told.has(number)) yield { number, ...(error.id !== undefined && { id: error.id }), what: error.message };
    }
    if (sound.length < LOOKED_UP) continue;
    if (arePostingsSound) yield* misplaced(store, preparer, sound);
    sound = [];
  }
  if (arePostingsSound) yield* misplaced(store, preparer, sound);
  yield* strayMembers(store, counted);
  const state = await store.state();
  const known = entriesIn(state);
  // Where others write meanwhile, there is nothing to compare the counts with.
  if (JSON.stringify(state) !== JSON.stringify(before)) return;
  if (counted.entries !== known) yield { what: `it has ${counted.entries} entries, and should have ${known}` };
  if (counted.members !== counted.duplicates)
    yield { what: `it has ${counted.duplicates} duplicates, and lists ${counted.members}` };
  if (counted.documents !== state.documents)
    yield { what: `it has ${counted.documents} documents, and should have ${state.documents}` };
}

/** Entries that are whole, but are not found by what they should be found by. */
async function* misplaced(store: Store, preparer: Preparer, entries: readonly Entry[]): AsyncGenerator<Damage> {
  const keysOf = entries.map(entry => preparer.keysOf(entry));
  const places = new Map<bigint, number>();
  for (const keys of keysOf) for (const key of keys) if (!places.has(key)) places.set(key, places.size);
  const found = await store.find(BigUint64Array.from(places.keys()));
  const wanted = new Set(entries.map(({ number }) => number));
  const has = found.map(numbers => new Set(numbers.filter(number => wanted.has(number))));
  for (const [at, { number, id }] of entries.entries()) {
    const keys = [...keysOf[at]!];
    const missing = keys.filter(key => {
      const place = places.get(key)!;
      // An element that half the documents share finds only the first of them.
      return !has[place]!.has(number) && found[place]!.length < limitOf(Number(key & 3n));
    }).length;
    // It may have been removed since it was read.
    if (missing > 0 && (await store.read([number]))[0] !== undefined)
      yield { number, ...(id !== '' && { id }), what: `${missing} of its ${keys.length} postings are missing` };
  }
}

/** Duplicates that are none: gone, or of something else. */
async function* strayMembers(store: Store, counted: { members: number }): AsyncGenerator<Damage> {
  for (let from = 0; ; ) {
    const groups = await store.groups(from, CHUNK);
    for (const { of, members } of groups) {
      counted.members += members.length;
      const found = await store.read(members);
      for (let i = 0; i < members.length; i++) {
        if (found[i] && isOf(members[i]!, found[i]!, of)) continue;
        // Removed since the list was read.
        if (!(await store.membersOf(of)).includes(members[i]!)) continue;
        yield { number: members[i]!, what: `it is listed as a duplicate of number ${of}, and is not` };
      }
    }
    if (groups.length < CHUNK) return;
    from = groups.at(-1)!.of + 1;
  }
}

/** What is damaged was told before. */
function isOf(number: number, bytes: Uint8Array, of: number): boolean {
  try {
    return Entry.checked(number, bytes).ofNumber === of;
  } catch {
    return true;
  }
}
