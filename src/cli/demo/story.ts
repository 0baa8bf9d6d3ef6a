/** Findings → the lines of the demonstration. */

import { alignColumns } from '../../report/printable.ts';
import { withCommas } from '../../report/with-commas.ts';
import { type Family, type Findings, type ShownPair, THRESHOLD } from './find.ts';

interface Shown {
  /** Of the whole run. */
  readonly report: string;
  /** Of two texts side by side. */
  readonly page: string;
  readonly corpus: string;
  readonly seconds: number;
}

const FAMILIES = 10;

export function storyOf(
  findings: Findings,
  { report, page, corpus, seconds }: Shown,
  strong: (text: string) => string,
): string[] {
  const { licences, bytes, pairs, exact, near, families, chain, shown } = findings;
  const possible = (licences.length * (licences.length - 1)) / 2;
  const { cluster } = chain;
  return [
    strong('Which open-source licences are nearly the same text?'),
    '',
    `${withCommas(licences.length)} licence texts of the SPDX list, ${(bytes / 1e6).toFixed(1)} MB, in ${seconds.toFixed(1)} s.`,
    `Of ${withCommas(possible)} possible pairs, ${withCommas(pairs)} resemble each other by ${THRESHOLD} or more; each was compared exactly.`,
    `A clean-up at ${THRESHOLD} would remove ${exact + near} texts: ${exact} exact copies, ${near} near-duplicates.`,
    '',
    strong('The largest families'),
    '',
    ...indented(alignColumns([['size', 'least', 'family', 'members'], ...families.slice(0, FAMILIES).map(familyRow)])),
    '',
    `  least: the lowest resemblance of a member to the one that stands for it. Never below ${THRESHOLD}: near-duplicates`,
    `  of near-duplicates do not count. With --cluster connected they do, and ${cluster.size} texts (${chain.name})`,
    `  become one group, in which the lowest is ${cluster.minResemblance!.toFixed(2)}.`,
    '',
    strong('Some pairs'),
    '',
    ...indented(alignColumns([['A', 'B', 'resemblance', 'A in B', 'B in A', ''], ...shown.map(pairRow)])),
    '',
    '  resemblance: the share of all runs of five words that are in both; A in B: the share of those of A.',
    '',
    strong('See it'),
    '',
    `  the clean-up on one page   ${report}`,
    `  two of them side by side   ${page}`,
    `  all texts, to play with    ${corpus}`,
    '',
    strong('Try next'),
    '',
    `  neardup clusters ${corpus} --threshold 0.7`,
    `  neardup dedup ${corpus} -o clean.jsonl --report report.html`,
    `  neardup compare '${corpus}#MIT' '${corpus}#ISC'`,
    '  neardup dedup your-texts/ -o kept/ --dry-run',
    '  neardup --help',
  ];
}

function familyRow({ name, cluster }: Family): string[] {
  return [
    String(cluster.size).padStart(4),
    cluster.minResemblance!.toFixed(2).padStart(5),
    name,
    membersOf(cluster.members),
  ];
}

/** As many as fit a line. */
function membersOf(members: readonly string[]): string {
  const shown: string[] = [];
  for (const member of members) {
    if ([...shown, member].join(', ').length > 44) break;
    shown.push(member);
  }
  return shown.length === members.length ? shown.join(', ') : `${shown.join(', ')}, …`;
}

function pairRow({ a, b, resemblance, containmentAB, containmentBA, remark }: ShownPair): string[] {
  return [a, b, ...[resemblance, containmentAB, containmentBA].map(share), remark];
}

/** Never 1.000 or 0.000 by rounding: a reader takes those for all and nothing. */
function share(value: number): string {
  const clamped = value === 0 || value === 1 ? value : Math.min(0.999, Math.max(0.001, value));
  return clamped.toFixed(3);
}

function indented(lines: readonly string[]): string[] {
  return lines.map(line => `  ${line}`);
}
