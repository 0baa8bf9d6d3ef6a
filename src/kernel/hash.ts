/** The kernel's hashes in plain BigInt arithmetic: small enough to check by eye, far too slow for a corpus. */

const WORD_BITS = 64;
/** 2⁶⁴ ÷ the golden ratio, odd: spreads small numbers over all 64 bits. */
export const GOLDEN = 0x9e3779b97f4a7c15n;
export const MULTIPLIER = 0xd6e8feb86659fd93n;
const SECOND_MULTIPLIER = 0xa0761d6478bd642fn;
const BASE = 0xd1b54a32d192ed03n;

export const u64 = (x: bigint) => BigInt.asUintN(WORD_BITS, x);
const swapHalves = (x: bigint) => u64((x << 32n) | (x >> 32n));

/** Half of `mix`: a product, and its first half folded onto its second. */
export function stir(x: bigint): bigint {
  const product = u64(x * MULTIPLIER);
  return product ^ (product >> 32n);
}

/** A bijection on 64 bits in which every output bit depends on every input bit. */
export function mix(x: bigint): bigint {
  return stir(stir(x ^ (x >> 32n)));
}

// MULTIPLIER times this is 1 modulo 2⁶⁴.
const INVERSE_MULTIPLIER = 0xcfee444d8b59a89bn;

/** Undoes `mix`. */
export function unmix(y: bigint): bigint {
  const unstir = (x: bigint) => u64((x ^ (x >> 32n)) * INVERSE_MULTIPLIER);
  const x = unstir(unstir(y));
  return x ^ (x >> 32n);
}

/** Independent 64-bit numbers drawn from a seed, one for each purpose. */
export function keyOf(seed: number, purpose: number): bigint {
  return mix(u64(mix(u64(BigInt(seed) + GOLDEN)) + BigInt(purpose) * GOLDEN));
}

const tokenKeys = new Map<number, bigint>();

/** The start of every token hash; remembered, since it is wanted for every word. */
function tokenKeyOf(seed: number): bigint {
  const known = tokenKeys.get(seed);
  if (known !== undefined) return known;
  const key = keyOf(seed, PURPOSE.token);
  tokenKeys.set(seed, key);
  return key;
}

const PURPOSE = { token: 1, content: 2, multiplier: 16, shuffle: 1024 } as const;

/** Lanes of 8 bytes, little-endian, the last filled up with zeros. */
function lanes(bytes: Uint8Array, atLeast: number): bigint[] {
  const count = Math.max(Math.ceil(bytes.length / 8), atLeast);
  const padded = new Uint8Array(count * 8);
  padded.set(bytes);
  const view = new DataView(padded.buffer);
  return Array.from({ length: count }, (_, lane) => view.getBigUint64(lane * 8, true));
}

export function tokenHash(bytes: Uint8Array, seed: number): bigint {
  const all = lanes(bytes, 2);
  const last = all.pop()!;
  const state = all.reduce((hash, lane) => stir(hash ^ lane), tokenKeyOf(seed));
  return stir(u64((state ^ last) + BigInt(bytes.length) * GOLDEN));
}

export function codePointHash(codePoint: number, seed: number): bigint {
  return stir(stir(tokenKeyOf(seed) ^ BigInt(codePoint)));
}

/** A run of tokens as one number: a polynomial in BASE, mixed. */
export function shingleHash(tokens: readonly bigint[]): bigint {
  return mix(tokens.reduce((sum, token) => u64(sum * BASE + token), 0n));
}

/** An element of a plain set is a shingle of one token. */
export function elementHash(bytes: Uint8Array, seed: number): bigint {
  return shingleHash([tokenHash(bytes, seed)]);
}

/** 128 bits: two hashes that share no constant, each over two interleaved streams of lanes. */
export function contentHash(bytes: Uint8Array, seed: number): bigint {
  let [evenA, oddA, evenB, oddB] = [0, 1, 2, 3].map(i => keyOf(seed, PURPOSE.content + i)) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  const all = lanes(bytes, 0);
  if (all.length % 2 === 1) all.push(0n);
  for (let i = 0; i < all.length; i += 2) {
    evenA = stir(evenA ^ all[i]!);
    oddA = stir(oddA ^ all[i + 1]!);
    evenB = stirSecond(evenB, all[i]!);
    oddB = stirSecond(oddB, all[i + 1]!);
  }
  const length = BigInt(bytes.length);
  const low = mix(u64(evenA + swapHalves(oddA) + length));
  const high = mix(u64(evenB + swapHalves(oddB) + length * GOLDEN));
  return (high << 64n) | low;
}

function stirSecond(state: bigint, lane: bigint): bigint {
  const product = u64((state + lane) * SECOND_MULTIPLIER);
  return product ^ (product >> 29n);
}

/** The multiplier of permutation `index`: eight neighbours follow one another, nine bits keep the eights apart. */
export function permutationMultiplier(index: number, seed: number): bigint {
  const block = Math.floor(index / 8);
  const drawn = (keyOf(seed, PURPOSE.multiplier + block) >> 32n) & 0x7ffff8n;
  return u64((BigInt(block) << 23n) | drawn) + BigInt(index % 8);
}

/**
 * Which permutation each place of a sketch of `hashes` minima is made by: a shuffle of as many eights as are needed.
 * Neighbours within an eight are not independent three by three, and a band takes neighbouring places.
 */
export function permutationOrder(hashes: number, seed: number): number[] {
  const order = Array.from({ length: Math.ceil(hashes / 8) * 8 }, (_, i) => i);
  for (let i = order.length - 1; i > 0; i--) {
    const other = Number(((keyOf(seed, PURPOSE.shuffle + i) >> 32n) * BigInt(i + 1)) >> 32n);
    [order[i], order[other]] = [order[other]!, order[i]!];
  }
  return order.slice(0, hashes);
}

/** Permutation `index` of the 64-bit numbers: (high, low) → (high + multiplier · low, low). */
export function permuteHash(hash: bigint, multiplier: bigint): bigint {
  const low = hash & 0xffffffffn;
  return (BigInt.asUintN(32, (hash >> 32n) + multiplier * low) << 32n) | low;
}

export function invertPermutedHash(image: bigint, multiplier: bigint): bigint {
  const low = image & 0xffffffffn;
  return (BigInt.asUintN(32, (image >> 32n) - multiplier * low) << 32n) | low;
}

/** The bin that empty bin `bin` asks at its n-th attempt, the same for every document. */
export function donorOf(bin: number, attempt: number, binCount: number): number {
  const hash = mix(u64(((BigInt(bin) << 32n) | BigInt(attempt)) * GOLDEN));
  return Number(((hash >> 32n) * BigInt(binCount)) >> 32n);
}

/**
 * The key of one band: its rows, chained. Each band starts from its own number, so that equal rows in two different
 * bands do not give equal keys, and all bands may share one table.
 */
export function bandKey(band: number, sketch: Uint32Array, positions: Iterable<number>): bigint {
  let key = mix(BigInt(band) + 1n); // + 1: zero is the one number that mix leaves as it is
  for (const position of positions) key = mix(u64((key ^ BigInt(sketch[position]!)) * GOLDEN));
  return key;
}
