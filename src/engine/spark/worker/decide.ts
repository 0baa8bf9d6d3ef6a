/** Components, one after another → what is decided in each, or its pairs, with the code of the local engines. */
import { kept } from '../../../cluster/keeping.ts';
import { Comparisons } from '../../decide/comparisons.ts';
import { decisionsOf, pairsOf } from '../../decide/decisions.ts';
import type { Sketcher } from '../../sketcher.ts';
import { Component, componentTools } from './component.ts';
import type { LineReader } from './line-reader.ts';
import { type RowsOut, rowsIn } from './pipes.ts';
import { kinds, parts, type WorkerPlan } from './plan.ts';

/** Rows of a component come together, each sorted by rid. */
export async function decideComponents(
  plan: WorkerPlan,
  sketcher: Sketcher,
  lines: LineReader,
  out: RowsOut,
): Promise<void> {
  const tools = await componentTools(plan, sketcher, lines);
  const finish = plan.task === 'pair' ? pair : decide;
  let current = -1;
  let component: Component | undefined;
  for (const { numbers, rest } of rowsIn(plan.task)) {
    const [root, what, rid] = [numbers[0]!, numbers[1]!, numbers[2]!];
    if (root !== current) {
      if (component) finish(plan, component, out);
      component = new Component(tools);
    }
    current = root;
    out.see(rid);
    if (what === parts.line) component!.addLine(rid, rest);
    else {
      const told = JSON.parse(Buffer.from(rest).toString());
      if (what === parts.copy) component!.addCopy(rid, told);
      else component!.addDecision(told);
    }
  }
  if (component) finish(plan, component, out);
  tools.store.close();
  out.end();
}

/** Writes `X rid kept-rid relation evidence` and `C rid size '' cluster`. */
function decide({ options }: WorkerPlan, component: Component, out: RowsOut): void {
  const { rids } = component;
  const { keptBy, removed, clusters, comparisons } = decisionsOf({ corpus: component.corpus(), options });
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
function pair({ options, maxPairs }: WorkerPlan, component: Component, out: RowsOut): void {
  const { rids } = component;
  const corpus = component.corpus();
  // Ids are places here, so that pairs can be sorted by rid; they are put in for them afterwards.
  const numbered = { ...corpus, documents: corpus.documents.map((_, item) => ({ id: String(item) })) };
  const comparisons = new Comparisons();
  let found = 0;
  for (const { a, b, ...values } of pairsOf({ corpus: numbered, options }, false, comparisons)) {
    const [at, to] = [Number(a), Number(b)];
    const ids = { a: corpus.documents[at]!.id, b: corpus.documents[to]!.id };
    out.row(kinds.pair, rids[at]!, rids[to]!, '', JSON.stringify({ ...ids, ...values }));
    if (++found > maxPairs) break;
  }
  out.comparisons += comparisons.made;
}
