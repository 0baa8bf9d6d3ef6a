/** Lines → what is known of each: a document with its content and keys, a reject with its reason, or nothing. */
import { fieldOf } from '../../../formats/fields.ts';
import { isReject, tooLarge } from '../../../formats/item.ts';
import type { Document } from '../../../model.ts';
import { createAnalyser } from '../../analyse/analyse.ts';
import { withoutText } from '../../analyse/content.ts';
import { createGroupMark } from '../../analyse/group-mark.ts';
import { groupOf } from '../../analyse/group-of.ts';
import { createLoggedContent } from '../../analyse/logged-content.ts';
import { shortTextsOf } from '../../analyse/short-texts.ts';
import { keepValue } from '../../decide/keep-order.ts';
import type { Sketcher } from '../../sketcher.ts';
import { fieldsOf, UnknownFields } from '../../unknown-fields.ts';
import type { LineReader } from './line-reader.ts';
import { type RowsOut, rowsIn } from './pipes.ts';
import { type Extra, kinds, type WorkerPlan } from './plan.ts';

/** Writes `D rid bytes-of-the-line [content, key, …] id extra`, `R rid 0 reason`, or `B rid`. */
export async function analyseLines(
  plan: WorkerPlan,
  sketcher: Sketcher,
  lines: LineReader,
  maxDocument: number,
  out: RowsOut,
): Promise<void> {
  const { options, reading } = plan;
  const { analyse } = createAnalyser(options, sketcher, shortTextsOf(options));
  const extraOf = await createExtra(plan, sketcher);
  const unknown = new UnknownFields(fieldsOf(options));
  for (const { numbers, rest } of rowsIn('analyse')) {
    const rid = numbers[0]!;
    out.see(rid);
    const reject = (reason: string) => out.row(kinds.reject, rid, 0, '', JSON.stringify(reason));
    if (rest.length > maxDocument && !lines.isConverted(rid)) {
      reject(tooLarge(maxDocument));
      continue;
    }
    const item = lines.item(rid, rest);
    if (item === undefined) {
      out.row(kinds.blank, rid, 0, '', '');
      continue;
    }
    if (isReject(item)) {
      reject(item.reject.reason);
      continue;
    }
    // A field that only the reference set has is no field of the inputs.
    if (rid >= plan.protectedCount) unknown.see(item.document);
    const document = reading.setField === undefined ? item.document : withoutText(item.document);
    const mark = createGroupMark(options.by, document, sketcher.kernel);
    const { content, keys, elements } = analyse(document);
    const known = [
      [...mark.content(content)].map(word => word.toString(16).padStart(8, '0')).join(''),
      ...[...mark.keys(keys)].map(key => key.toString(36)),
      // Apart from the keys, as in the local engines.
      ...[...mark.keys(elements)].map(key => `-${key.toString(36)}`),
    ];
    const id = item.isUnnamed ? 'null' : JSON.stringify(item.document.id);
    out.row(kinds.document, rid, rest.length, known.join(','), id, JSON.stringify(extraOf(document)));
  }
  out.end([...unknown.names]);
}

async function createExtra({ options, hasDecisions }: WorkerPlan, { kernel }: Sketcher) {
  const loggedContent = hasDecisions ? await createLoggedContent(options.seed, kernel) : undefined;
  const { keep } = options;
  return (document: Document): Extra => {
    const value = 'field' in keep ? keepValue(keep, fieldOf(document, keep.field)) : undefined;
    return {
      ...(value && { keep: [value.kind, String(value.number), value.text] }),
      ...(loggedContent && {
        content: loggedContent(document),
        group: loggedContent({ text: groupOf(document, options.by) ?? '' }),
      }),
    };
  };
}
