/** Clusters or pairs → lines for people at a terminal: groups of ids, the one that stays first, a blank line between groups. */
import { clustersOf } from '../../cluster/clusters.ts';
import { kept } from '../../cluster/keeping.ts';
import type { DecidedFiles } from '../../engine/engine.ts';
import type { RunOptions } from '../../engine/run-options.ts';
import type { Pair, Removal } from '../../model.ts';
import { rounded, visible } from '../../report/printable.ts';
import type { Io } from '../app/io.ts';

/** Where a result goes: read by people, line by line, or with its summary as JSON on standard output. */
type ListTarget = 'listing' | 'lines' | 'file with summary';

export function listTarget({ stdout }: Pick<Io, 'stdout'>, output: string | undefined, json: boolean): ListTarget {
  if (output !== undefined) return json ? 'file with summary' : 'lines';
  const isTerminal = Boolean((stdout as Partial<NodeJS.WriteStream>).isTTY);
  return isTerminal && !json ? 'listing' : 'lines';
}

type Shown = Pick<RunOptions, 'verify' | 'measure'>;

/** What the numbers of a listing are, below it. */
export function legendLines({ verify, measure }: Shown): string[] {
  const value = verify !== 'exact' ? 'estimated resemblance' : measure === 'edit' ? 'edit similarity' : 'resemblance';
  const also = showsContainment({ verify, measure }) ? ' (in brackets: containment)' : '';
  return ['', `values: ${value} to the first document of each group${also}`];
}

/** Values are kept by number, 8 bytes a document: there may be millions. */
export function* clusterListing({ removed, keptBy, idOf, options }: DecidedFiles, io: Pick<Io, 'color'>) {
  const values = new Float64Array(keptBy.length);
  const isDecided = new Uint8Array(keptBy.length);
  const contained = new Float64Array(showsContainment(options) ? keptBy.length : 0);
  let item = 0;
  for (const removal of removed) {
    while (keptBy[item] === kept) item++;
    values[item] = removal.relation === 'exact' ? EXACT : likenessOf(removal);
    isDecided[item] = Number(removal.relation === 'decided');
    if (showsContainment(options)) contained[item] = removal.containment ?? 0;
    item++;
  }
  let isFirst = true;
  for (const { representative, members } of clustersOf(keptBy, () => 1)) {
    yield* headOf(idOf(representative), io, isFirst);
    isFirst = false;
    for (const member of members)
      if (member !== representative)
        yield memberLine(idOf(member), values[member]!, contained[member], isDecided[member] === 1);
  }
}

export async function* pairListing(pairs: AsyncIterable<Pair>, options: Shown, io: Pick<Io, 'color'>) {
  let first: string | undefined;
  for await (const pair of pairs) {
    if (pair.a !== first) yield* headOf(pair.a, io, first === undefined);
    first = pair.a;
    const contained = Math.max(pair.containmentAB ?? 0, pair.containmentBA ?? 0);
    yield memberLine(
      pair.b,
      likenessOf(pair),
      showsContainment(options) ? contained : undefined,
      pair.relation === 'decided',
    );
  }
}

/** Told apart from a resemblance of 1, which texts have that differ in case or punctuation. */
const EXACT = 2;

/** Estimates are of resemblance alone. */
function showsContainment({ verify, measure }: Shown): boolean {
  return verify === 'exact' && measure === 'containment';
}

function likenessOf({ editSimilarity, estimatedResemblance, resemblance }: Removal | Pair): number {
  return editSimilarity ?? estimatedResemblance ?? resemblance ?? 0;
}

function* headOf(id: string, { color }: Pick<Io, 'color'>, isFirst: boolean): Generator<string> {
  if (!isFirst) yield '';
  yield color ? `\u001b[1m${visible(id)}\u001b[22m` : visible(id);
}

function memberLine(id: string, value: number, contained: number | undefined, isDecided: boolean): string {
  const shown = value === EXACT ? 'exact' : rounded(value);
  const also = contained === undefined || value === EXACT ? '' : `  (${rounded(contained)})`;
  return `  ${shown.padEnd(6)}  ${visible(id)}${also}${isDecided ? '  (decided)' : ''}`;
}
