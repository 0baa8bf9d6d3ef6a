/** A plan → the work of one task: documents analysed, components decided, or lines marked, with the code of the local engines. */

import { encodedFields } from '../../../formats/json/json-fields.ts';
import { withFieldTexts } from '../../../formats/json/raw-json.ts';
import { openReading } from '../../../formats/reading.ts';
import { sketcherOf } from '../../sketcher.ts';
import { analyseLines } from './analyse.ts';
import { convertFiles } from './convert.ts';
import { decideComponents } from './decide.ts';
import { countElements, linkPrefixes, sumCounts, takePrefixes } from './giants.ts';
import { lineReader } from './line-reader.ts';
import { RowsOut, rowsIn } from './pipes.ts';
import { kinds, stands, type WorkerPlan } from './plan.ts';

export async function runTask(plan: WorkerPlan): Promise<void> {
  const out = new RowsOut();
  if (plan.task === 'mark') return markLines(out);
  if (plan.task === 'sum') return sumCounts(out);
  if (plan.task === 'link') return linkPrefixes(plan, out);
  const rules = await openReading(plan.reading);
  if (plan.task === 'convert') return convertFiles(rules, out);
  const sketcher = await sketcherOf(plan.options);
  const lines = lineReader(plan, rules.fields);
  if (plan.task === 'analyse') return analyseLines(plan, sketcher, lines, rules.maxDocument, out);
  if (plan.task === 'count') return countElements(plan, sketcher, lines, out);
  if (plan.task === 'prefix') return takePrefixes(plan, sketcher, lines, out);
  return decideComponents(plan, sketcher, lines, out);
}

/** Reads `rid mark tab line`; writes `L rid 0 '' line`. */
function markLines(out: RowsOut): void {
  for (const { numbers, rest } of rowsIn('mark')) {
    out.see(numbers[0]!);
    const tab = rest.indexOf(9);
    const neardup = JSON.parse(Buffer.from(rest.subarray(0, tab)).toString());
    const line = Buffer.from(withFieldTexts(rest.subarray(tab + 1), encodedFields({ neardup }))).toString();
    out.row(kinds.line, numbers[0]!, 0, '', line.replaceAll('\t', stands.tab).replaceAll('\r', stands.return));
  }
  out.end();
}
