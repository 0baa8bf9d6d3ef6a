/** A plan → the work of one task: documents analysed, components decided, or lines marked, with the code of the local engines. */

import { kept } from '../../../cluster/keeping.ts';
import type { FieldRules } from '../../../formats/fields.ts';
import { isReject, tooLarge } from '../../../formats/item.ts';
import { encodedFields } from '../../../formats/json/json-fields.ts';
import { withFieldTexts } from '../../../formats/json/raw-json.ts';
import { readJsonLine } from '../../../formats/json/read.ts';
import { openReading } from '../../../formats/reading.ts';
import type { Document } from '../../../model.ts';
import { createAnalyser } from '../../analyse/analyse.ts';
import { withoutText } from '../../analyse/content.ts';
import { createGroupMark } from '../../analyse/group-mark.ts';
import { Comparisons } from '../../decide/comparisons.ts';
import { decisionsOf, pairsOf } from '../../decide/decisions.ts';
import { createCorpus } from '../../memory/corpus.ts';
import { type Sketcher, sketcherOf } from '../../sketcher.ts';
import { fieldsOf, UnknownFields } from '../../unknown-fields.ts';
import { RowsOut, rowsIn } from './pipes.ts';
import { kinds, stands, type WorkerPlan } from './plan.ts';

export async function runTask(plan: WorkerPlan): Promise<void> {
  const out = new RowsOut();
  if (plan.task === 'mark') return markLines(out);
  const sketcher = await sketcherOf(plan.options);
  const { fields, maxDocument } = await openReading(plan.reading);
  if (plan.task === 'analyse') analyse(plan, sketcher, { fields, maxDocument }, out);
  else await decideComponents(plan, sketcher, fields, out);
}

interface Rules {
  readonly fields: FieldRules;
  readonly maxDocument: number;
}

/** Where a document is from is known to the driver: it counts lines. */
const NOWHERE = { file: '', line: 0 };

/** Writes `D rid bytes-of-the-line [content, key, …] id`, `R rid 0 reason`, or `B rid`. */
function analyse(
  { options, reading }: WorkerPlan,
  sketcher: Sketcher,
  { fields, maxDocument }: Rules,
  out: RowsOut,
): void {
  const { analyse: analyseBody } = createAnalyser(options, sketcher);
  const unknown = new UnknownFields(fieldsOf(options));
  for (const { numbers, rest } of rowsIn(1)) {
    const rid = numbers[0]!;
    out.see(rid);
    const reject = (reason: string) => out.row(kinds.reject, rid, 0, '', JSON.stringify(reason));
    if (rest.length > maxDocument) {
      reject(tooLarge(maxDocument));
      continue;
    }
    const item = readJsonLine(rest, NOWHERE, fields);
    if (item === undefined) {
      out.row(kinds.blank, rid, 0, '', '');
      continue;
    }
    if (isReject(item)) {
      reject(item.reject.reason);
      continue;
    }
    unknown.see(item.document);
    const document = reading.setField === undefined ? item.document : withoutText(item.document);
    const mark = createGroupMark(options.by, document, sketcher.kernel);
    const { content, keys, elements } = analyseBody(document);
    const hex = [
      [...mark.content(content)].map(word => word.toString(16).padStart(8, '0')).join(''),
      ...[...mark.keys(keys)].map(key => key.toString(36)),
      // Apart from the keys, as in the local engines.
      ...[...mark.keys(elements)].map(key => `-${key.toString(36)}`),
    ];
    const id = item.isUnnamed ? 'null' : JSON.stringify(item.document.id);
    out.row(kinds.document, rid, rest.length, hex.join(','), id);
  }
  out.end([...unknown.names]);
}

interface Component {
  readonly rids: number[];
  readonly documents: Document[];
}

/** Components come one after another, each sorted by rid. */
async function decideComponents(plan: WorkerPlan, sketcher: Sketcher, fields: FieldRules, out: RowsOut): Promise<void> {
  let current = -1;
  let component: Component = { rids: [], documents: [] };
  const finish = async () => {
    if (component.documents.length > 0) await (plan.task === 'pair' ? pair : decide)(plan, sketcher, component, out);
    component = { rids: [], documents: [] };
  };
  for (const { numbers, rest } of rowsIn(2)) {
    const [root, rid] = [numbers[0]!, numbers[1]!];
    if (root !== current) await finish();
    current = root;
    out.see(rid);
    const item = readJsonLine(rest, NOWHERE, fields);
    if (item === undefined || isReject(item)) throw new Error(`line ${rid} was a document before`);
    component.rids.push(rid);
    component.documents.push(plan.reading.setField === undefined ? item.document : withoutText(item.document));
  }
  await finish();
  out.end();
}

async function corpusOf(plan: WorkerPlan, sketcher: Sketcher, { rids, documents }: Component) {
  const protectedHere = rids.filter(rid => rid < plan.protectedCount).length;
  const [reference, inputs] = [documents.slice(0, protectedHere), documents.slice(protectedHere)];
  return createCorpus(inputs, reference, plan.options, sketcher, { withKeys: true });
}

/** Writes `X rid kept-rid relation evidence` and `C rid size '' cluster`. */
async function decide(plan: WorkerPlan, sketcher: Sketcher, component: Component, out: RowsOut): Promise<void> {
  const corpus = await corpusOf(plan, sketcher, component);
  const { rids } = component;
  const { keptBy, removed, clusters, comparisons } = decisionsOf({ corpus, options: plan.options });
  out.comparisons += comparisons;
  let item = 0;
  for (const removal of removed) {
    while (keptBy[item] === kept) item++;
    out.row(kinds.removed, rids[item]!, rids[keptBy[item]!]!, removal.relation, JSON.stringify(removal));
    item++;
  }
  const representatives = [...new Set(keptBy.filter(by => by !== kept))].sort((a, b) => a - b);
  for (const [at, cluster] of [...clusters].entries())
    out.row(kinds.cluster, rids[representatives[at]!]!, cluster.size, '', JSON.stringify(cluster));
}

/** Writes `P rid-of-a rid-of-b '' pair`. */
async function pair(plan: WorkerPlan, sketcher: Sketcher, component: Component, out: RowsOut): Promise<void> {
  const corpus = await corpusOf(plan, sketcher, component);
  // Ids are the rids here, so that pairs can be sorted; they are put in for them afterwards.
  const comparisons = new Comparisons();
  const numbered = {
    ...corpus,
    documents: corpus.documents.map((document, item) => ({ ...document, id: String(item) })),
  };
  let found = 0;
  for (const { a, b, ...values } of pairsOf({ corpus: numbered, options: plan.options }, false, comparisons)) {
    const [at, to] = [Number(a), Number(b)];
    const ids = { a: corpus.documents[at]!.id, b: corpus.documents[to]!.id };
    out.row(kinds.pair, component.rids[at]!, component.rids[to]!, '', JSON.stringify({ ...ids, ...values }));
    if (++found > plan.maxPairs) break;
  }
  out.comparisons += comparisons.made;
}

/** Reads `rid mark tab line`; writes `L rid 0 '' line`. */
function markLines(out: RowsOut): void {
  for (const { numbers, rest } of rowsIn(1)) {
    out.see(numbers[0]!);
    const tab = rest.indexOf(9);
    const neardup = JSON.parse(Buffer.from(rest.subarray(0, tab)).toString());
    const line = Buffer.from(withFieldTexts(rest.subarray(tab + 1), encodedFields({ neardup }))).toString();
    out.row(kinds.line, numbers[0]!, 0, '', line.replaceAll('\t', stands.tab).replaceAll('\r', stands.return));
  }
  out.end();
}
