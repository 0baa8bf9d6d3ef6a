/** What an index does on threads: the work whose time grows with the size of documents. */
import {
  areEqualAndEmpty,
  type ComparisonWithPassages,
  compareUsing,
  passagesUsing,
} from '../../engine/calls/compare.ts';
import type { Document, Pair } from '../../model.ts';
import { boilerplateIn } from '../../similarity/boilerplate.ts';
import type { TextRange } from '../../similarity/differences.ts';
import { allShared } from '../../similarity/measures.ts';
import { type IndexInput, readDocument } from '../index-input.ts';
import type { PreparedParts, Preparer } from '../prepare.ts';
import { Entry, nothing, packed } from '../record.ts';
import { spanningTree } from '../spanning-tree.ts';
import type { Tools } from './tools.ts';

export type Content = Pick<Document, 'text' | 'set'>;

export interface StoredEntry {
  readonly number: number;
  readonly bytes: Uint8Array;
}

export interface Tasks {
  readonly prepare: {
    readonly input: { readonly given: IndexInput; readonly json?: string | undefined; readonly isAsked?: boolean };
    readonly output: PreparedParts;
  };
  readonly set: { readonly input: StoredEntry; readonly output: BigUint64Array };
  /** The document of an entry as JSON text. */
  readonly json: { readonly input: StoredEntry; readonly output: Uint8Array };
  readonly compare: {
    readonly input: { readonly a: Content; readonly b: Content };
    readonly output: ComparisonWithPassages;
  };
  /** What many of the others have, too. */
  readonly boilerplate: {
    readonly input: { readonly text: string; readonly others: readonly string[]; readonly atLeast: number };
    readonly output: readonly TextRange[];
  };
  /** Of each document with each before it; of a tree, only of its links. */
  readonly pairs: {
    readonly input: {
      readonly documents: readonly (Content & { readonly id: string })[];
      readonly limit: number;
      readonly isTree?: boolean;
    };
    readonly output: readonly PairValues[];
  };
}

export type PairValues = Required<Pick<Pair, 'a' | 'b' | 'resemblance' | 'containmentAB' | 'containmentBA'>>;

export type TaskName = keyof Tasks;

/**
 * Past so many cells of its table (two texts of 64 KB) edit similarity is null: it would keep a thread, and those who
 * wait for one, for seconds.
 */
export const MOST_EDIT_CELLS = 2 ** 32;

const tasks: {
  readonly [Name in TaskName]: (tools: Tools, input: Tasks[Name]['input']) => Tasks[Name]['output'];
} = {
  prepare: ({ preparer }, input) => preparedParts(preparer, input),
  set: ({ preparer }, { number, bytes }) => preparer.setOf(Entry.trusted(number, bytes)),
  json: (_, { number, bytes }) => Buffer.from(Entry.trusted(number, bytes).json!),
  compare: ({ sketcher }, { a, b }) => ({
    ...compareUsing(sketcher, a, b, { maxEditCells: MOST_EDIT_CELLS }),
    passages: passagesUsing(sketcher, a, b),
  }),
  boilerplate: ({ sketcher: { options } }, { text, others, atLeast }) =>
    boilerplateIn(text, others, {
      shingle: options.shingle,
      keepCase: options.normalise.includes('keep-case'),
      atLeast,
    }),
  pairs: ({ sketcher }, { documents, limit, isTree }) => {
    const sets = documents.map(document => sketcher.set(document));
    const pairOf = (first: number, second: number): PairValues => {
      const [setA, setB] = [sets[first]!, sets[second]!];
      const areEqual = areEqualAndEmpty([documents[first]!, setA], [documents[second]!, setB]);
      const { resemblance, containmentAB, containmentBA } = areEqual ? allShared : sketcher.compare(setA, setB);
      return { a: documents[first]!.id, b: documents[second]!.id, resemblance, containmentAB, containmentBA };
    };
    if (isTree)
      return spanningTree(sets)
        .slice(0, limit)
        .map(({ parent, child }) => pairOf(parent, child));
    const pairs: PairValues[] = [];
    // All of the first documents before any of the next: so that of a few the whole is known.
    for (const [second, b] of documents.entries()) {
      for (let first = 0; first < second && pairs.length < limit; first++) {
        // A text and a set are not compared.
        if ((documents[first]!.text === undefined) === (b.text === undefined)) pairs.push(pairOf(first, second));
      }
    }
    return pairs;
  },
};

export function perform<Name extends TaskName>(
  tools: Tools,
  name: Name,
  input: Tasks[Name]['input'],
): Tasks[Name]['output'] {
  return tasks[name](tools, input);
}

/** Compressed here: whoever asked would copy and checksum twice as much. */
function preparedParts(
  preparer: Preparer,
  { given, json: ownJson, isAsked }: Tasks['prepare']['input'],
): PreparedParts {
  const { document, json = ownJson } = readDocument(given);
  const parts = preparer.partsOf(preparer.prepare(document, json));
  return { ...parts, encoded: isAsked ? nothing : packed(parts.encoded) };
}
