/** Tables → what is damaged in them: beside the entries, or in the entries, too. */
import { setImmediate } from 'node:timers/promises';
import { fail } from '../../errors.ts';
import { type Damage, emptyState, entriesIn, type State } from '../contract.ts';
import { tellDamage } from '../damages.ts';
import { DamagedEntry, Entry } from '../record.ts';
import { DamagedMeta, type MetaName, readMeta } from './meta.ts';
import { BLOCKS_PER_PAGE, columnsOf, isSound } from './postings/block.ts';
import { BUCKET_WORDS, mayHave } from './postings/filter.ts';
import { partOf } from './postings/key-parts.ts';
import type { Manifest } from './postings/manifest.ts';
import { placeOf, type RunDescription } from './postings/run.ts';
import { unseal } from './sealed.ts';
import { pairKey, type Tables } from './tables.ts';

/** All of one moment: nothing is waited for, so that others may write meanwhile. */
export function* checkTables(tables: Tables): Generator<Damage> {
  const damages = [...damagedParts(tables)];
  yield* damages;
}

/** Every record that carries a checksum is read; the first that is not as it was written is an error. Nobody waits for it. */
export async function requireSoundTables(tables: Tables, index: string): Promise<void> {
  const damagesByStep = [damagedMetas(tables), damagedRuns(tables), damagedEntries(tables)];
  for (const damages of damagesByStep) {
    for await (const damage of damages) {
      if (damage === step) await setImmediate();
      else fail('INDEX_DAMAGED', { index, what: tellDamage(damage) });
    }
  }
}

/** Of the runs there are now; one that was merged into another meanwhile is left out. */
function* damagedRuns(tables: Tables): Generator<Damage | typeof step> {
  const runs = () => readMeta<Manifest>(tables, 'runs')?.runs ?? [];
  for (const run of runs()) {
    for (const damage of checkRun(tables, run)) {
      if (!runs().some(({ id }) => id === run.id)) break;
      yield damage;
    }
  }
}

/** Between parts that take some milliseconds to read. */
const step = Symbol('step');

/** Others may write meanwhile. */
function* damagedEntries(tables: Tables): Generator<Damage | typeof step> {
  const before = readMeta<State>(tables, 'state') ?? emptyState;
  let entries = 0;
  for (let from = 0, portion = PORTION; portion === PORTION; yield step) {
    portion = 0;
    for (const { key: number, value: bytes } of tables.entries.getRange({ start: from, limit: PORTION })) {
      yield* damageOf(number, bytes);
      from = number + 1;
      portion++;
    }
    entries += portion;
  }
  const state = readMeta<State>(tables, 'state') ?? emptyState;
  const known = entriesIn(state);
  if (JSON.stringify(state) === JSON.stringify(before) && entries !== known)
    yield { what: `it has ${entries} entries, and should have ${known}` };
}

const PORTION = 256;

function* damageOf(number: number, bytes: Uint8Array): Generator<Damage> {
  try {
    Entry.checked(number, bytes);
  } catch (error) {
    if (!(error instanceof DamagedEntry)) throw error;
    yield { number, ...(error.id !== undefined && { id: error.id }), what: error.message };
  }
}

function* damagedParts(tables: Tables): Generator<Damage> {
  const metas = [...damagedMetas(tables)];
  yield* metas;
  const manifest = metas.length === 0 ? readMeta<Manifest>(tables, 'runs') : undefined;
  if (!manifest) return;
  let from = 0;
  for (const run of manifest.runs) {
    if (run.from < from || run.to <= run.from) yield { what: `run ${run.id} of postings is out of order` };
    from = run.to;
    for (const damage of checkRun(tables, run)) if (damage !== step) yield damage;
  }
  yield* strayBlocks(tables, manifest);
  yield* strayTombstones(tables);
}

function* damagedMetas(tables: Tables): Generator<Damage> {
  for (const name of ['made', 'state', 'runs', 'writer'] as const) yield* checkMeta(tables, name);
}

function* checkMeta(tables: Tables, name: MetaName): Generator<Damage> {
  try {
    readMeta(tables, name);
  } catch (error) {
    if (!(error instanceof DamagedMeta)) throw error;
    yield { what: error.message };
  }
}

function* checkRun(tables: Tables, run: RunDescription): Generator<Damage | typeof step> {
  let postings = 0;
  let filter: Uint32Array | undefined;
  for (let block = 0; block < run.blocks; block++) {
    if (block % BLOCKS_PER_PAGE === 0) {
      yield step;
      const page = block / BLOCKS_PER_PAGE;
      filter = filterPage(tables, run.id, page);
      if (!filter) yield { what: `page ${page} of the filter of run ${run.id} of postings: its checksum is wrong` };
    }
    const bytes = tables.blocks.getBinary(pairKey(run.id, block));
    if (!bytes) continue;
    if (!isSound(bytes, placeOf(run.id, block))) {
      yield { what: `block ${block} of run ${run.id} of postings: its checksum is wrong` };
      continue;
    }
    const columns = columnsOf(bytes);
    postings += columns.count;
    if (!isInOrder(columns, run, block)) yield { what: `block ${block} of run ${run.id} of postings is out of order` };
    if (filter && !isInFilter(columns, filter, run, block))
      yield { what: `block ${block} of run ${run.id} of postings is missing in its filter` };
  }
  if (postings !== run.postings)
    yield { what: `run ${run.id} has ${postings} postings, and should have ${run.postings}` };
}

type Columns = ReturnType<typeof columnsOf>;

function isInOrder({ count, high, low, number }: Columns, run: RunDescription, block: number): boolean {
  for (let at = 0; at < count; at++) {
    if (partOf(high[at]!, run.blocks) !== block || number[at]! < run.from || number[at]! >= run.to) return false;
    if (at === 0) continue;
    const isAfter =
      high[at]! > high[at - 1]! ||
      (high[at] === high[at - 1] &&
        (low[at]! > low[at - 1]! || (low[at] === low[at - 1] && number[at]! > number[at - 1]!)));
    if (!isAfter) return false;
  }
  return true;
}

function isInFilter({ count, high, low }: Columns, filter: Uint32Array, run: RunDescription, block: number): boolean {
  const first = (block % BLOCKS_PER_PAGE) * run.buckets * BUCKET_WORDS;
  for (let at = 0; at < count; at++) if (!mayHave(filter, first, run.buckets, high[at]!, low[at]!)) return false;
  return true;
}

function filterPage(tables: Tables, run: number, page: number): Uint32Array | undefined {
  const sealed = tables.filters.getBinary(pairKey(run, page));
  const bytes = sealed && unseal(sealed, placeOf(run, page));
  return bytes && new Uint32Array(new Uint8Array(bytes).buffer);
}

/** Blocks of runs that nobody knows of would stay for ever. */
function* strayBlocks(tables: Tables, manifest: Manifest): Generator<Damage> {
  const known = new Set([...manifest.runs.map(({ id }) => id), ...manifest.garbage]);
  for (let run = 0; ; ) {
    const [key] = tables.blocks.getKeys({ start: pairKey(run, 0), limit: 1 });
    if (!key) return;
    run = key.readUInt32BE(0);
    if (!known.has(run)) yield { what: `there are blocks of run ${run} of postings, which is not in use` };
    run++;
  }
}

/** The next merge would drop the postings of an entry that is there. */
function* strayTombstones({ tombstones, entries }: Tables): Generator<Damage> {
  for (const number of tombstones.getKeys())
    if (entries.doesExist(number)) yield { number, what: 'it is marked as removed, and is there' };
}
