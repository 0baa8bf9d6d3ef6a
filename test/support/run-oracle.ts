/** The rules of a run, written down as plainly as they are said: the slow twin of src/engine. */
import type { Decision } from '../../src/decisions/decision.ts';
import type { Cluster, Document, Pair, Relation, Removal } from '../../src/model.ts';

export interface OracleOptions {
  readonly threshold: number;
  readonly size: number;
  readonly measure: 'resemblance' | 'containment';
  readonly cluster: 'direct' | 'connected';
  /** Negative when a is to be kept rather than b; 0 leaves it to the input order. */
  readonly prefer?: (a: Document, b: Document) => number;
  readonly by?: string;
  readonly decisions?: readonly Decision[];
}

interface Entry {
  readonly document: Document;
  readonly shingles: ReadonlySet<string>;
  readonly place: number;
  readonly isProtected: boolean;
}

interface Values {
  readonly resemblance: number;
  readonly containmentAB: number;
  readonly containmentBA: number;
}

/** Words of the test texts stand apart by single spaces, in lower case. */
export function shinglesOf(text: string, size: number): Set<string> {
  const words = text.split(' ').filter(word => /[\p{L}\p{M}\p{N}_]/u.test(word));
  if (words.length === 0) return new Set();
  const last = Math.max(0, words.length - size);
  return new Set(Array.from({ length: last + 1 }, (_, at) => words.slice(at, at + size).join(' ')));
}

export function bruteForcePairs(documents: readonly Document[], options: Omit<OracleOptions, 'cluster'>): Pair[] {
  const entries = entriesOf(documents, [], options.size);
  const pairs: Pair[] = [];
  for (const a of entries) {
    for (const b of entries.slice(a.place + 1)) {
      if (!areAlike(a, b, options)) continue;
      const isDecided = decisionOn(a, b, options)?.verdict === 'same';
      const relation = isDecided ? ({ relation: 'decided' } as const) : {};
      pairs.push({ a: a.document.id, b: b.document.id, ...valuesOf(a, b), ...relation });
    }
  }
  return pairs;
}

export interface OracleResult {
  readonly kept: string[];
  readonly removed: Removal[];
  readonly clusters: Cluster[];
}

export function decideNaively(
  documents: readonly Document[],
  reference: readonly Document[],
  options: OracleOptions,
): OracleResult {
  const entries = entriesOf(documents, reference, options.size);
  const order = withPreferred(
    entries.toSorted((a, b) => inKeepOrder(a, b, options)),
    options,
  );
  const keptFor = options.cluster === 'direct' ? direct(order, options) : connected(order, options);
  const ids = (list: readonly Entry[]) => list.map(({ document }) => document.id);
  const removed = entries.filter(entry => keptFor.has(entry));
  const representatives = entries.filter(entry => removed.some(one => keptFor.get(one) === entry));
  return {
    kept: ids(entries.filter(entry => !entry.isProtected && !keptFor.has(entry))),
    removed: removed.map(entry => removalOf(entry, keptFor.get(entry)!, options)),
    clusters: representatives.map(entry => {
      const gone = removed.filter(one => keptFor.get(one) === entry);
      const members = [entry, ...gone].sort((a, b) => a.place - b.place);
      const { id } = entry.document;
      const minResemblance = Math.min(1, ...gone.map(one => valuesOf(one, entry).resemblance));
      return { cluster: id, size: members.length, representative: id, members: ids(members), minResemblance };
    }),
  };
}

function entriesOf(documents: readonly Document[], reference: readonly Document[], size: number): Entry[] {
  return [...reference, ...documents].map((document, place) => ({
    document,
    shingles: shinglesOf(document.text!, size),
    place,
    isProtected: place < reference.length,
  }));
}

function inKeepOrder(a: Entry, b: Entry, { measure, prefer }: OracleOptions): number {
  const bySize = measure === 'containment' ? b.shingles.size - a.shingles.size : 0;
  return (
    Number(b.isProtected) - Number(a.isProtected) ||
    bySize ||
    (prefer?.(a.document, b.document) ?? 0) ||
    a.place - b.place
  );
}

function direct(order: readonly Entry[], options: OracleOptions): Map<Entry, Entry> {
  const keptFor = new Map<Entry, Entry>();
  const kept: Entry[] = [];
  for (const entry of order) {
    let best: Entry | undefined;
    for (const candidate of entry.isProtected ? [] : kept) {
      if (!reaches(entry, candidate, options)) continue;
      if (best === undefined || similarity(entry, candidate, options) > similarity(entry, best, options))
        best = candidate;
    }
    if (best) keptFor.set(entry, best);
    else kept.push(entry);
  }
  return keptFor;
}

function connected(order: readonly Entry[], options: OracleOptions): Map<Entry, Entry> {
  const keptFor = new Map<Entry, Entry>();
  const seen = new Set<Entry>();
  for (const first of order) {
    if (seen.has(first)) continue;
    const component = [first];
    seen.add(first);
    for (const member of component) {
      for (const other of order) {
        if (seen.has(other) || !areAlike(member, other, options)) continue;
        seen.add(other);
        component.push(other);
      }
    }
    for (const member of component.slice(1)) if (!member.isProtected) keptFor.set(member, first);
  }
  return keptFor;
}

type Rule = Pick<OracleOptions, 'threshold' | 'measure' | 'by' | 'decisions'>;

function areAlike(a: Entry, b: Entry, rule: Rule): boolean {
  return reaches(a, b, rule) || reaches(b, a, rule);
}

function reaches(a: Entry, b: Entry, rule: Rule): boolean {
  if (rule.by !== undefined && a.document[rule.by] !== b.document[rule.by]) return false;
  return decisionOn(a, b, rule)?.verdict !== 'different' && similarity(a, b, rule) >= rule.threshold;
}

function similarity(a: Entry, b: Entry, rule: Rule): number {
  const { resemblance, containmentAB } = valuesOf(a, b);
  const value = rule.measure === 'containment' ? containmentAB : resemblance;
  return decisionOn(a, b, rule)?.verdict === 'same' ? Math.max(value, rule.threshold) : value;
}

/** The last line about the two. */
function decisionOn(a: Entry, b: Entry, { decisions = [] }: Pick<Rule, 'decisions'>): Decision | undefined {
  const ids = [a.document.id, b.document.id];
  return decisions.findLast(line => ids.includes(line.a) && ids.includes(line.b));
}

/** Each document that somebody wants to be kept, after those that are wanted rather than it, before all others. */
function withPreferred(order: readonly Entry[], rule: OracleOptions): Entry[] {
  const isRather = (a: Entry, b: Entry) =>
    a !== b &&
    !a.isProtected &&
    !b.isProtected &&
    (rule.by === undefined || a.document[rule.by] === b.document[rule.by]) &&
    decisionOn(a, b, rule)?.keep === a.document.id;
  const placed: Entry[] = [];
  const seen = new Set<Entry>();
  const place = (entry: Entry) => {
    if (seen.has(entry)) return;
    seen.add(entry);
    for (const other of order) if (isRather(other, entry)) place(other);
    placed.push(entry);
  };
  for (const entry of order) if (order.some(other => isRather(entry, other))) place(entry);
  const isProtected = (entry: Entry) => entry.isProtected;
  const rest = order.filter(entry => !placed.includes(entry));
  return [...rest.filter(isProtected), ...placed, ...rest.filter(entry => !entry.isProtected)];
}

/** Equal texts are alike even without words; other texts without words are like nothing. */
function valuesOf(a: Entry, b: Entry): Values {
  if (a.document.text === b.document.text) return { resemblance: 1, containmentAB: 1, containmentBA: 1 };
  const shared = [...a.shingles].filter(shingle => b.shingles.has(shingle)).length;
  if (shared === 0) return { resemblance: 0, containmentAB: 0, containmentBA: 0 };
  return {
    resemblance: shared / (a.shingles.size + b.shingles.size - shared),
    containmentAB: shared / a.shingles.size,
    containmentBA: shared / b.shingles.size,
  };
}

function removalOf(entry: Entry, keptEntry: Entry, options: OracleOptions): Removal {
  const { measure, threshold } = options;
  const { resemblance, containmentAB } = valuesOf(entry, keptEntry);
  const isContained = measure === 'containment' && resemblance < threshold && containmentAB >= threshold;
  const found: Relation =
    entry.document.text === keptEntry.document.text ? 'exact' : isContained ? 'contained' : 'near';
  const relation: Relation = decisionOn(entry, keptEntry, options)?.verdict === 'same' ? 'decided' : found;
  const keptId = keptEntry.document.id;
  const values = { relation, resemblance, containment: containmentAB, cluster: keptId };
  return { id: entry.document.id, keptId, ...values, ...(keptEntry.isProtected && { reference: true }) };
}
