/** The SPDX licence texts → what the demonstration tells about them. */
import { compareUsing, passagesUsing } from '../../engine/calls/compare.ts';
import { decisionsOf, pairsOf } from '../../engine/decide/decisions.ts';
import type { DecidedFiles } from '../../engine/engine.ts';
import { openRun } from '../../engine/memory/corpus.ts';
import { readRunOptions } from '../../engine/run-options.ts';
import { createSketcher } from '../../engine/sketcher.ts';
import type { Cluster } from '../../model.ts';
import { comparisonPage } from '../output/comparison-page.ts';
import { familyName, type Licence } from './families.ts';

/** Licences are templates: half of the shingles in common makes two of them relatives. */
export const THRESHOLD = 0.5;

export interface Family {
  readonly name: string;
  readonly cluster: Cluster;
}

export interface ShownPair {
  readonly a: string;
  readonly b: string;
  readonly resemblance: number;
  readonly containmentAB: number;
  readonly containmentBA: number;
  readonly remark: string;
}

export interface Findings {
  readonly licences: readonly Licence[];
  readonly bytes: number;
  readonly pairs: number;
  readonly exact: number;
  readonly near: number;
  /** Largest first. */
  readonly families: readonly Family[];
  /** The largest group that chains of resemblance would make. */
  readonly chain: Family;
  readonly shown: readonly ShownPair[];
  /** The clean-up, as `dedup` would decide on it. */
  readonly decided: DecidedFiles;
}

const remarks: readonly (readonly [a: string, b: string, remark: string])[] = [
  ['GPL-2.0-only', 'GPL-2.0-or-later', 'one text under two names'],
  ['MIT', 'JSON', 'the same, and one more sentence: “for Good, not Evil”'],
  ['BSD-2-Clause', 'BSD-3-Clause', 'the shorter one is nearly all in the longer'],
  ['GPL-3.0-only', 'LGPL-3.0-only', 'the whole GPL, with the exceptions of the LGPL'],
  ['MPL-1.0', 'MPL-1.1', 'two versions of one licence'],
  ['MIT', 'Apache-2.0', 'no relatives'],
];

/** Sorted, so that of a family the plain id comes before `-or-later`. */
export async function loadLicences(): Promise<Licence[]> {
  const { default: list } = await import('spdx-license-list/full.js');
  return Object.entries(list)
    .map(([id, { name, licenseText }]) => ({ id, name, text: licenseText }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

export async function findAmong(licences: readonly Licence[]): Promise<Findings> {
  const documents = licences.map(({ id, text }) => ({ id, text }));
  const byId = new Map(licences.map(licence => [licence.id, licence]));
  const named = (cluster: Cluster): Family => ({
    name: familyName(cluster.members.map(id => byId.get(id)!)),
    cluster,
  });
  const run = await openRun(documents, [], readRunOptions({ threshold: THRESHOLD }));
  const bytes = licences.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const read = {
    documents: licences.length,
    rejects: [],
    damages: [],
    repeatedIds: 0,
    contentBytes: bytes,
    unknownFields: new Set<string>(),
  };
  const decided = { ...decisionsOf(run), options: run.options, read, release: () => {} };
  const { totals, clusters } = decided;
  const chained = decisionsOf({ ...run, options: { ...run.options, cluster: 'connected' } }).clusters;
  return {
    licences,
    bytes,
    pairs: [...pairsOf(run, false)].length,
    exact: totals.exact,
    near: totals.near,
    families: largestFirst(clusters).map(named),
    chain: named(largestFirst(chained)[0]!),
    shown: await shownPairs(byId),
    decided,
  };
}

function largestFirst(clusters: Iterable<Cluster>): Cluster[] {
  return [...clusters].sort((a, b) => b.size - a.size);
}

async function shownPairs(byId: ReadonlyMap<string, Licence>): Promise<ShownPair[]> {
  const sketcher = await createSketcher();
  return remarks.flatMap(([a, b, remark]) => {
    const [left, right] = [byId.get(a), byId.get(b)];
    if (!left || !right) return []; // another version of the list
    const { resemblance, containmentAB, containmentBA } = sketcher.compare(sketcher.set(left), sketcher.set(right));
    return [{ a, b, resemblance, containmentAB, containmentBA, remark }];
  });
}

/** The page that `neardup compare A B --html` makes. */
export async function pageOf(a: Licence, b: Licence): Promise<string> {
  const sketcher = await createSketcher();
  return comparisonPage(a, b, compareUsing(sketcher, a, b), passagesUsing(sketcher, a, b), sketcher.options);
}
