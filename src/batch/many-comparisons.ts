/** Very many comparisons, and the largest group that causes them → a warning that says what to change. */
import type { LargestGroup } from '../engine/decide/comparisons.ts';
import type { RunOptions } from '../engine/run-options.ts';
import { printable } from '../report/printable.ts';
import { withCommas } from '../report/with-commas.ts';

type Compared = Pick<RunOptions, 'measure' | 'verify'>;

export function manyComparisonsLine({ documents, passage }: LargestGroup, options: Compared): string {
  const shared = passage === undefined ? '' : `, and "${shortened(passage)}"`;
  const group = documents > 1 ? `: ${withCommas(documents)} documents share one key${shared}` : '';
  const what = options.measure === 'edit' ? 'minutes of work on edit distances' : 'a billion comparisons';
  return printable(
    `warning: ${what} and more to come${group}; to have fewer comparisons, ${advice(options, passage !== undefined)}`,
  );
}

function advice({ measure, verify }: Compared, isText: boolean): string {
  const usual =
    `remove ${isText ? 'the text' : 'the elements'} they share, raise --threshold, ` +
    'take longer shingles (--shingle), or compare apart with --by';
  // Only sets that are compared exactly can be told apart by their rare elements.
  if (measure === 'edit') return `${usual}; --measure resemblance compares few of them`;
  return verify === 'exact' ? usual : `${usual}; --verify exact compares few of them`;
}

const SHOWN = 80;

function shortened(passage: string): string {
  const line = passage.replace(/\s+/g, ' ');
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}
