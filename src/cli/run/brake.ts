/** What a run would do, and the limits that were set → why it must not, if it must not. */
import type { DecidedFiles } from '../../engine/files.ts';
import type { Options } from '../../options.ts';
import { withCommas } from '../../report/with-commas.ts';
import { printable } from '../printable.ts';

export const STOPPED = 3;

type Limits = Pick<Options, 'maxRemoved' | 'maxCluster'>;

export function brakeReason(limits: Limits, decided: DecidedFiles): string | undefined {
  return removedTooMany(limits, decided.read.documents, decided.totals.removed) ?? clusterTooLarge(limits, decided);
}

function removedTooMany({ maxRemoved }: Limits, documents: number, removed: number): string | undefined {
  // A product and not a quotient: 3 of 10 must not be more than 30 % by rounding.
  if (maxRemoved === undefined || removed <= maxRemoved * documents + 1e-9) return undefined;
  const share = ((100 * removed) / documents).toFixed(1);
  return (
    `${withCommas(removed)} of ${withCommas(documents)} documents (${share}%) would be removed, ` +
    `more than --max-removed ${Number((100 * maxRemoved).toFixed(9))}%`
  );
}

export function clusterTooLarge(
  { maxCluster }: Pick<Limits, 'maxCluster'>,
  { totals: { largest }, idOf }: Pick<DecidedFiles, 'totals' | 'idOf'>,
): string | undefined {
  if (maxCluster === undefined || largest === undefined || largest.size <= maxCluster) return undefined;
  const name = printable(JSON.stringify(idOf(largest.representative)));
  return `the cluster of ${name} has ${withCommas(largest.size)} documents, more than --max-cluster ${withCommas(maxCluster)}`;
}

/** Said even with --quiet: it is why nothing was written. */
export function stopLine(reason: string): string {
  return `neardup: stopped by the safety brake: ${reason}; nothing was written\n`;
}
