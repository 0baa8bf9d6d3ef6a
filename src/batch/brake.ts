/** What a run would do, and the limits that were set → why it must not, if it must not. */
import type { DecidedFiles } from '../engine/engine.ts';
import { fail } from '../errors.ts';
import type { NameOf, Options } from '../options.ts';
import { printable } from '../report/printable.ts';
import { withCommas } from '../report/with-commas.ts';

export type Limits = { readonly [Name in 'maxRemoved' | 'maxCluster']?: Options[Name] | undefined };

/** Fails, even of a quiet run, before anything is written. */
export function requireWithinLimits(limits: Limits, decided: DecidedFiles, nameOf: NameOf): void {
  const { read, totals } = decided;
  const reason =
    removedTooMany(limits, read.documents, totals.removed, nameOf) ?? clusterTooLarge(limits, decided, nameOf);
  if (reason !== undefined) fail('SAFETY_BRAKE', { reason });
}

function removedTooMany(
  { maxRemoved }: Limits,
  documents: number,
  removed: number,
  nameOf: NameOf,
): string | undefined {
  // A product and not a quotient: 3 of 10 must not be more than 30 % by rounding.
  if (maxRemoved === undefined || removed <= maxRemoved * documents + 1e-9) return undefined;
  const share = ((100 * removed) / documents).toFixed(1);
  return (
    `${withCommas(removed)} of ${withCommas(documents)} documents (${share}%) would be removed, ` +
    `more than ${nameOf('maxRemoved')} ${Number((100 * maxRemoved).toFixed(9))}%`
  );
}

function clusterTooLarge(
  { maxCluster }: Limits,
  { totals: { largest }, idOf }: Pick<DecidedFiles, 'totals' | 'idOf'>,
  nameOf: NameOf,
): string | undefined {
  if (maxCluster === undefined || largest === undefined || largest.size <= maxCluster) return undefined;
  const name = printable(JSON.stringify(idOf(largest.representative)));
  return `the cluster of ${name} has ${withCommas(largest.size)} documents, more than ${nameOf('maxCluster')} ${withCommas(maxCluster)}`;
}
