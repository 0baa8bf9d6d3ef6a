/** Files in → near-duplicates among their documents out, beside the page, with the kernel and the rules of the command line. */
import { dedup, type GivenDedupOptions } from 'neardup/browser';
import { compareTexts } from '../work/comparing.ts';
import { serve } from '../work/protocol.ts';
import { Collection, type Entry } from './collection.ts';
import type { Group, Member, RunEvent, RunResult, TryApi, TryOptions } from './types.ts';
import { unpack } from './unpack.ts';

let collection = new Collection([]);
let shingle: TryOptions['shingle'] = 'word:5';

serve<TryApi>({
  run: ({ files, options }, emit) => run(files, options, emit),
  async compare({ a, b }) {
    const [textA, textB] = [collection.entries[a]!.text, collection.entries[b]!.text];
    return { a: textA, b: textB, compared: await compareTexts(textA, textB, { shingle }) };
  },
  kept: ({ removed }) => collection.withoutItems(new Set(removed)),
});

/** After so many documents there are first results; each look takes an eighth of the time of the next. */
const FIRST_LOOK = 400;
const NEXT_LOOK = 8;
/** Milliseconds between two words about progress. */
const REPORT = 100;

async function run(given: readonly File[], options: TryOptions, emit: (event: RunEvent) => void): Promise<RunResult> {
  const started = performance.now();
  shingle = options.shingle;
  const given0 = given.reduce((sum, { size }) => sum + size, 0);
  let unpackedBytes = 0;
  const unpacked = await unpack(given, bytes => {
    unpackedBytes += bytes;
    // Unpacking is the first fifth of the bar.
    emit({ kind: 'reading', bytes: unpackedBytes / 5, of: given0, documents: 0 });
  });
  collection = new Collection(unpacked.files);
  collection.damages.push(...unpacked.damages);
  const of = unpacked.files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const resultOf = async (isPartial: boolean): Promise<RunResult> => ({
    documents: collection.entries.length,
    files: unpacked.files.length,
    bytes: of,
    repeatedIds: collection.repeatedIds,
    rejects: collection.rejects,
    rejected: collection.rejected,
    damages: collection.damages,
    unknownFiles: unpacked.unknown,
    groups: await groupsOf(collection.entries, options),
    seconds: (performance.now() - started) / 1000,
    isPartial,
  });
  let read = 0;
  let reported = 0;
  let look = FIRST_LOOK;
  for (const bytes of collection.read(options)) {
    read += bytes;
    const documents = collection.entries.length;
    if (performance.now() - reported > REPORT) {
      emit({ kind: 'reading', bytes: of * 0.2 + read * 0.8, of, documents });
      reported = performance.now();
    }
    if (documents >= look) {
      emit({ kind: 'first', result: await resultOf(true) });
      look = documents * NEXT_LOOK;
    }
  }
  emit({ kind: 'finding', documents: collection.entries.length });
  return resultOf(false);
}

/** Documents are named by their number, so that no id of theirs can be mistaken for another. */
async function groupsOf(entries: readonly Entry[], options: TryOptions): Promise<Group[]> {
  const { threshold, measure, keep } = options;
  const documents = entries.map(({ text }, item) => ({ id: String(item), text }));
  const given: GivenDedupOptions = { threshold, shingle: options.shingle, measure, keep };
  const { removed } = await dedup(documents, given);
  const members = new Map<number, Member[]>();
  for (const { id, keptId, relation, resemblance = 0, containment = 0 } of removed) {
    const [item, kept] = [Number(id), Number(keptId)];
    const list = members.get(kept) ?? [];
    list.push({ item, id: entries[item]!.id, relation: relation as Member['relation'], resemblance, containment });
    members.set(kept, list);
  }
  return Array.from(members, ([item, list]) => ({
    item,
    id: entries[item]!.id,
    excerpt: entries[item]!.text.slice(0, 300).replace(/\s+/g, ' ').trim().slice(0, 140),
    members: list.sort((a, b) => a.resemblance - b.resemblance),
    least: list.reduce((least, { resemblance }) => Math.min(least, resemblance), 1),
  })).sort((a, b) => b.members.length - a.members.length || a.item - b.item);
}
