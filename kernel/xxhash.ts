/** Bytes that come in parts → XXH64, whose lower half is the checksum of a Zstandard frame. */

const P1: u64 = 0x9e3779b185ebca87;
const P2: u64 = 0xc2b2ae3d27d4eb4f;
const P3: u64 = 0x165667b19e3779f9;
const P4: u64 = 0x85ebca77c2b2ae63;
const P5: u64 = 0x27d4eb2f165667c5;

let lane1: u64 = 0;
let lane2: u64 = 0;
let lane3: u64 = 0;
let lane4: u64 = 0;
let total: u64 = 0;
/** The bytes that do not fill a stripe of 32 yet. */
const TAIL: usize = memory.data(32, 16);

export function xxhBegin(): void {
  lane1 = P1 + P2;
  lane2 = P2;
  lane3 = 0;
  lane4 = 0 - P1;
  total = 0;
}

@inline
function round(lane: u64, input: u64): u64 {
  return rotl<u64>(lane + input * P2, 31) * P1;
}

/** Takes whole stripes and returns where it stopped. */
function addStripes(start: usize, end: usize): usize {
  let a = lane1;
  let b = lane2;
  let c = lane3;
  let d = lane4;
  while (end - start >= 32) {
    a = round(a, load<u64>(start));
    b = round(b, load<u64>(start, 8));
    c = round(c, load<u64>(start, 16));
    d = round(d, load<u64>(start, 24));
    start += 32;
  }
  lane1 = a;
  lane2 = b;
  lane3 = c;
  lane4 = d;
  return start;
}

export function xxhAdd(start: usize, end: usize): void {
  const held = <usize>(total & 31);
  total += <u64>(end - start);
  if (held > 0) {
    const taken = min<usize>(32 - held, end - start);
    memory.copy(TAIL + held, start, taken);
    start += taken;
    if (held + taken < 32) return;
    addStripes(TAIL, TAIL + 32);
  }
  start = addStripes(start, end);
  memory.copy(TAIL, start, end - start);
}

export function xxhFinish(): u64 {
  let hash = P5;
  if (total >= 32) {
    hash = rotl<u64>(lane1, 1) + rotl<u64>(lane2, 7) + rotl<u64>(lane3, 12) + rotl<u64>(lane4, 18);
    hash = (hash ^ round(0, lane1)) * P1 + P4;
    hash = (hash ^ round(0, lane2)) * P1 + P4;
    hash = (hash ^ round(0, lane3)) * P1 + P4;
    hash = (hash ^ round(0, lane4)) * P1 + P4;
  }
  hash += total;
  let at = TAIL;
  const end = TAIL + <usize>(total & 31);
  for (; end - at >= 8; at += 8) hash = rotl<u64>(hash ^ round(0, load<u64>(at)), 27) * P1 + P4;
  if (end - at >= 4) {
    hash = rotl<u64>(hash ^ (<u64>load<u32>(at) * P1), 23) * P2 + P3;
    at += 4;
  }
  for (; at < end; at++) hash = rotl<u64>(hash ^ (<u64>load<u8>(at) * P5), 11) * P1;
  hash = (hash ^ (hash >> 33)) * P2;
  hash = (hash ^ (hash >> 29)) * P3;
  return hash ^ (hash >> 32);
}
