/** What requests and answers look like, from the table of options and the types of the model. */
import { type TSchema, Type } from '@sinclair/typebox';
import { verdicts } from '../decisions/decision.ts';
import { type Option, type OptionName, options } from '../options.ts';
import { clusterOrders, clusterSorts } from '../store/cluster-pages.ts';
import { documentOrders, statuses } from '../store/documents-page.ts';

/** An option of the table: its type is told by its placeholder, its range is checked by its parser. */
export function optionSchema(name: OptionName): TSchema {
  const { placeholder, help, default: fallback }: Option<unknown> = options[name];
  const about = { description: help, ...(fallback !== undefined && fallback !== '' && { default: fallback }) };
  if (placeholder === 'number') return Type.Number(about);
  if (placeholder === 'integer') return Type.Integer(about);
  return placeholder.includes('|') ? oneOf(placeholder.split('|'), about) : Type.String(about);
}

function oneOf(values: readonly string[], about: object = {}): TSchema {
  return Type.Unsafe({ type: 'string', enum: [...values], ...about });
}

const strictly = { additionalProperties: false } as const;
/** A number counts as the digits it is written with. */
const idOrNumber = Type.Unsafe({ type: ['string', 'number'], description: 'the id of a document' });
const elements = Type.Array(Type.Unsafe({ type: ['string', 'number'] }), {
  description: 'a plain set; a number counts as its decimal string',
});
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const count = (description: string) => Type.Integer({ minimum: 0, description });
const limit = (most: number, fallback: number) =>
  Type.Integer({ minimum: 1, maximum: most, default: fallback, description: 'at most so many' });
const cursor = Type.String({ description: 'the `next` of the page before' });
const status = oneOf(statuses, {
  description: 'what the document is, compared with those that were stored before it',
});

export const DocumentSchema = Type.Object(
  { id: idOrNumber, text: Type.Optional(Type.String()), set: Type.Optional(elements) },
  { additionalProperties: true, description: 'has a text or a set; its other fields are kept as they are' },
);
/** In PUT the path names it. */
export const DocumentAtSchema = Type.Object(
  { id: Type.Optional(idOrNumber), text: Type.Optional(Type.String()), set: Type.Optional(elements) },
  { additionalProperties: true },
);

const verdict = {
  id: Type.String(),
  status,
  of: Type.Optional(Type.String({ description: 'the stored document that it duplicates' })),
  resemblance: Type.Optional(share('exact resemblance to that document')),
  containment: Type.Optional(share('of this document in that one')),
};
export const VerdictSchema = Type.Object(verdict);
export const DocumentPageSchema = Type.Object({
  documents: Type.Array(Type.Object({ ...verdict, stored: Type.Boolean() })),
  next: Type.Optional(cursor),
});
export const DocumentsQuery = Type.Object(
  {
    limit: Type.Optional(limit(1000, 100)),
    cursor: Type.Optional(cursor),
    status: Type.Optional(status),
    order: Type.Optional(oneOf(documentOrders, { default: 'asc', description: 'desc: the last that came in first' })),
  },
  strictly,
);
export const DryRunQuery = Type.Object(
  { dryRun: Type.Optional(Type.Boolean({ description: 'only say what the document is; nothing is remembered' })) },
  strictly,
);
/** Of routes that take none: `?dryRun=true` must not be passed over where it does not count. */
export const NoQuery = Type.Object({}, strictly);
export const IdParams = Type.Object({ id: Type.String({ minLength: 1 }) });

const content = {
  text: Type.Optional(Type.String()),
  set: Type.Optional(elements),
  id: Type.Optional(idOrNumber),
};
export const ContentSchema = Type.Object(content, { ...strictly, description: 'one of text, set and id' });
export const SearchSchema = Type.Object(
  {
    ...content,
    threshold: Type.Optional(optionSchema('threshold')),
    limit: Type.Optional(limit(10_000, 10)),
    measure: Type.Optional(optionSchema('measure')),
  },
  { ...strictly, description: 'one of text, set and id, and how to search' },
);
export const SearchResultSchema = Type.Object({
  results: Type.Array(
    Type.Object({ id: Type.String(), resemblance: share('exact'), containment: share('of the query in the document') }),
  ),
});
export const CompareSchema = Type.Object({ a: ContentSchema, b: ContentSchema }, strictly);
const range = Type.Array(Type.Integer({ minimum: 0 }), { minItems: 2, maxItems: 2 });
const nullable = (type: string, description: string) => Type.Unsafe({ type: [type, 'null'], description });
export const ComparisonSchema = Type.Object({
  resemblance: share('|A∩B|/|A∪B|'),
  containmentAB: share('|A∩B|/|A|'),
  containmentBA: share('|A∩B|/|B|'),
  dice: share('2|A∩B|/(|A|+|B|)'),
  overlap: share('|A∩B|/min(|A|,|B|)'),
  editSimilarity: nullable('number', 'null for sets, and for texts whose comparison would take too long'),
  estimated: Type.Unsafe({
    type: ['object', 'null'],
    description:
      'what the sketches say: a resemblance, of simhash a cosine, of mod sketches both containments, too; null where they say nothing',
    properties: {
      resemblance: Type.Number(),
      cosine: Type.Number(),
      standardError: Type.Number(),
      containmentAB: nullable('number', 'of a in b'),
      standardErrorAB: nullable('number', 'of containmentAB'),
      containmentBA: nullable('number', 'of b in a'),
      standardErrorBA: nullable('number', 'of containmentBA'),
    },
    required: ['standardError'],
  }),
  passages: Type.Array(Type.Object({ a: range, b: range }), {
    description: 'half-open ranges of UTF-16 offsets that both texts have',
  }),
});
export const BoilerplateSchema = Type.Object({
  ranges: Type.Array(range, { description: 'half-open ranges of UTF-16 offsets, in order' }),
  documents: count('of the index that were looked into: some that share a key with it, and an even sample'),
  atLeast: count('of them that must have a shingle for it to count'),
});
export const CollapseSchema = Type.Object(
  {
    results: Type.Array(Type.Object({}, { additionalProperties: true }), { maxItems: 10_000 }),
    threshold: Type.Optional(optionSchema('threshold')),
  },
  strictly,
);
export const CollapsedSchema = Type.Object({
  results: Type.Array(Type.Object({}, { additionalProperties: true, description: 'as it came, with `similar`' })),
});

const ClusterSchema = Type.Object({
  cluster: Type.String({ description: 'the id of its representative' }),
  size: Type.Integer({ minimum: 2 }),
  representative: Type.String(),
  members: Type.Array(Type.String(), { description: 'in a list of clusters, the first 100' }),
  minResemblance: share('the smallest of a member to the representative'),
  state: oneOf(['open', 'decided']),
  stored: Type.Optional(Type.Array(Type.String(), { description: 'members whose text is stored; not in a list' })),
});

export { ClusterSchema };
export const ClustersQuery = Type.Object(
  {
    limit: Type.Optional(limit(1000, 100)),
    cursor: Type.Optional(cursor),
    minSize: Type.Optional(Type.Integer({ minimum: 1, default: 2 })),
    sort: Type.Optional(oneOf(clusterSorts, { default: 'added' })),
    order: Type.Optional(oneOf(clusterOrders, { description: 'desc by size, otherwise asc, unless given' })),
    q: Type.Optional(Type.String({ description: 'a part of the id of one of its documents' })),
    state: Type.Optional(oneOf(['open', 'decided'])),
    from: Type.Optional(share('one of its documents resembles the representative so much, or more,')),
    to: Type.Optional(share('and less than this')),
  },
  strictly,
);
export const ClusterPageSchema = Type.Object({
  clusters: Type.Array(ClusterSchema),
  total: count('clusters on all pages'),
  next: Type.Optional(cursor),
});
export const PairsQuery = Type.Object(
  {
    limit: Type.Optional(limit(100_000, 1000)),
    tree: Type.Optional(Type.Boolean({ description: 'only the strongest links that connect all' })),
  },
  strictly,
);
export const PairsSchema = Type.Object({
  pairs: Type.Array(
    Type.Object({
      a: Type.String(),
      b: Type.String(),
      resemblance: share('exact'),
      containmentAB: share('of a in b'),
      containmentBA: share('of b in a'),
    }),
  ),
  notStored: count('members whose text is not stored: of them only the values against the representative are known'),
  total: count('pairs there are in the cluster'),
});

const decision = {
  a: Type.String({ minLength: 1 }),
  b: Type.String({ minLength: 1 }),
  verdict: oneOf(verdicts),
  keep: Type.Optional(Type.String({ description: 'which of the two stays' })),
  note: Type.Optional(Type.String({ maxLength: 10_000 })),
  by: Type.Optional(Type.String({ maxLength: 1_000, description: 'who decided' })),
};
export const GivenDecisionSchema = Type.Object(decision, strictly);
export const DecisionSchema = Type.Object({
  ...decision,
  at: Type.Optional(Type.String({ description: 'when, ISO 8601' })),
  contents: Type.Optional(Type.Array(nullable('string', 'the content hash of the text'), { minItems: 2, maxItems: 2 })),
});

export const TuneQuery = Type.Object(
  Object.fromEntries(
    (['threshold', 'recall', 'hashes', 'bands', 'rows', 'matches', 'of'] as const).map(name => [
      name,
      Type.Optional(optionSchema(name)),
    ]),
  ),
  strictly,
);
const curve = Type.Array(Type.Object({ similarity: share('0, 0.05 … 1'), probability: share('to be a candidate') }));
export const TuningSchema = Type.Union([
  Type.Object({
    threshold: share('that it is for'),
    hashes: count('minima of a sketch'),
    bands: count('keys of a document'),
    rows: count('minima of a key'),
    recall: share('at the threshold'),
    curve,
  }),
  Type.Object({ matches: count('equal minima that make two documents similar'), of: count('minima compared'), curve }),
]);
export const StatsSchema = Type.Object({
  documents: count('stored, with their text'),
  bytes: count('that the index takes'),
  options: Type.Object({}, { additionalProperties: Type.Unsafe({ type: ['string', 'number'] }) }),
  verdicts: Type.Object(Object.fromEntries(statuses.map(name => [name, Type.Integer({ minimum: 0 })])), {
    description: 'how many ids are known, by status',
  }),
});
const counts = (description: string) => Type.Array(Type.Integer({ minimum: 0 }), { description });
const hundredths = counts('documents of resemblance 0 to 0.01, 0.01 to 0.02 …; the 101st are of resemblance 1');
export const HistogramSchema = Type.Object({
  matches: Type.Object({ exact: hundredths, near: hundredths, contained: hundredths }),
  sizes: counts('clusters of 2 documents, of 3 and 4, of 5 to 8 …'),
});
export const RecallSchema = Type.Object({
  recall: nullable('number', 'the share of copies that the index recognises; null where no document can be changed'),
  found: count('copies that were recognised'),
  documents: count('copies, one of each document of an even sample'),
  leastResemblance: nullable('number', 'of a copy to its document'),
  meanResemblance: nullable('number', 'of the copies to their documents'),
});
export const HealthSchema = Type.Object({ status: oneOf(['ok', 'opening', 'closing']) });
export const ErrorSchema = Type.Object({
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    field: Type.Optional(Type.String({ description: 'the field of the request that is wrong' })),
  }),
});
export const BatchAnswerSchema = Type.Union([
  VerdictSchema,
  Type.Object(
    { line: Type.Integer({ minimum: 1 }), id: Type.Optional(Type.String()), ...ErrorSchema.properties },
    { description: 'in the place of a line that cannot be used' },
  ),
  Type.Object(ErrorSchema.properties, { description: 'as the last line: the rest was not read' }),
]);
