/** Fingerprint → numbers of the documents that have it, in typed arrays that grow: no object for each fingerprint. */

export interface Postings {
  add(hash: bigint, document: number): void;
  remove(hash: bigint, document: number): void;
  /** Documents that have this fingerprint. */
  count(hash: bigint): number;
  documents(hash: bigint): Iterable<number>;
}

const none = -1;

/**
 * ```
 * slots  [ list | none ]  open addressing, a power of two, at most half full
 * list   keys[list] (64-bit hash)  counts[list]  heads[list] ─→ cell
 * cell   owners[cell] (document)   nexts[cell] ─→ cell | none
 * ```
 * A Map would end at 2^24 fingerprints. Lists that became empty stay, for the hash may come again; freed cells are reused.
 */
export function createPostings(): Postings {
  let slots = new Int32Array(1024).fill(none);
  let keys = new BigUint64Array(512);
  let counts = new Uint32Array(512);
  let heads = new Int32Array(512);
  let lists = 0;
  let owners = new Uint32Array(1024);
  let nexts = new Int32Array(1024);
  let cells = 0;
  let freeCell = none;

  /** The slot that holds the hash, or the empty one where it would go. */
  const slotOf = (hash: bigint) => {
    const mask = slots.length - 1;
    let slot = mixedBits(hash) & mask;
    while (slots[slot] !== none && keys[slots[slot]!] !== hash) slot = (slot + 1) & mask;
    return slot;
  };

  const listFor = (hash: bigint) => {
    const slot = slotOf(hash);
    if (slots[slot] !== none) return slots[slot]!;
    if (lists === keys.length) {
      growLists();
      return listFor(hash);
    }
    keys[lists] = hash;
    heads[lists] = none;
    slots[slot] = lists;
    return lists++;
  };

  const growLists = () => {
    keys = grown(keys, new BigUint64Array(2 * keys.length));
    counts = grown(counts, new Uint32Array(2 * counts.length));
    heads = grown(heads, new Int32Array(2 * heads.length));
    slots = new Int32Array(2 * slots.length).fill(none);
    for (let list = 0; list < lists; list++) slots[slotOf(keys[list]!)] = list;
  };

  const newCell = () => {
    if (freeCell !== none) {
      const cell = freeCell;
      freeCell = nexts[cell]!;
      return cell;
    }
    if (cells === owners.length) {
      owners = grown(owners, new Uint32Array(2 * cells));
      nexts = grown(nexts, new Int32Array(2 * cells));
    }
    return cells++;
  };

  return {
    add(hash, document) {
      const list = listFor(hash);
      const cell = newCell();
      owners[cell] = document;
      nexts[cell] = heads[list]!;
      heads[list] = cell;
      counts[list]!++;
    },

    remove(hash, document) {
      const list = slots[slotOf(hash)]!;
      if (list === none) return;
      let before = none;
      let cell = heads[list]!;
      while (cell !== none && owners[cell] !== document) {
        before = cell;
        cell = nexts[cell]!;
      }
      if (cell === none) return;
      if (before === none) heads[list] = nexts[cell]!;
      else nexts[before] = nexts[cell]!;
      nexts[cell] = freeCell;
      freeCell = cell;
      counts[list]!--;
    },

    count(hash) {
      const list = slots[slotOf(hash)]!;
      return list === none ? 0 : counts[list]!;
    },

    *documents(hash) {
      const list = slots[slotOf(hash)]!;
      for (let cell = list === none ? none : heads[list]!; cell !== none; cell = nexts[cell]!) yield owners[cell]!;
    },
  };
}

/** Shingle hashes are mixed already, but those kept by "0 mod m" end in equal bits: fold the upper half in. */
function mixedBits(hash: bigint): number {
  const folded = Number(hash & 0xffffffffn) ^ Math.imul(Number(hash >> 32n), 0x9e3779b1);
  const mixed = Math.imul(folded ^ (folded >>> 16), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

function grown<Numbers extends Uint32Array | Int32Array | BigUint64Array>(old: Numbers, larger: Numbers): Numbers {
  larger.set(old as never);
  return larger;
}
