/** Rows of one component → a corpus in bounded memory: equal texts have one line between them, and lines that find no room go to a file. */
import { fail } from '../../../errors.ts';
import { fieldOf } from '../../../formats/fields.ts';
import type { Document } from '../../../model.ts';
import type { Sketch } from '../../../sketch/sketch.ts';
import { type Analyser, createAnalyser } from '../../analyse/analyse.ts';
import { isSet } from '../../analyse/content.ts';
import { groupOf } from '../../analyse/group-of.ts';
import { shortTextsOf } from '../../analyse/short-texts.ts';
import { createEditMeasure, type EditMeasure } from '../../decide/edit-items.ts';
import { type KeepValue, keepValue, lengthOf, orderBy } from '../../decide/keep-order.ts';
import { preferredFirst } from '../../decide/preferred-first.ts';
import { cacheSets } from '../../decide/set-cache.ts';
import { Verdicts } from '../../decide/verdicts.ts';
import type { Corpus } from '../../memory/corpus.ts';
import type { Sketcher } from '../../sketcher.ts';
import type { LineReader } from './line-reader.ts';
import { LineStore } from './line-store.ts';
import type { Extra, WorkerPlan } from './plan.ts';

/** Of the memory of a worker, what sets of shingles take that are not in use; code points of edit distances as much again. */
const SETS_SHARE = 1 / 8;

const noKeys = new BigUint64Array(0);

export interface ComponentTools {
  readonly plan: WorkerPlan;
  readonly sketcher: Sketcher;
  readonly analyser: Analyser;
  readonly editMeasure: EditMeasure | undefined;
  readonly lines: LineReader;
  readonly store: LineStore;
}

export async function componentTools(plan: WorkerPlan, sketcher: Sketcher, lines: LineReader): Promise<ComponentTools> {
  const { options } = plan;
  const editMeasure = options.measure === 'edit' ? await createEditMeasure() : undefined;
  const analyser = createAnalyser(options, sketcher, shortTextsOf(options));
  return { plan, sketcher, lines, analyser, editMeasure, store: new LineStore() };
}

/** What is known of a text, however many documents have it. */
interface Text {
  /** Of the document whose line is kept. */
  readonly rid: number;
  readonly content: number;
  readonly group: number;
  readonly length: number;
  readonly keys: BigUint64Array;
  readonly elements: BigUint64Array;
  readonly sketch: Sketch | undefined;
}

export class Component {
  readonly rids: number[] = [];
  readonly #ids: string[] = [];
  readonly #values: (KeepValue | undefined)[] = [];
  /** Of each item, the number of its text. */
  readonly #textOf: number[] = [];
  readonly #texts: Text[] = [];
  readonly #textOfRid = new Map<number, number>();
  readonly #contents = new Map<bigint, number>();
  readonly #groups = new Map<string, number>();
  readonly #decisions: (readonly [a: number, b: number, verdict: 'same' | 'different', keep: number | null])[] = [];
  readonly #tools: ComponentTools;

  constructor(tools: ComponentTools) {
    this.#tools = tools;
    tools.store.clear();
  }

  addLine(rid: number, line: Uint8Array): void {
    const { plan, analyser, lines, store } = this.#tools;
    const { options } = plan;
    store.add(line);
    const document = lines.document(rid, line);
    if (options.measure === 'edit' && document.text === undefined)
      fail('BAD_DOCUMENT', { id: document.id, reason: 'a set has no order to edit; measure edit is for texts' });
    const { content, keys, elements, sketch } = analyser.analyse(document);
    this.#textOfRid.set(rid, this.#texts.length);
    const { policy } = options.keep;
    const value = 'field' in options.keep ? keepValue(options.keep, fieldOf(document, options.keep.field)) : undefined;
    this.#add(rid, document.id, value, this.#texts.length);
    this.#texts.push({
      rid,
      content: numberOf(this.#contents, content),
      group: numberOf(this.#groups, `${isSet(document)} ${groupOf(document, options.by) ?? ''}`),
      length: policy === 'longest' || policy === 'shortest' ? lengthOf(document) : 0,
      keys,
      elements,
      sketch: options.verify === 'exact' ? undefined : sketch,
    });
  }

  /** The line of the first one may come later: rids of a component ascend, and the first is the lowest. */
  addCopy(rid: number, [first, id, extra]: readonly [number, string, Extra]): void {
    const text = this.#textOfRid.get(first);
    if (text === undefined) throw new Error(`the text of document ${rid} is that of ${first}, which is not there`);
    const value = extra.keep && { kind: extra.keep[0], number: Number(extra.keep[1]), text: extra.keep[2] };
    this.#add(rid, id, value, text);
  }

  addDecision(decision: readonly [number, number, 'same' | 'different', number | null]): void {
    this.#decisions.push(decision);
  }

  corpus(): Corpus {
    const { plan, sketcher, analyser, editMeasure, lines, store } = this.#tools;
    const { options } = plan;
    const texts = this.#texts;
    const textOf = Uint32Array.from(this.#textOf);
    const of = (item: number) => texts[textOf[item]!]!;
    const documentOf = (text: number) => lines.document(texts[text]!.rid, store.get(text));
    const room = plan.memory * SETS_SHARE;
    const setOfText = cacheSets(text => analyser.setOf(documentOf(text)), room);
    const setOf = (item: number) => setOfText(textOf[item]!);
    const protectedCount = this.rids.filter(rid => rid < plan.protectedCount).length;
    const words = (item: number) => sketcher.words(documentOf(textOf[item]!).text ?? '').join(' ');
    const decided = this.#decided();
    const order = preferredFirst(
      orderBy(
        {
          count: this.rids.length,
          protectedCount,
          sizeOf: item => setOf(item).length,
          lengthOf: item => of(item).length,
          valueOf: item => this.#values[item]!,
        },
        options,
      ),
      decided.preferred,
      protectedCount,
    );
    const firstOf = firstOfEach(order, textOf, texts.length);
    const isOneGroup = this.#groups.size === 1;
    const own = <Value>(item: number, value: Value, none: Value) => (firstOf[item] === item ? value : none);
    const documents: Document[] = this.#ids.map(id => ({ id }));
    return {
      documents,
      protectedCount,
      keys: documents.map((_, item) => own(item, of(item).keys, noKeys)),
      elements: documents.map((_, item) => own(item, of(item).elements, noKeys)),
      contents: textOf.map(text => texts[text]!.content),
      groups: isOneGroup ? undefined : textOf.map(text => texts[text]!.group),
      order,
      firstOf,
      decided: decided.same.length + decided.different.length > 0 ? new Verdicts(decided) : undefined,
      setOf,
      sizeOf: item => setOf(item).length,
      shared: (a, b, least) => sketcher.kernel.intersectionSize(setOf(a), setOf(b), least),
      estimate: (a, b) => sketcher.estimate(of(a).sketch!, of(b).sketch!)?.value ?? 0,
      editSimilarity: editMeasure?.similarity(words, room),
      editEffort: editMeasure?.effort,
    };
  }

  #add(rid: number, id: string, value: KeepValue | undefined, text: number): void {
    this.rids.push(rid);
    this.#ids.push(id);
    this.#values.push(value);
    this.#textOf.push(text);
  }

  #decided() {
    const itemOf = new Map<number, number>();
    if (this.#decisions.length > 0) for (const [item, rid] of this.rids.entries()) itemOf.set(rid, item);
    const pairs = { same: [] as number[], different: [] as number[], preferred: [] as number[] };
    for (const [a, b, verdict, keep] of this.#decisions) {
      const both = [itemOf.get(a)!, itemOf.get(b)!];
      pairs[verdict].push(...both);
      if (keep !== null) pairs.preferred.push(...(keep === a ? both : both.toReversed()));
    }
    return {
      same: Uint32Array.from(pairs.same),
      different: Uint32Array.from(pairs.different),
      preferred: Uint32Array.from(pairs.preferred),
    };
  }
}

/** Of each item, the first in keep order that has the same text. */
function firstOfEach(order: Uint32Array, textOf: Uint32Array, texts: number): Uint32Array {
  const first = new Int32Array(texts).fill(-1);
  for (const item of order) if (first[textOf[item]!]! < 0) first[textOf[item]!] = item;
  return textOf.map(text => first[text]!);
}

function numberOf<Value>(numbers: Map<Value, number>, value: Value): number {
  const number = numbers.get(value) ?? numbers.size;
  numbers.set(value, number);
  return number;
}
